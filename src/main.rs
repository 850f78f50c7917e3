//! skinbench: on this GPU, for this character, where should vertices be deformed?

use std::process::ExitCode;

use skinbench::{cli, commands};

fn main() -> ExitCode {
    let line: Vec<String> = std::env::args_os()
        .map(|arg| arg.to_string_lossy().into_owned())
        .collect();
    match cli::parse(std::env::args_os()) {
        Ok(command) => commands::execute(command, line),
        Err(answer) if answer.is_answer() => match commands::print(&answer.to_string()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                commands::complain(&error.to_string());
                ExitCode::from(commands::exit::ERROR)
            }
        },
        Err(error) => {
            commands::complain(&error.to_string());
            ExitCode::from(error.exit_code())
        }
    }
}
