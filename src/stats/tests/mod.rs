//! Tests over synthetic data, all seeded.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod coverage;
mod crossings;
mod totality;

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

/// Seeded noise with mean 0 and standard deviation 1.
struct Noise(Pcg64);

impl Noise {
    fn new(seed: u64) -> Self {
        Self(Pcg64::seed_from_u64(seed))
    }

    fn uniform(&mut self) -> f64 {
        ((self.0.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// Box & Muller 1958.
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.uniform().ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    /// `count` times around `centre` with relative standard deviation `spread`.
    fn times(&mut self, centre: f64, spread: f64, count: usize) -> Vec<f64> {
        let one = |_| centre * (1.0 + spread * self.normal());
        (0..count).map(one).collect()
    }
}
