"""Puts a pin of the machine high or low by our own driver, and leaves it so: for the test that reads the registers."""

import os
import sys

from drivers.pins.pins_rpi import RpiPins

pins = RpiPins()
pins.setup_output(int(sys.argv[1]), sys.argv[2] == "1")
sys.stdout.flush()
os._exit(0)  # the kernel leaves an output of a program that was killed as it was
