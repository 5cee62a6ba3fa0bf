"""Pages of checks, and what a user sees of one."""

from __future__ import annotations

import re

from mpisog import check_many
from mpisog.budget import Budget
from mpisog.report.page import check_page
from mpisog.trace.explain import explain

FORMULAS = ['G "Eat_1 + Eat_2 <= 1"', "G(Think_1 -> F Eat_1)", "F(Think_1 | Eat_1) & G !Eat_2"]


def page_of(net, formulas, path="", **settings):
    results = check_many(net, formulas, **settings)
    stories = {
        result.name: explain(result.trace, result.bound, Budget())
        for result in results
        if result.trace is not None
    }
    return check_page(net, path, results, stories)


class Page:
    """What a user sees of a page."""

    def __init__(self, window, address):
        self.window = window
        window.get("about:blank")  # an address that differs in its fragment is not loaded again
        window.get(address)

    def text(self, id):
        return self.window.find_element("id", id).text

    def press(self, *keys):
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.window).send_keys(*keys).perform()

    def click(self, selector):
        self.window.find_element("css selector", selector).click()

    def all(self, selector):
        found = self.window.find_elements("css selector", selector)
        return [item.text for item in found if item.is_displayed()]

    def run(self, script, *arguments):
        return self.window.execute_script(script, *arguments)

    @property
    def step(self):
        return int(re.match(r"step (\d+)", self.text("where")).group(1))

    @property
    def tokens(self):
        """Tokens that are drawn, by place."""
        return self.run(
            "return Object.fromEntries([...document.querySelectorAll('[data-place]')].map("
            "g => [g.dataset.place, g.querySelectorAll('.token').length]))"
        )
