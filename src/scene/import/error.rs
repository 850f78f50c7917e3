//! What can be wrong with a file, in one line each.

/// Why a file cannot be imported.
///
/// Every message is one line: the file, the place in it, what is wrong, and where it helps, what to
/// do. Control characters in names from the file are replaced by spaces.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file, or one that it refers to, cannot be read.
    #[error("{file}: cannot be read: {what}; check the path")]
    Read {
        /// The file that cannot be read.
        file: String,
        /// What the system said.
        what: String,
    },
    /// The bytes are no glTF 2.0 at all.
    #[error("{file}: not a readable glTF 2.0 file: {what}")]
    Container {
        /// The file.
        file: String,
        /// What is wrong.
        what: String,
    },
    /// The file demands an extension that changes its vertices and is unknown here.
    #[error("{file}: required extension {name} is not supported; export the model without it")]
    RequiredExtension {
        /// The file.
        file: String,
        /// The extension.
        name: String,
    },
    /// An accessor, or the data below it, is malformed.
    #[error("{file}: accessor {accessor} ({role}): {what}")]
    Accessor {
        /// The file.
        file: String,
        /// Index of the accessor in the file.
        accessor: usize,
        /// What it is read as, such as `POSITION of mesh 0 primitive 1`.
        role: String,
        /// What is wrong.
        what: String,
    },
    /// Anything else that is wrong at one place of the file.
    #[error("{file}: {place}: {what}")]
    Invalid {
        /// The file.
        file: String,
        /// Where, such as `node 4 "arm"`.
        place: String,
        /// What is wrong.
        what: String,
    },
    /// The default scene draws no mesh.
    #[error("{file}: nothing to deform: {what}; give a model whose default scene draws a mesh")]
    NothingToDeform {
        /// The file.
        file: String,
        /// Why there is nothing.
        what: String,
    },
}

/// `text` as one line: control characters become spaces.
pub(super) fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}
