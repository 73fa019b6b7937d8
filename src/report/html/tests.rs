use super::*;

#[test]
fn nothing_in_a_name_is_taken_as_markup() {
    assert_eq!(
        escaped("<a href='x'>&\"\u{202e}"),
        "&lt;a href=&#39;x&#39;&gt;&amp;&quot;\\u{202e}"
    );
}

/// Corners of what is filled, as the drawing has them: left and right.
fn filled(svg: &str) -> Vec<(f64, f64)> {
    let number = |tag: &str, name: &str| -> f64 {
        tag.split_once(&format!(" {name}=\""))
            .unwrap()
            .1
            .split('"')
            .next()
            .unwrap()
            .parse()
            .unwrap()
    };
    let tags = svg.split("<rect").skip(1).map(|tag| tag.split("/>").next().unwrap());
    tags.map(|tag| (number(tag, "x"), number(tag, "x") + number(tag, "width"))).collect()
}

#[test]
fn each_bar_is_drawn_also_when_it_is_alone() {
    for count in 1..6 {
        let bar =
            |number: i32| plots::Bar::from((number.to_string(), f64::from(number), Some(0.5)));
        let bars: Vec<plots::Bar> = (1..=count).map(bar).collect();
        let plot = plots::bars("bars", &bars).unwrap();
        let drawn = filled(&plot.svg);
        assert_eq!(drawn.len(), bars.len(), "{}", plot.svg);
        assert!(drawn.iter().all(|(left, right)| right - left > 40.0), "{drawn:?}");
        assert!(drawn.is_sorted_by(|one, other| one.1 < other.0), "{drawn:?}");
        assert!(
            (1..=count).all(|number| plot.svg.contains(&format!("\n{number}\n"))),
            "{}",
            plot.svg
        );
    }
}
