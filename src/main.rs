//! skinbench: on this GPU, for this character, where should vertices be deformed?

use std::process::ExitCode;

use skinbench::{cli, commands};

fn main() -> ExitCode {
    let line: Vec<String> = std::env::args_os()
        .map(|arg| arg.to_string_lossy().into_owned())
        .collect();
    match cli::parse(std::env::args_os()) {
        Ok(command) => commands::execute(command, line),
        Err(answer) if answer.is_answer() => {
            print!("{answer}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("skinbench: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}
