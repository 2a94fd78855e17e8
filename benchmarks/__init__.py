"""Measurements. Figures are printed, never asserted: ratios of one run hold where single times do not."""
