"""`tablectl capture`: the raw traffic of the devices, recorded and played again."""

from controller.cli.devices import record_command
from controller.cli.table import play_command
from controller.command_table import Command

COMMAND = Command(
    "capture",
    "Records every byte between the devices and the table, and puts what was recorded through the drivers again.",
    record_command.COMMAND,
    play_command.COMMAND,
)
