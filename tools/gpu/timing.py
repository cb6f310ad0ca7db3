"""GPU timing: device events, medians, graph replay for short work."""
import statistics
import time

import torch

SHORT_US = 2000.0  # below this, many calls are replayed as one graph, to exclude launches
GRAPH_US = 3000.0  # target duration of a graph
REPEATS = 7
WARM_UP_S = 0.1


def events_us(work, repeats=REPEATS):
    """Median of `repeats` calls of work(), in microseconds."""
    times = []
    for _ in range(repeats):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        work()
        end.record()
        end.synchronize()
        times.append(1e3 * begin.elapsed_time(end))
    return statistics.median(times)


def median_us(variants):
    """Time of one call, alternating between variants: one variant for warm caches, several for cold ones."""
    for variant in variants[:2]:
        for _ in range(2):
            variant()
    torch.cuda.synchronize()
    once = events_us(variants[0], 3)
    if once > SHORT_US:
        return events_us(variants[0], 5 if once < 1e5 else 3)
    calls = max(len(variants), min(200, int(GRAPH_US / max(once, 2.0)) + 1))
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for call in range(calls):
            variants[call % len(variants)]()
    graph.replay()
    torch.cuda.synchronize()
    return events_us(graph.replay) / calls


def graph_us(work, repeats=REPEATS):
    """The same, always replayed as a graph, to exclude launches from Python."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            work()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work()
    return eager_us(graph.replay, repeats)


def warm_up(work):
    """At least two calls, until the clock has left its idle state."""
    begin = time.monotonic()
    for _ in range(2):
        work()
    torch.cuda.synchronize()
    while time.monotonic() - begin < WARM_UP_S:
        work()
        torch.cuda.synchronize()


def eager_us(work, repeats=REPEATS):
    """The same for work that cannot be captured: single calls, after a warm-up."""
    warm_up(work)
    return events_us(work, repeats)


def sets(make, bytes_of_one, cache):
    """Inputs by make(): one set for `warm`, as many as exceed three times the L2 cache for `cold`."""
    if cache == "warm":
        return [make()]
    l2 = torch.cuda.get_device_properties(0).L2_cache_size
    count = min(64, max(2, int(3 * l2 / bytes_of_one) + 1))
    return [make() for _ in range(count)]


def random(*shape, dtype=torch.bfloat16, grad=False):
    return torch.randn(*shape, device="cuda", dtype=dtype, requires_grad=grad)
