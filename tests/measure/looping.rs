//! Rounds, reasons to stop, failures and the time limit.

use std::time::Duration;

use skinbench::bench::measure::{
    Executor, Measurement, Options, comparisons, confidence, measure, schedule,
};
use skinbench::result::{Metric, StopReason};

use crate::fake::{Fake, Fault, Watcher, case, two_places};

fn options(limit_ms: Option<u64>) -> Options {
    Options {
        time_limit: limit_ms.map(Duration::from_millis),
        comparisons: comparisons(&two_places().0),
        ..Options::default()
    }
}

fn run(fake: &mut Fake, options: &Options) -> Measurement {
    measure(fake, &two_places().0, options, &mut ())
}

/// What must hold of every measurement: whole rounds, each live case once, all lists parallel.
fn check_shape(measured: &Measurement) {
    for (index, case) in measured.cases.iter().enumerate() {
        assert_eq!(case.samples.len(), case.rounds.len());
        if case.error.is_none() {
            assert_eq!(case.samples.len(), measured.orders.len(), "case {index}");
        }
    }
    for order in &measured.orders {
        let mut sorted = order.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), order.len(), "a case twice in one round");
    }
}

#[test]
fn looks_double_and_share_what_may_be_missed() {
    assert_eq!(schedule(640), [10, 20, 40, 80, 160, 320, 640]);
    assert_eq!(schedule(100), [10, 20, 40, 80, 100]);
    assert_eq!(schedule(5), [5]);
    assert!((confidence(640) - (1.0 - 0.05 / 7.0)).abs() < 1e-15);
    assert!((confidence(5) - 0.95).abs() < 1e-15);
}

#[test]
fn a_quiet_device_converges_at_the_first_look() {
    let mut fake = Fake::new(&two_places().1, 1);
    let mut watcher = Watcher::default();
    let measured = measure(&mut fake, &two_places().0, &options(None), &mut watcher);
    check_shape(&measured);
    assert_eq!(measured.stop, Some(StopReason::Converged));
    assert_eq!((measured.rounds_done(), watcher.looks), (10, vec![10]));
    assert!(watcher.warm_up_rounds >= 6);
}

#[test]
fn a_noisy_device_takes_more_rounds_and_looks_only_at_the_schedule() {
    let mut fake = Fake::noisy(&two_places().1, 0.08, 2);
    let mut watcher = Watcher::default();
    let measured = measure(&mut fake, &two_places().0, &options(None), &mut watcher);
    assert_eq!(measured.stop, Some(StopReason::Converged));
    assert!(measured.rounds_done() > 20, "{}", measured.rounds_done());
    assert_eq!(watcher.looks, measured.looks);
    let expected: Vec<u32> = schedule(640);
    assert_eq!(measured.looks, expected[..measured.looks.len()]);
}

#[test]
fn orders_are_random_and_come_again_from_their_seed() {
    let with_seed = |seed| {
        let options = Options {
            seed,
            ..options(None)
        };
        run(&mut Fake::noisy(&two_places().1, 0.02, 3), &options)
    };
    let (one, again, other) = (with_seed(7), with_seed(7), with_seed(8));
    assert_eq!(one, again);
    assert_ne!(one.orders[..5], other.orders[..5]);
    assert!(
        one.orders.windows(2).any(|pair| pair[0] != pair[1]),
        "one order for all rounds"
    );
}

#[test]
fn the_largest_number_of_rounds_ends_it() {
    let options = Options {
        max_rounds: 15,
        target_width: 0.0,
        ..options(None)
    };
    let measured = run(&mut Fake::noisy(&two_places().1, 0.05, 4), &options);
    assert_eq!(
        (measured.stop, measured.rounds_done()),
        (Some(StopReason::MaxRounds), 15)
    );
    assert_eq!(measured.looks, [10, 15]);
}

#[test]
fn the_time_limit_wins_and_leaves_whole_rounds() {
    let mut dropped = 0;
    // All nine cases take 2·162 ms a round; with noise of 30 % most rounds take longer than their
    // shortest frames promise, so that some limits fall inside a round.
    for limit in (3000..6000).step_by(211) {
        let mut fake = Fake::noisy(&two_places().1, 0.3, limit);
        let begun = fake.now();
        let options = Options {
            target_width: 0.0,
            ..options(Some(limit))
        };
        let measured = run(&mut fake, &options);
        check_shape(&measured);
        assert_eq!(measured.stop, Some(StopReason::TimeLimit));
        dropped += measured.dropped_rounds;
        let took = fake.now() - begun;
        // A frame is begun when its shortest time so far would still fit. The longest takes
        // 2·36 ms; four standard deviations of noise on top make 160 ms.
        let over = took.saturating_sub(Duration::from_millis(limit));
        assert!(over < Duration::from_millis(160), "{over:?} over {limit}");
        let early = Duration::from_millis(limit).saturating_sub(took);
        assert!(
            early < Duration::from_millis(2 * 162),
            "gave up {early:?} early"
        );
    }
    assert!(dropped > 0, "no limit fell inside a round");
}

#[test]
fn warming_up_takes_no_more_than_its_share() {
    let mut fake = Fake::noisy(&two_places().1, 0.5, 5);
    let measured = run(&mut fake, &options(Some(20_000)));
    let frames: u32 = measured.cases.iter().map(|case| case.warm_up_frames).sum();
    // A fifth of 20 s, at 36 ms a frame on average, and what is under way may end.
    assert!(frames < 150, "{frames}");
    assert!(measured.rounds_done() > 20);
}

#[test]
fn a_cold_start_is_waited_for_and_kept_apart() {
    let mut fake = Fake::new(&two_places().1, 6);
    fake.cold = 100.0;
    let measured = run(&mut fake, &options(None));
    for (record, cost) in measured.cases.iter().zip(&two_places().1) {
        assert!(record.stable);
        let first = record.first_frame.unwrap();
        assert!(first.frame_wall > 50.0 * 2.0 * cost);
        // Settled means that medians three frames apart differ by less than 5 %; an excess that
        // halves with each frame then is below 1 % of the time (0.05/(2³ − 1)).
        for sample in &record.samples {
            assert!(
                sample.frame_wall < 1.01 * 2.0 * cost,
                "{sample:?} against {cost}"
            );
        }
    }
}

#[test]
fn a_slow_machine_keeps_what_it_has() {
    let slow: Vec<f64> = two_places().1.iter().map(|cost| 100.0 * cost).collect();
    // One round takes 32 s: one of warm-up, then two whole ones.
    let measured = run(&mut Fake::new(&slow, 7), &options(Some(110_000)));
    check_shape(&measured);
    assert_eq!(
        (measured.stop, measured.rounds_done()),
        (Some(StopReason::TimeLimit), 2)
    );
    let none = run(&mut Fake::new(&slow, 7), &options(Some(40_000)));
    assert_eq!(
        (none.stop, none.rounds_done()),
        (Some(StopReason::TimeLimit), 0)
    );
}

#[test]
fn a_time_limit_of_nothing_runs_nothing() {
    let mut fake = Fake::new(&two_places().1, 8);
    let measured = run(&mut fake, &options(Some(0)));
    assert_eq!(measured.stop, Some(StopReason::TimeLimit));
    assert_eq!(fake.ran.iter().sum::<u32>(), 0);
}

#[test]
fn a_failing_case_is_taken_out_and_the_others_go_on() {
    let mut fake = Fake::noisy(&two_places().1, 0.02, 9);
    fake.fault = Some(Fault {
        case: 3,
        frame: 12,
        fatal: false,
    });
    let mut watcher = Watcher::default();
    let measured = measure(&mut fake, &two_places().0, &options(None), &mut watcher);
    check_shape(&measured);
    assert_eq!(measured.stop, Some(StopReason::Converged));
    assert_eq!(measured.cases[3].error.as_deref(), Some("out of memory"));
    assert_eq!(watcher.failed, [(3, "out of memory".to_owned())]);
    assert_eq!(fake.ran[3], 12, "a case that failed is not run again");
    assert!(measured.cases[2].samples.len() >= 10);
}

#[test]
fn a_lost_device_ends_everything_and_keeps_whole_rounds() {
    let mut fake = Fake::noisy(&two_places().1, 0.02, 10);
    fake.fault = Some(Fault {
        case: 3,
        frame: 12,
        fatal: true,
    });
    let measured = run(&mut fake, &options(None));
    check_shape(&measured);
    assert_eq!(measured.stop, Some(StopReason::FatalError));
    assert!(measured.rounds_done() > 0 && measured.cases[3].error.is_some());
    let frames: u32 = fake.ran.iter().sum();
    let used: usize = measured
        .cases
        .iter()
        .map(|case| case.samples.len() + case.warm_up_frames as usize)
        .sum();
    assert!(
        frames as usize - used <= 9,
        "only the round under way is lost"
    );
}

#[test]
fn when_every_case_fails_it_ends() {
    let cases = [case("compute", 1)];
    let mut fake = Fake::new(&[1e6], 11);
    fake.fault = Some(Fault {
        case: 0,
        frame: 9,
        fatal: false,
    });
    let measured = measure(&mut fake, &cases, &Options::default(), &mut ());
    assert_eq!(measured.stop, Some(StopReason::FatalError));
    assert_eq!(
        measure(&mut Fake::new(&[], 1), &[], &Options::default(), &mut ()).rounds_done(),
        0
    );
}

#[test]
fn an_interruption_between_frames_drops_the_round_under_way() {
    let mut fake = Fake::new(&two_places().1, 12);
    let warm_up = 9 * 6;
    let mut watcher = Watcher {
        stop_at: Some(warm_up + 9 * 3 + 4),
        ..Watcher::default()
    };
    let measured = measure(&mut fake, &two_places().0, &options(None), &mut watcher);
    check_shape(&measured);
    assert_eq!(
        (measured.stop, measured.rounds_done()),
        (Some(StopReason::Interrupted), 3)
    );
    assert_eq!(measured.dropped_rounds, 1);
}

#[test]
fn a_time_that_is_no_time_takes_its_case_out() {
    for lie in [f64::NAN, f64::INFINITY, -1.0] {
        let mut fake = Fake::new(&two_places().1, 13);
        fake.lie = Some((4, lie));
        let measured = run(&mut fake, &options(None));
        let error = measured.cases[4].error.as_deref().unwrap();
        assert!(
            error.contains("frame_gpu") && !error.contains('\n'),
            "{error}"
        );
        assert_eq!(measured.stop, Some(StopReason::Converged));
    }
}

#[test]
fn without_comparisons_the_frames_themselves_must_be_known() {
    let cases = [case("compute", 1)];
    let quiet = measure(
        &mut Fake::new(&[1e6], 14),
        &cases,
        &Options::default(),
        &mut (),
    );
    assert_eq!(
        (quiet.stop, quiet.rounds_done()),
        (Some(StopReason::Converged), 10)
    );
    let mut noisy = Fake::noisy(&[1e6], 0.1, 14);
    let measured = measure(&mut noisy, &cases, &Options::default(), &mut ());
    assert!(measured.rounds_done() > 20);
}

#[test]
fn comparisons_are_every_pair_at_one_point_and_the_twin() {
    let (mut cases, _) = two_places();
    cases.push(case("cpu", 1));
    let pairs = comparisons(&cases);
    // Four of compute and vertex-storage, two with cpu at one pass, one twin.
    assert_eq!(pairs.len(), 7);
    let with_cpu = pairs.iter().filter(|pair| pair.b == 9);
    assert!(
        with_cpu.clone().count() == 2
            && with_cpu
                .clone()
                .all(|pair| pair.metric == Metric::FrameWall)
    );
    assert!(
        pairs
            .iter()
            .any(|pair| (pair.a, pair.b, pair.metric) == (8, 0, Metric::FrameGpu))
    );
}
