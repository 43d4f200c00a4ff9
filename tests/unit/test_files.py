from __future__ import annotations

import os

import pytest

from faircall.errors import InputError
from faircall.files import appending, writing


def test_the_file_appears_whole(tmp_path):
    target = tmp_path / "out.json"
    with writing(target) as stream:
        stream.write("é\n")
        assert not target.exists()
    assert target.read_bytes() == "é\n".encode()
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]


def test_an_interrupted_write_leaves_what_was_there(tmp_path):
    target = tmp_path / "out.json"
    target.write_text("old", "utf-8")
    with pytest.raises(KeyboardInterrupt), writing(target) as stream:
        raise KeyboardInterrupt(stream.write("new"))
    assert target.read_text("utf-8") == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]


@pytest.mark.parametrize(
    ("name", "message"), [("none/out.json", "name a folder that exists"), (".", "is a folder")]
)
def test_where_nothing_can_be_written(tmp_path, name, message):
    with pytest.raises(InputError, match=message), writing(tmp_path / name):
        pass


def test_a_link_is_followed(tmp_path):
    (tmp_path / "real.txt").write_text("old", "utf-8")
    (tmp_path / "link.txt").symlink_to("real.txt")
    with writing(tmp_path / "link.txt") as stream:
        stream.write("new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text("utf-8") == "new"


def test_a_pipe_is_written_through(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with writing(pipe) as stream:
        stream.write("through\n")
    assert os.read(reader, 100) == b"through\n"
    os.close(reader)
    assert pipe.is_fifo()


def test_a_dash_is_standard_output(tmp_path, capsys):
    with writing("-") as stream:
        stream.write("seen")
    assert capsys.readouterr().out == "seen"


def test_what_was_written_before_a_named_error_is_kept(tmp_path):
    target = tmp_path / "out.txt"
    target.write_text("old", "utf-8")
    with pytest.raises(InputError), writing(target, keep_on=InputError) as stream:
        raise InputError(str(stream.write("first\n")))
    assert target.read_text("utf-8") == "old"
    assert (tmp_path / "out.txt.partial").read_text("utf-8") == "first\n"


@pytest.mark.parametrize(
    ("before", "after"), [(None, "b\n"), ("", "b\n"), ("a\n", "a\nb\n"), ("é", "é\nb\n")]
)
def test_appending_begins_a_line(tmp_path, before, after):
    target = tmp_path / "page.md"
    if before is not None:
        target.write_text(before, "utf-8")
    with appending(target) as stream:
        stream.write("b\n")
    assert target.read_bytes() == after.encode()


def test_what_could_not_be_appended_leaves_no_new_file(tmp_path):
    with pytest.raises(KeyboardInterrupt), appending(tmp_path / "page.md"):
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(InputError, match="is a folder"), appending(tmp_path):
        pass


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the superuser may write anywhere")
def test_appending_to_what_cannot_be_written(tmp_path):
    target = tmp_path / "page.md"
    target.touch(mode=0o444)
    with pytest.raises(InputError, match="name a file that can be written to"), appending(target):
        pass
