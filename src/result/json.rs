//! The text of a result file: objects over several lines, lists on one.

use std::io::{Result, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{Formatter, PrettyFormatter};

use super::ResultFile;

/// The file as JSON in the order of its fields, ending in a line break. A list of a thousand
/// samples stays one line, so that people can still read the file.
///
/// # Errors
/// Only what `serde_json` reports.
pub(super) fn text(file: &ResultFile) -> serde_json::Result<String> {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, ListsOnOneLine::default());
    file.serialize(&mut serializer)?;
    bytes.push(b'\n');
    String::from_utf8(bytes).map_err(serde::ser::Error::custom)
}

/// Objects as `serde_json` prints them prettily; lists without line breaks of their own.
#[derive(Default)]
struct ListsOnOneLine {
    pretty: PrettyFormatter<'static>,
}

impl Formatter for ListsOnOneLine {
    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> Result<()> {
        writer.write_all(if first { b"" } else { b", " })
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.pretty.begin_object(writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.pretty.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> Result<()> {
        self.pretty.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.pretty.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.pretty.end_object_value(writer)
    }
}
