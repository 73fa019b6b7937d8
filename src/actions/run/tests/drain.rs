//! What comes of drains that find no memory.

use super::*;

#[test]
fn memory_that_is_short_for_a_moment_stops_nothing() {
    let machine = Machine::with(Some((1, Fault::Off(Errno::ENOMEM))));
    let (outcome, _) = carried_out(&machine, Patience(0), false);
    assert_eq!((outcome.end, outcome.why), (End::Done, None));
    let machine = Machine::with(Some((0, Fault::Full)));
    let (outcome, _) = carried_out(&machine, Patience(0), false);
    assert_eq!(outcome.end, End::Undone);
    assert!(outcome.why.unwrap().contains("no memory"));
    assert_eq!(machine.helpers.get(), 5);
    let machine = Machine::with(Some((0, Fault::Full)));
    for area in machine.areas.borrow_mut().iter_mut() {
        area.used = Reading::Known(Bytes(0));
    }
    carried_out(&machine, Patience(0), false);
    assert_eq!(machine.helpers.get(), 1, "it moves nothing, and will not");
}
