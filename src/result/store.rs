//! Reading and writing result files.
