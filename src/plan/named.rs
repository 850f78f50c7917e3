//! Enumerations whose values have a name that people type and results hold.

/// Declares an enumeration with one row a value: its documentation, its variant and its name.
///
/// Made with it: `ALL` (every value, in declared order), `NAMES` (their names, same order),
/// `name`, `from_name`, and `Display` and `Serialize` by name.
macro_rules! named {
    ($(#[$doc:meta])* pub enum $kind:ident { $($(#[$row:meta])* $variant:ident = $name:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $kind { $($(#[$row])* $variant,)+ }

        impl $kind {
            /// Every value, in declared order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
            /// The name of every value, in the order of `ALL`.
            pub const NAMES: &'static [&'static str] = &[$($name),+];

            /// The name as typed on the command line and written to results.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// The value of that name; `None` where no value has it.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.name() == name)
            }
        }

        impl std::fmt::Display for $kind {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.pad(self.name())
            }
        }

        impl serde::Serialize for $kind {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }
    };
}

pub(crate) use named;
