"""Builds the core as machine code: the same source, rewritten in a folder of the build and compiled by mypyc."""
