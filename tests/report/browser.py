"""Headless Chromium for the tests of pages; where it is not installed they are skipped."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

OPTIONS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--force-prefers-reduced-motion",
)  # fmt: skip


def require_browser() -> tuple[str, str]:
    """The programs, or a skip that says what to install."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("no Chromium (Debian: apt-get install chromium chromium-driver)")
    return chromium, driver


@contextmanager
def browser(width: int = 1300, height: int = 1000) -> Iterator[Any]:
    """A window; its console must stay silent."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="pip install selenium")
    from selenium.webdriver.chrome.service import Service

    chromium, driver = require_browser()
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    for option in (*OPTIONS, f"--window-size={width},{height}"):
        options.add_argument(option)
    window = webdriver.Chrome(options=options, service=Service(driver))
    try:
        yield window
        assert window.get_log("browser") == []
    finally:
        window.quit()
