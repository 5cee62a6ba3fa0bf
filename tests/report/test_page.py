"""The page in a browser: slider, keys, filter, firing by hand, copying, batches; and its text."""

from __future__ import annotations

import json
import re

import pytest

from mpisog import build_sog
from mpisog.formulas.properties import Property
from mpisog.nets.generators import generate
from mpisog.nets.model import make_net
from mpisog.report.page import simulation_page
from mpisog.spotglue.ltl import bind
from tests.helpers import toggle
from tests.report.browser import browser
from tests.report.pages import FORMULAS, Page, page_of


@pytest.fixture(scope="module")
def philosophers(tmp_path_factory):
    path = tmp_path_factory.mktemp("pages") / "philosophers.html"
    path.write_text(page_of(generate("philosophers", 4), FORMULAS), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def page(window, philosophers):
    return Page(window, philosophers)


def test_the_first_violation_is_open(page):
    assert page.text("badge") == "FALSE"
    assert page.text("formula") == FORMULAS[1]
    assert page.text("why").splitlines() == [
        "Think_1 holds at the start",
        "Eat_1 never holds from the start on",
    ]
    assert page.all("#why code") == ["Think_1", "Eat_1"]


def test_keys_walk_along_the_trace(page):
    from selenium.webdriver.common.keys import Keys

    start = page.tokens
    page.press(Keys.ARROW_RIGHT)
    assert page.step == 1
    assert page.tokens != start
    page.press(Keys.ARROW_LEFT)
    assert page.step == 0
    assert page.tokens == start
    page.press(Keys.END)
    last = page.step
    assert page.tokens == start  # the cycle closes
    page.press(Keys.ARROW_RIGHT)
    assert page.step == 1
    assert last == 3
    page.press(Keys.HOME)
    assert page.step == 0


def test_the_slider_moves_tokens(page):
    start = page.tokens
    page.run(
        "const s = document.getElementById('slider'); s.value = 2;"
        "s.dispatchEvent(new Event('input'))"
    )
    assert page.step == 2
    assert page.tokens != start
    assert page.all("#rows tr.now td")[0] == "2"


def test_the_cycle_is_marked(page):
    assert page.run("return !document.getElementById('cycle-mark').hidden")
    assert len(page.all("#rows tr.cycle")) == 3


def test_the_filter_leaves_what_fits(page):
    box = page.window.find_element("id", "filter")
    box.send_keys("eat_2 0")
    rows = page.all("#rows tr")
    assert len(rows) == 1
    assert "Eat_2 0→1" in rows[0]
    box.clear()
    box.send_keys("nothing like that")
    assert page.all("#rows tr") == []


def test_firing_by_hand_changes_atoms_and_can_be_undone(page):
    start = page.tokens
    assert page.all("#atoms li.on") == ["Think_1"]
    page.click("[data-fire='FF1a_1']")
    assert "by hand" in page.text("hand-state")
    assert page.all("#atoms li.on") == []
    assert page.tokens["Catch1_1"] == 1
    page.click("#undo")
    assert page.tokens == start
    page.click("[data-fire='FF1a_1']")
    page.click("#return")
    assert page.tokens == start
    assert page.all("#atoms li.on") == ["Think_1"]


def test_what_fires_next_is_the_first_of_what_is_enabled(window, tmp_path):
    target = tmp_path / "next.html"
    net = generate("philosophers", 40)
    target.write_text(page_of(net, ["G !Eat_37"], shortest=True), encoding="utf-8")
    page = Page(window, target.as_uri())
    first = page.run("return document.querySelector('#enabled button').textContent")
    assert first.endswith("_37")
    assert page.run("return document.querySelector('#enabled button').className") == "next"


def test_a_transition_in_the_picture_can_be_fired(page):
    page.run(
        "document.querySelector(\"[data-transition='FF1a_1'] rect\")"
        ".dispatchEvent(new Event('click'))"
    )
    assert page.tokens["Catch1_1"] == 1


def test_a_batch_opens_each_trace(page, window):
    rows = window.find_elements("css selector", "#summary tbody tr")
    assert [row.text.split()[0] for row in rows] == ["TRUE", "FALSE", "FALSE"]
    rows[2].click()
    assert page.text("formula") == FORMULAS[2]
    assert page.run("return !document.getElementById('seal-mark').hidden")
    page.click("#last")
    assert "sealed" in page.text("where")
    rows[0].click()
    assert page.text("badge") == "TRUE"
    assert "nothing left to explore" in page.text("remark")
    assert page.all("#player") == []


def test_an_address_names_a_result(window, philosophers):
    assert Page(window, philosophers + "#formula-3").text("formula") == FORMULAS[2]


def test_copies_are_what_the_command_line_writes(page):
    page.run("window.copied = []; document.execCommand = () => copied.push("
             "document.activeElement.value)")  # fmt: skip
    page.click("#copy-scenario")
    page.click("#copy-json")
    scenario, data = page.run("return copied")
    assert scenario.split() == json.loads(data)["cycle"]


def test_lanes_and_automaton_follow(page):
    from selenium.webdriver.common.keys import Keys

    states = []
    for _ in range(2):
        states.append(page.run("return document.querySelector('.state-text.now').textContent"))
        page.press(Keys.ARROW_RIGHT)
    assert states == ["q0", "q1"]
    labels = page.run("return [...document.querySelectorAll('#lanes .lane-text')].map(x => "
                      "x.firstChild.textContent)")  # fmt: skip
    assert labels[-1] == FORMULAS[1]
    assert page.all("#processes svg")


def test_light_and_dark(page):
    def background():
        return page.run("return getComputedStyle(document.body).backgroundColor")

    before = background()
    page.click("#theme")
    assert background() != before


def test_it_stays_quick_on_a_large_net(window, tmp_path):
    places = 1000
    steps = 700
    net = make_net(
        "large",
        {f"p{i}": int(i == 0) for i in range(places)},
        {f"t{i}": ([f"p{i}"], [f"p{i + 1}"]) for i in range(places - 1)},
    )
    target = tmp_path / "large.html"
    target.write_text(page_of(net, [f"G !p{steps}"]), encoding="utf-8")
    page = Page(window, target.as_uri())
    took = page.run(
        "const begun = performance.now();"
        "for (let i = 0; i < 20; ++i) document.getElementById('forward').click();"
        "document.getElementById('last').click();"
        "document.getElementById('first').click();"
        "return performance.now() - begun"
    )
    assert took < 5000  # 22 changes of a page with 700 steps
    assert len(page.run("return [...document.querySelectorAll('#rows tr')]")) == steps + 1
    assert page.run("return document.querySelectorAll('[data-place]').length") < 30


def test_a_narrow_page_needs_no_sideways_scrolling(philosophers):
    with browser(width=500, height=900) as narrow:
        narrow.get(philosophers)
        wide = narrow.execute_script("return document.documentElement.scrollWidth")
        assert wide <= narrow.execute_script("return window.innerWidth")


LONG_NAMES = make_net(
    "long",
    {"at_home": 1, "abroad": 0},
    {f"{'go_a_long_way_' * 4}{n}": (["at_home"], ["abroad"]) for n in range(8)},
)


def test_long_atoms_need_no_sideways_scrolling_either(tmp_path):
    target = tmp_path / "atoms.html"
    formula = f'G "fireable({",".join(t.id for t in LONG_NAMES.transitions)})"'
    target.write_text(page_of(LONG_NAMES, [formula]), encoding="utf-8")
    with browser(width=500, height=900) as narrow:
        page = Page(narrow, target.as_uri())
        assert page.run("return document.documentElement.scrollWidth <= window.innerWidth")


def test_few_nodes_are_not_blown_up_and_show_how_names_end(window, tmp_path):
    target = tmp_path / "few.html"
    target.write_text(page_of(LONG_NAMES, ["G at_home"]), encoding="utf-8")
    page = Page(window, target.as_uri())
    assert page.run("return document.querySelector('.place').getBoundingClientRect().width") < 60
    ends = page.run(
        "return [...document.querySelectorAll('[data-transition] .caption')].map("
        "x => x.textContent.slice(-2))"
    )
    assert sorted(ends) == [f"_{n}" for n in range(8)]


def test_a_long_formula_leaves_room_for_the_trace(tmp_path):
    net = generate("philosophers", 40)
    everybody = " + ".join(f"Eat_{n}" for n in range(1, 41))
    formula = "G(" + " & ".join(f'"{everybody} <= {bound}"' for bound in (0, 50, 60, 70)) + ")"
    target = tmp_path / "long.html"
    target.write_text(page_of(net, [formula]), encoding="utf-8")
    with browser(width=500, height=900) as narrow:
        page = Page(narrow, target.as_uri())
        assert page.text("formula") == formula
        assert (
            page.run("return document.getElementById('player').getBoundingClientRect().top") < 700
        )


def test_on_paper_there_is_no_button_and_every_column(philosophers):
    with browser(width=1300) as paper:
        page = Page(paper, philosophers)
        assert page.all("#player") != []
        page.run("document.documentElement.dataset.theme = 'dark'")
        look = "return getComputedStyle(document.getElementById('verdict')).backgroundColor"
        assert page.run(look) != "rgb(255, 255, 255)"
        paper.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        size = {"width": 700, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
        paper.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        assert page.all("#player, .tools, #hand-box, #filter") == []
        assert page.run(look) == "rgb(255, 255, 255)"  # ink is black
        assert FORMULAS[1] in page.all("#summary td")
        assert len(page.all("#rows tr")) == 4


def test_a_wide_net_fits_on_paper(tmp_path):
    target = tmp_path / "wide.html"
    target.write_text(page_of(generate("philosophers", 20), ["G !dead"]), encoding="utf-8")
    with browser(width=500) as paper:
        page = Page(paper, target.as_uri())
        paper.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        assert page.run("return document.querySelector('#net svg.wide') !== null")
        assert page.run("return document.documentElement.scrollWidth <= window.innerWidth")


def test_the_page_of_an_observation_graph(window, tmp_path):
    """Philosopher 1 thinks, holds forks or eats: three labels, one aggregate each."""
    graph = build_sog(generate("philosophers", 3), "G(Think_1 -> F Eat_1)")
    target = tmp_path / "sog.html"
    target.write_text(graph.to_html(), encoding="utf-8")
    page = Page(window, target.as_uri())
    assert page.text("formula") == "Eat_1 >= 1, Think_1 >= 1"
    assert page.all("#net svg text") == ["0", "1", "2"]
    assert len(page.all("#rows tr")) == len(graph.edges)
    eating = next(i for i, a in enumerate(graph.aggregates) if a["label"]["Eat_1 >= 1"])
    page.run(
        "document.querySelectorAll('#net circle')[arguments[0]]"
        ".dispatchEvent(new Event('click'))", eating
    )  # fmt: skip
    assert page.text("details").startswith(f"{eating}: Eat_1 >= 1")
    around = [e for e in graph.edges if eating in (e["source"], e["target"])]
    assert len(page.all("#rows tr")) == len(around) < len(graph.edges)
    page.window.find_element("id", "filter").send_keys("nothing like that")
    assert page.all("#rows tr") == []


def test_the_simulation_page_has_no_trace(window, tmp_path):
    net = toggle()
    bound = bind(Property("f", "on"), net)
    target = tmp_path / "simulate.html"
    target.write_text(simulation_page(net, "", bound.atoms), encoding="utf-8")
    page = Page(window, target.as_uri())
    assert page.all("#player") == []
    assert page.text("mode").splitlines() == ["the net", "what is enabled"]
    page.click("[data-fire='up']")
    assert page.all("#atoms li.on") == ["on"]


def test_names_cannot_break_the_page(window, tmp_path):
    evil = "</script><script>document.title='broken'</script><b>@DATA@"
    net = make_net("n", {evil: 1, "q": 0}, {"t": ([evil], ["q"])})
    target = tmp_path / "evil.html"
    target.write_text(page_of(net, ["G !q"]), encoding="utf-8")
    page = Page(window, target.as_uri())
    assert page.window.title == "mpisog: n"
    assert evil in page.text("rows")


def test_nothing_is_loaded_from_elsewhere():
    page = page_of(toggle(), ["G off"])
    assert not re.search(r'(src|href)="(?!data:)', page)
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in page


def test_events_stand_at_their_steps_and_what_is_open_is_dashed(window, tmp_path):
    target = tmp_path / "events.html"
    page = page_of(toggle(), ["G(fire(up) -> X fire(up))"], shortest=True)
    target.write_text(page, encoding="utf-8")
    run = Page(window, target.as_uri()).run
    rows = run(
        "return [...document.querySelectorAll('#rows tr')].map(row => row.children[3].textContent)"
    )
    assert rows == ["", "up fires", ""]
    lanes = run(
        "return [...document.querySelectorAll('#lanes .lane-text title')].map(x => x.textContent)"
    )
    assert lanes[0] == "up fires"
    bars = run(
        "return [...document.querySelectorAll('#lanes .lane-on title')].map(x => x.textContent)"
    )
    assert bars[0] == "up fires: 1"
    assert run("return document.querySelectorAll('#lanes .lane-open').length") > 0
    assert run("return document.getElementById('open-note').hidden") is False
    run("document.getElementById('forward').click()")
    lit = "return [...document.querySelectorAll('#atoms li.on')].map(x => x.textContent)"
    assert run(lit) == ["up fires"]
