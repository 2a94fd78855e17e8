"""The tests of the project; a package, so that helpers beside them can be imported by name."""
