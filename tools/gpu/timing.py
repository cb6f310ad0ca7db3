"""GPU timing: device events, medians, graph replay for short work."""
import ctypes
import statistics
import time

from gpu import nvml
from gpu.framework import torch

SHORT_US = 2000.0  # below this, many calls are replayed as one graph, to exclude launches
GRAPH_US = 3000.0  # target duration of a graph
REPEATS = 7
WARM_UP_S = 0.1
MAX_SETS = 1024
MAX_QUEUED = 500  # launches ahead of the GPU; the driver's queue has 1024
CYCLES_PER_S = 2e9

observed = {"clock_MHz": None}  # of the SMs, during the latest measurement


def events_us(work, repeats=REPEATS):
    """Median of `repeats` calls of work(), in microseconds."""
    times = []
    for repeat in range(repeats):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        work()
        end.record()
        if repeat == repeats - 1:
            observed["clock_MHz"] = nvml.clock_MHz()
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
    graph, calls = capture_many(variants, once)
    return events_us(graph.replay) / calls


def capture_many(variants, once_us):
    """A graph of several calls, about GRAPH_US long, and their number."""
    calls = max(len(variants), min(200, int(GRAPH_US / max(once_us, 2.0)) + 1))
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for call in range(calls):
            variants[call % len(variants)]()
    graph.replay()
    torch.cuda.synchronize()
    return graph, calls


def capture(work, **settings):
    """One call as a graph, after three calls for memory and libraries."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            work()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph(**settings)
    with torch.cuda.graph(graph):
        work()
    return graph


def graph_us(work, repeats=REPEATS):
    """The same, always replayed as a graph, to exclude launches from Python."""
    return eager_us(capture(work).replay, repeats)


def launches_of(graph):
    """Kernels, copies and fills of a graph that was captured with keep_graph=True."""
    count = ctypes.c_size_t()
    driver = ctypes.CDLL("libcuda.so.1")
    failed = driver.cuGraphGetNodes(ctypes.c_void_p(graph.raw_cuda_graph()), None, ctypes.byref(count))
    return None if failed else count.value


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


def queued_us(work, launches=10):
    """The same for work that cannot be captured and is short: the GPU waits until the calls are queued."""
    for _ in range(2):
        work()
    torch.cuda.synchronize()
    host_s = host_us(work, 1) * 1e-6
    once = events_us(work, 3)
    calls = 1 if once > SHORT_US else max(1, min(MAX_QUEUED // launches, int(GRAPH_US / once)))
    times = []
    for _ in range(5):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        torch.cuda._sleep(int(CYCLES_PER_S * min(0.05, 2.0 * host_s * calls + 1e-4)))
        begin.record()
        for _ in range(calls):
            work()
        end.record()
        observed["clock_MHz"] = nvml.clock_MHz()
        end.synchronize()
        times.append(1e3 * begin.elapsed_time(end) / calls)
    return statistics.median(times)


def host_us(work, calls, repeats=REPEATS):
    """Time until the host has issued one call; `calls` must fit in the driver's queue."""
    times = []
    for _ in range(repeats):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(calls):
            work()
        times.append(1e6 * (time.perf_counter() - begin) / calls)
    torch.cuda.synchronize()
    return statistics.median(times)


def loop_us(work):
    """One of several calls without a pause between them, launched by Python."""
    warm_up(work)
    count = max(2, min(20, int(0.15e6 / events_us(work, 1))))
    return events_us(lambda: [work() for _ in range(count)], 3) / count


def sets(make, bytes_of_one, cache):
    """Inputs by make(): one set for `warm`, as many as exceed three times the L2 cache for `cold`."""
    if cache == "warm":
        return [make()]
    l2 = torch.cuda.get_device_properties(0).L2_cache_size
    count = min(MAX_SETS, max(2, int(3 * l2 / bytes_of_one) + 1))
    return [make() for _ in range(count)]


def random(*shape, dtype=None, grad=False):
    """In bf16 by default."""
    return torch.randn(*shape, device="cuda", dtype=dtype or torch.bfloat16, requires_grad=grad)
