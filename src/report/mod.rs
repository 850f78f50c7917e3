//! Floor module `report`.
