"""What holds for every test: Hypothesis measures no time, because a busy machine is no fault of what is tested."""

from hypothesis import settings

settings.register_profile("project", deadline=None)
settings.load_profile("project")
