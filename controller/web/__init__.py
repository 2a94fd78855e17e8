"""The pages: served by the controller itself, pushed by server-sent events, with nothing from elsewhere."""
