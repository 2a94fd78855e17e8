"""What tests copy of the tree is what somebody wrote, and nothing that is being built meanwhile."""

from pathlib import Path

from tests.tree_copy import BUILT, copy_tree


def test_a_copy_has_what_is_written_and_not_what_is_built(tmp_path: Path) -> None:
    root, copy = tmp_path / "root", tmp_path / "copy"
    for name in ("a/b/c.py", "a/build.c", "read.me", "deep/er/one.txt", "else.txt"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
    for name in BUILT:
        built = root / "a" / "b" / name.replace("*", "room")
        built.mkdir()
        (built / "gone").symlink_to("what has just gone")  # a plain copy ends with an error here
    copy_tree(("a", "read.me", "deep/er/one.txt"), copy, root)
    copied = sorted(path.relative_to(copy).as_posix() for path in copy.rglob("*") if path.is_file())
    assert copied == ["a/b/c.py", "a/build.c", "deep/er/one.txt", "read.me"]
    assert (copy / "a/b/c.py").read_text() == "a/b/c.py"
