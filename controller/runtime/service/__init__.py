"""The program as a service of the machine: told to systemd, watched, its log, and its last words."""
