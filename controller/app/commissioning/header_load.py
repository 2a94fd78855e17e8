"""What LEDs and buzzers on pins take from the header, and the resistor that keeps it within what the header bears."""

from dataclasses import dataclass

MAX_HEADER_CURRENT_MA = 50.0
"""What all pins may give or take together.

Source: Raspberry Pi documentation, "GPIO pads control", "Why don't I set all my pads to the maximum current?": the
3.3 V supply was designed for about 3 mA a pin, and the seventeen pins of the first header made that 50 mA.
"""

SUPPLY_VOLTAGE_V = 3.3

MIN_LED_VOLTAGE_V = 1.8
"""What a red LED takes at a few mA; a yellow one takes a little more, and so less current."""

RESISTORS_OHM = (560, 680, 820, 1000)
"""Of the E12 series, from the first that leaves an LED less than 3 mA."""

BUZZER_CURRENT_MA = 2.6
"""Into the base of a transistor (0.7 V) through 1 kΩ."""


@dataclass(frozen=True, slots=True)
class HeaderLoad:
    """LEDs and buzzers on pins, all on at once, as a test of the lamps has them."""

    led_count: int
    buzzer_count: int

    @property
    def resistor_ohm(self) -> int:
        """The smallest resistor of each LED with which the header bears them all, or the largest there is."""
        return next(
            (ohm for ohm in RESISTORS_OHM if self._sum_current_ma(ohm) <= MAX_HEADER_CURRENT_MA), RESISTORS_OHM[-1]
        )

    @property
    def current_ma(self) -> float:
        """What they take together through that resistor."""
        return self._sum_current_ma(self.resistor_ohm)

    @property
    def is_too_much(self) -> bool:
        """Whether the header does not bear it."""
        return self.current_ma > MAX_HEADER_CURRENT_MA

    def describe(self) -> str:
        """Say it in a sentence without its full stop."""
        buzzers = f" and the buzzers ({self.buzzer_count})" if self.buzzer_count else ""
        return (
            f"the LEDs on pins ({self.led_count}, each through {self.resistor_ohm} Ω){buzzers} take at most "
            f"{self.current_ma:.1f} mA; the header bears {MAX_HEADER_CURRENT_MA:g} mA in all"
        )

    def describe_excess(self) -> str:
        """Say that it is too much, and what would help."""
        return f"{self.describe()}: put lamps on a chain of 74HC595 (driver lamps_595)"

    def _sum_current_ma(self, ohm: int) -> float:
        led_current_ma = (SUPPLY_VOLTAGE_V - MIN_LED_VOLTAGE_V) / ohm * 1000
        return self.led_count * led_current_ma + self.buzzer_count * BUZZER_CURRENT_MA
