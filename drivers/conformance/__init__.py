"""What every driver must do, ours and a plug-in's alike: `tests/drivers/contract` and `tablectl check-driver` run it.

A `DocumentedDriver` is a driver as its page documents it: a section `## NAME` with a TOML example that sets every key.
`list_checks` says what it is held against; each check is a function without arguments that raises `ConformanceError`
with a sentence. The far end of every wire is the driver's simulator, time is the bench's, and chance is seeded: a check
gives the same answer every time.
"""
