"""Text: all metrics in Prometheus text format.

The Prometheus library is imported when it is first used, because only the process that serves metrics needs it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import TYPE_CHECKING

from .counting import Counter, Field, Histogram, Labels, Metric
from .table import METRICS

if TYPE_CHECKING:
    from prometheus_client.core import Metric as Family

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

Values = Mapping[Field, float]


def text(values: Values) -> bytes:
    """Return the text for these fields and their values.

    Fields with an unknown metric, or with the wrong number of labels, are left out. A counter without labels starts at
    0, even if no process has incremented it. Any other metric without a value is left out.
    """
    from prometheus_client import CollectorRegistry, generate_latest

    class Values:
        """Supplies the metrics to the Prometheus library."""

        def collect(self) -> Iterator[Family]:
            return _families(values)

    registry = CollectorRegistry(auto_describe=False)
    registry.register(Values())
    return generate_latest(registry)


def _families(values: Values) -> Iterator[Family]:
    by_metric: defaultdict[str, dict[Labels, dict[str, float]]] = defaultdict(lambda: defaultdict(dict))
    for field, value in values.items():
        metric = METRICS.get(field.metric)
        if metric is not None and len(field.labels) == len(metric.labels):
            by_metric[field.metric][field.labels][field.part] = value
    for name, metric in METRICS.items():
        if isinstance(metric, Counter) and not metric.labels:
            by_metric[name].setdefault((), {}).setdefault("", 0)
        if name in by_metric:
            yield _family(metric, sorted(by_metric[name].items()))


def _family(metric: Metric, rows: Iterable[tuple[Labels, dict[str, float]]]) -> Family:
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

    if isinstance(metric, Histogram):
        histogram = HistogramMetricFamily(metric.full_name, metric.help_text, labels=metric.labels)
        for labels, parts in rows:
            counts = accumulate(parts.get(str(number), 0) for number in range(len(metric.bounds) + 1))
            names = (*map(str, metric.bounds), "+Inf")
            histogram.add_metric(labels, list(zip(names, counts, strict=True)), parts.get("sum", 0))
        return histogram
    kind = CounterMetricFamily if isinstance(metric, Counter) else GaugeMetricFamily
    family = kind(metric.full_name, metric.help_text, labels=metric.labels)
    for labels, parts in rows:
        family.add_metric(labels, parts[""])
    return family
