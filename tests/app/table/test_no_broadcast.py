"""A table without a broadcast has nothing of one."""

import subprocess
import sys


def test_a_table_without_a_broadcast_loads_none_of_it() -> None:
    code = (
        "import sys, controller.app.table.table_run, controller.web.site;"
        "print(*[name for name in sys.modules if 'broadcast' in name])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
