"""The guide to the metrics lists every metric of the code, and its alerts use only existing metrics."""

from __future__ import annotations

import re
from pathlib import Path

from service.metrics.table import METRICS

GUIDE = (Path(__file__).parents[3] / "docs" / "metrics.md").read_text()


def test_the_table_has_every_metric() -> None:
    """Each row has the metric's type, labels and help text, in the order of the text that is served."""
    rows = re.findall(r"^\| `(condottiere_\w+)` \| (\w+) \| (.*?) ?\| (.+) \|$", GUIDE, re.MULTILINE)
    assert rows == [
        (metric.full_name, metric.kind, ", ".join(f"`{label}`" for label in metric.labels), metric.help_text)
        for metric in METRICS.values()
    ]


def test_each_label_is_explained() -> None:
    (table,) = re.findall(r"The labels have these values:\n\n(.+?)\n\n", GUIDE, re.DOTALL)
    explained = {label for row in table.splitlines()[2:] for label in re.findall(r"`(\w+)`", row.split(" | ")[0])}
    assert explained == {label for metric in METRICS.values() for label in metric.labels}


def test_alerts_ask_for_metrics_and_labels_that_exist_and_each_is_explained() -> None:
    rules = GUIDE.split("## Alerts")[1]
    names = re.findall(r"(condottiere_\w+)(?:\{(\w+)=)?", rules)
    assert len(names) > 15
    known = {metric.full_name: metric for metric in METRICS.values()}
    for name, label in names:
        metric = known[name.removesuffix("_bucket") if name.removesuffix("_bucket") in known else name]
        assert not label or label in metric.labels
    alerts = re.findall(r"- alert: (\w+)", rules)
    assert re.findall(r"^\| `(Condottiere\w+)` \|", rules, re.MULTILINE) == alerts
