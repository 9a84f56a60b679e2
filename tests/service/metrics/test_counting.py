"""What a process counts, and the text that represents it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from prometheus_client.parser import text_string_to_metric_families

from service.metrics import counting, table
from service.metrics.counting import Field, field_in
from service.metrics.text import text


@pytest.fixture(autouse=True)
def _nothing_counted() -> Iterator[None]:
    """Begin and end with empty counters."""
    counting.forget()
    yield
    counting.forget()


def samples(values: dict[Field, float]) -> dict[tuple[str, tuple[str, ...]], float]:
    """Return the samples as a monitoring system parses them: values by name and label values."""
    families = text_string_to_metric_families(text(values).decode())
    return {
        (sample.name.removeprefix("condottiere_"), tuple(sample.labels.values())): sample.value
        for family in families
        for sample in family.samples
    }


def test_counts_are_taken_once() -> None:
    table.REQUESTS.add("makeMove", "2xx")
    table.REQUESTS.add("makeMove", "2xx", amount=2)
    table.APPENDS.add()
    counts = {Field("requests_total", ("makeMove", "2xx")): 3, Field("appends_total", ()): 1}
    assert counting.take() == counts
    assert counting.take() == {}


def test_threads_lose_no_count() -> None:
    def count(_: int) -> None:
        for _ in range(2_000):
            table.APPENDS.add()
            table.REPLAY_SECONDS.observe(1)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(count, range(8)))
    assert set(counting.take().values()) == {16_000}


def test_gauges_stay_until_they_change() -> None:
    table.WAITS.add(2, "poll")
    table.WAITS.add(-1, "poll")
    table.CONNECTIONS.set(7)
    for _ in range(2):
        assert counting.gauges() == {Field("waits_open", ("poll",)): 1, Field("connections_open", ()): 7}


def test_a_process_that_was_forked_has_counted_nothing() -> None:
    """Otherwise both processes would report the parent's counts."""
    table.APPENDS.add()
    pid = os.fork()
    if not pid:
        os._exit(len(counting.take()))
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert len(counting.take()) == 1


@pytest.mark.parametrize("value", [0.0, 0.001, 0.0011, 5.0, 5.1, 1e9])
def test_a_value_is_counted_in_each_range_that_has_it(value: float) -> None:
    """The range includes its upper bound."""
    table.REPLAY_SECONDS.observe(value)
    read = samples(counting.take())
    for bound in (*table.QUICK, float("inf")):
        name = "+Inf" if bound == float("inf") else str(bound)
        assert read["replay_duration_seconds_bucket", (name,)] == (value <= bound)
    assert read["replay_duration_seconds_count", ()] == 1
    assert read["replay_duration_seconds_sum", ()] == value


def test_a_field_is_found_again_by_its_name() -> None:
    table.REQUESTS.add("makeMove", "2xx")
    table.REQUEST_SECONDS.observe(0.1, "makeMove")
    table.LATENESS.observe(0.1)
    fields = counting.take()
    assert [field_in(field.name) for field in fields] == list(fields)


def test_what_is_no_metric_is_not_in_the_text() -> None:
    """An earlier or later version may have counted it."""
    assert samples({Field("gone_total", ()): 1, Field("requests_total", ("x",)): 1}) == samples({})


def test_a_label_may_contain_anything() -> None:
    read = samples({Field("limits_hit_total", ('a "quoted"\\ line\n',)): 1})
    assert read["limits_hit_total", ('a "quoted"\\ line\n',)] == 1


def test_a_counter_without_labels_begins_at_zero() -> None:
    """A rate can therefore be computed from the first event on."""
    assert samples({})["append_conflicts_total", ()] == 0


def test_a_limit_is_counted_by_its_name() -> None:
    table.count_limit("registration")
    assert counting.take() == {Field("limits_hit_total", ("registration",)): 1}


@pytest.mark.parametrize("name", table.METRICS)
def test_a_metric_is_named_as_is_usual(name: str) -> None:
    """The convention is https://prometheus.io/docs/practices/naming/."""
    metric = table.METRICS[name]
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", name)
    assert (metric.kind == "counter") == name.endswith("_total")
    assert metric.kind != "histogram" or name.endswith("_seconds")
    assert metric.help_text.endswith(".")
    assert not {"le", "player", "game"} & set(metric.labels)
