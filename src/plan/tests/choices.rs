//! Clips, resolutions, seconds, seeds.

use std::time::Duration;

use super::super::{ClipChoice, Resolution, parse_clip_time, parse_seed, parse_time_limit};

const CLIPS: [&str; 4] = ["Survey", "Walk", "Walk Back", "Run"];

fn resolve(text: &str) -> Result<usize, String> {
    let choice: ClipChoice = text.parse().unwrap();
    choice.resolve(&CLIPS).map_err(|error| error.to_string())
}

#[test]
fn a_clip_is_an_index_or_a_name() {
    assert_eq!(resolve("3"), Ok(3));
    assert_eq!(resolve("Walk"), Ok(1));
    assert_eq!(resolve("BACK"), Ok(2));
    assert_eq!(resolve("sur"), Ok(0));
}

#[test]
fn a_clip_that_is_not_one_lists_those_there_are() {
    assert_eq!(
        resolve("4").unwrap_err(),
        "--clip: there is no clip 4: \
         give 0 to 3, or one of 0 'Survey', 1 'Walk', 2 'Walk Back', 3 'Run'"
    );
    assert_eq!(
        resolve("walk").unwrap_err(),
        "--clip: 'walk' matches several clips: choose one of 1 'Walk', 2 'Walk Back'"
    );
    assert_eq!(
        resolve("jump").unwrap_err(),
        "--clip: no clip is named 'jump': \
         choose one of 0 'Survey', 1 'Walk', 2 'Walk Back', 3 'Run'"
    );
    assert_eq!(
        ClipChoice::Index(0).resolve(&[]).unwrap_err().to_string(),
        "--clip: the character has no clip: leave it out"
    );
    assert!("".parse::<ClipChoice>().is_err());
}

#[test]
fn digits_too_long_for_an_index_are_a_name() {
    let digits = "9".repeat(40);
    assert_eq!(digits.parse(), Ok(ClipChoice::Name(digits)));
}

#[test]
fn a_resolution_is_two_sides() {
    assert_eq!(
        "640x480".parse(),
        Ok(Resolution {
            width: 640,
            height: 480
        })
    );
    assert_eq!(
        "32768X1".parse(),
        Ok(Resolution {
            width: 32_768,
            height: 1
        })
    );
    let bad = [
        "",
        "x",
        "256",
        "256x",
        "x256",
        "0x256",
        "256x0",
        "32769x1",
        "-1x256",
        "1e3x1",
        "NaNxNaN",
        "256x256x256",
        "256 x 256",
        "99999999999x1",
        "２５６x２５６",
        "1.5x2",
    ];
    for text in bad {
        let said = text.parse::<Resolution>().unwrap_err().to_string();
        assert_eq!(
            said,
            format!(
                "'{text}' is not a resolution: \
                 give WIDTHxHEIGHT in pixels, each from 1 to 32768, such as 256x256"
            )
        );
    }
}

#[test]
fn seconds_are_plain_decimals_within_bounds() {
    assert_eq!(parse_time_limit("60"), Ok(Duration::from_secs(60)));
    assert_eq!(parse_time_limit("2.5"), Ok(Duration::from_millis(2500)));
    assert_eq!(parse_time_limit("604800"), Ok(Duration::from_secs(604_800)));
    assert_eq!(parse_clip_time("0"), Ok(0.0));
    assert_eq!(parse_clip_time("0.25"), Ok(0.25));
    let never = [
        "", ".", "NaN", "nan", "inf", "infinity", "-1", "-0", "+1", "1e9", "1e1", "1..2",
    ];
    let never =
        never
            .iter()
            .copied()
            .chain(["６０", "60s", " 60", "0x10", "99999999999999999999999"]);
    for text in never {
        assert!(parse_time_limit(text).is_err(), "{text}");
        assert!(parse_clip_time(text).is_err(), "{text}");
    }
    for text in ["0", "0.999", "604800.1"] {
        assert!(parse_time_limit(text).is_err(), "{text}");
    }
    assert!(parse_clip_time("86400.1").is_err());
    assert_eq!(
        parse_time_limit("NaN").unwrap_err().to_string(),
        "'NaN' is not a time limit: \
         give seconds from 1 to 604800 in plain decimals, such as 60 or 2.5"
    );
}

#[test]
fn a_seed_is_sixty_four_bits() {
    assert_eq!(parse_seed("0"), Ok(0));
    assert_eq!(parse_seed("18446744073709551615"), Ok(u64::MAX));
    for text in [
        "",
        "18446744073709551616",
        "-1",
        "+1",
        "1e9",
        "NaN",
        "0x1",
        "٣",
    ] {
        assert!(parse_seed(text).is_err(), "{text}");
    }
}
