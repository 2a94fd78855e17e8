"""URL schemes of our own for pyserial, which finds `protocol_NAME` in here by the name of the module."""
