"""Tournaments as pure functions: schedule and clock, finishing order, payouts, league, balance, colour-up."""
