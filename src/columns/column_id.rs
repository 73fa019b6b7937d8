//! A column that code asks for by its name.

use super::spec::{Spec, Table};

/// A column that its table has: made while the program is compiled, which fails where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnId {
    /// The table.
    pub table: &'static str,
    /// The stable name of the column.
    pub id: &'static str,
}

impl ColumnId {
    /// Finds the column of a table by its name in capitals.
    ///
    /// # Panics
    /// Where the table has no such column, which ends the compilation.
    #[expect(clippy::panic, reason = "it is evaluated while the program is compiled")]
    pub const fn of<T: Table>(spec: &Spec, name: &str) -> Self {
        let mut columns = T::COLUMNS;
        while let [column, others @ ..] = columns {
            if column.info.id.eq_ignore_ascii_case(name) {
                return Self { table: spec.name, id: column.info.id };
            }
            columns = others;
        }
        panic!("the table has no column of this name")
    }
}

impl AsRef<str> for ColumnId {
    fn as_ref(&self) -> &str {
        self.id
    }
}

/// Makes a module of constants: the columns of a table that code asks for, by their names in capitals.
macro_rules! column_ids {
    ($module:ident: $table:ident, $spec:ident; $($name:ident)*) => {
        /// The columns of this table that code asks for.
        pub mod $module {
            use $crate::columns::ColumnId;
            $(
                #[doc = concat!("`", stringify!($name), "`, in small letters.")]
                pub const $name: ColumnId =
                    ColumnId::of::<super::$table>(&super::$spec, stringify!($name));
            )*
        }
    };
}
