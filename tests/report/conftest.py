"""The browser that the tests of pages share."""

from __future__ import annotations

import pytest

from tests.report.browser import browser


@pytest.fixture(scope="module")
def window():
    with browser() as opened:
        yield opened
