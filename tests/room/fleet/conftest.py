from tests.room.server.conftest import house
from tests.room.server.test_house_pages import real

__all__ = ["house", "real"]
