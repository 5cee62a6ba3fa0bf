"""Settings: defaults, then the TOML file, then the environment, then flags; and sizes."""

from __future__ import annotations

import pytest

from mpisog.config import RunConfig, load_config
from mpisog.errors import UsageError
from mpisog.sizes import format_bytes, parse_bytes


@pytest.fixture
def settings(tmp_path, monkeypatch):
    """Writes a TOML file and gives its path; the environment is empty."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "user"))
    for name in ("ENGINE", "EMPTINESS", "TIMEOUT", "TOTAL_TIMEOUT", "MEMORY"):
        monkeypatch.delenv(f"MPISOG_{name}", raising=False)

    def write(text: str) -> str:
        path = tmp_path / "settings.toml"
        path.write_text(text)
        return str(path)

    return write


def test_defaults(settings):
    config = load_config({})
    assert config == RunConfig()
    assert (config.engine, config.emptiness) == ("auto", "cou99")
    assert (config.timeout, config.total_timeout, config.memory) == (None, None, None)


def test_each_layer_overrides_the_one_before(settings, monkeypatch):
    path = settings('[check]\nemptiness = "se05"\ntimeout = 1\ntotal-timeout = 11\nmemory = "1G"\n')
    monkeypatch.setenv("MPISOG_TIMEOUT", "2")
    monkeypatch.setenv("MPISOG_TOTAL_TIMEOUT", "12.5")
    config = load_config({"timeout": "3", "memory": None}, path)
    assert config == RunConfig(emptiness="se05", timeout=3.0, total_timeout=12.5, memory=2**30)


def test_the_users_own_file_is_found(settings, monkeypatch, tmp_path):
    folder = tmp_path / "user" / "mpisog"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text('[check]\nengine = "explicit"\n')
    assert load_config({}).engine == "explicit"


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("[check]\ntimeut = 3\n", "sets 'timeut', which does not exist (did you mean 'timeout'"),
        ("[check]\ntimeout = 'soon'\n", "sets timeout to 'soon' (a positive number of seconds, up"),
        ("[check]\ntimeout = -1\n", "sets timeout to '-1'"),
        ("[check]\ntimeout = nan\n", "sets timeout to 'nan'"),
        ("[check]\nmemory = '3 apples'\n", "a size such as 500M or 8G"),
        ("check = 3\n", "[check] must be a table"),
        ("[check\n", "not a TOML file"),
        ("[chek]\nthreads = 3\n", "[chek] means nothing (did you mean 'check'?)"),
    ],
)
def test_a_wrong_file(settings, text, fragment):
    with pytest.raises(UsageError) as caught:
        load_config({}, settings(text))
    assert fragment in str(caught.value)


def test_a_missing_file(tmp_path):
    with pytest.raises(UsageError, match=r"none\.toml"):
        load_config({}, str(tmp_path / "none.toml"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("timeout", "1e10"),
        ("total_timeout", "1e300"),
        ("shorten", "1e300"),
        ("memory", "99999999999G"),
        ("threads", "1000000"),
        ("jobs", "9999999"),
        ("forbid", "9" * 20),
        ("aggregate_nodes", "9" * 20),
    ],
)
def test_numbers_that_no_clock_and_no_machine_has(name, value):
    with pytest.raises(UsageError, match="the command line sets"):
        load_config({name: value})


@pytest.mark.parametrize("value", ["0", "-3", "inf", "nan", "soon", ""])
def test_wrong_seconds(settings, monkeypatch, value):
    monkeypatch.setenv("MPISOG_TIMEOUT", value)
    with pytest.raises(UsageError, match="the environment sets timeout"):
        load_config({})


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1000", 1000),
        ("1K", 1024),
        ("500M", 500 * 2**20),
        ("8g", 8 * 2**30),
        ("2.5GiB", 5 * 2**29),
        ("1TB", 2**40),
        (" 3 MB ", 3 * 2**20),
    ],
)
def test_sizes(text, size):
    assert parse_bytes(text) == size


@pytest.mark.parametrize("text", ["", "M", "-1M", "0", "inf", "nan", "1X", "one"])
def test_no_sizes(text):
    with pytest.raises(ValueError, match=r"size|convert"):
        parse_bytes(text)


@pytest.mark.parametrize(
    ("amount", "text"),
    [(0, "0 B"), (1023, "1023 B"), (1536, "1.5 KB"), (2**30, "1 GB"), (2**41, "2 TB")],
)
def test_shown_sizes(amount, text):
    assert format_bytes(amount) == text
