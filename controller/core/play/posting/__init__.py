"""Blinds, straddles, kills: what is put up before the cards."""
