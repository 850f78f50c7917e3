//! Progress on standard error: a bar on a terminal, nothing but news elsewhere.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::bench::Progress;

/// Shows how a run goes on.
pub(super) struct Bar {
    bar: ProgressBar,
}

impl Bar {
    /// A bar if standard error is a terminal.
    pub fn new() -> Self {
        let target = if std::io::stderr().is_terminal() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(1), target);
        if let Ok(style) = ProgressStyle::with_template("{msg:24} {bar:32} {pos}/{len} {elapsed}") {
            bar.set_style(style);
        }
        Self { bar }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Bar {
    fn say(&mut self, text: &str) {
        self.bar.suspend(|| super::complain(text));
    }

    fn step(&mut self, what: &str, done: usize, of: usize) {
        if self.bar.message() != what {
            self.bar.set_message(what.to_owned());
        }
        self.bar.set_length(of as u64);
        self.bar.set_position(done as u64);
    }
}
