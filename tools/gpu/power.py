"""Power, clock and energy over long replays of one case of another kind, and of nothing (`idle`). Power is that of the
energy counter between two of its updates."""
import itertools
import statistics
import time

from gpu import attention, conv, design, gemm, grouped, memory_bound, nvml, rows, timing, training
from gpu.framework import torch

COLUMNS = ("kind", "case", "time_us", "power_W", "memory_clock_MHz", "temperature_C")
KEY = ("kind", "case")
WEIGHT = 20
SECONDS = 1.2
SETTLE_S = 0.3
QUEUED_US = 4e4
EVERY_S = 0.015  # a sample takes several milliseconds
LEAST_S = 3e-5  # shorter kernels are mostly launches
MEASURED = {"gemm": gemm, "memory_bound": memory_bound, "rows": rows, "attention": attention, "conv": conv,
            "grouped": grouped, "training": training}
ORDER = ("gemm", "memory_bound", "gemm", "rows", "training", "attention", "gemm", "conv", "training", "grouped")


def cases(name="power"):
    yield {"kind": "idle", "case": "none", "of": {}}
    streams = {kind: chosen(module, f"{name} {kind}") for kind, module in MEASURED.items()}
    for kind in itertools.cycle(ORDER):
        of = next(streams[kind])
        yield {"kind": kind, "case": " ".join(f"{key}={value}" for key, value in of.items()), "of": of}


def chosen(module, name):
    """Cases that are replayed as graphs of eager code, without the shortest."""
    return (case for case in module.cases(name)
            if design.phase(case) == design.MAIN and module.cost(case)[1] >= LEAST_S)


def cost(case):
    return (MEASURED[case["kind"]].cost(case["of"])[0] if case["of"] else 0), SECONDS


def measure(case):
    module = MEASURED.get(case["kind"])
    if module is None:
        return sampled(lambda: time.sleep(5e-3), 1)
    if module is training:
        _, work = training.step_of(case["of"])
        return sampled(timing.capture(work).replay, 1)
    torch.backends.cuda.matmul.allow_tf32 = case["of"].get("dtype") == "tf32"
    works = module.works(case["of"])
    for work in works[:2]:
        work()
    graph, calls = timing.capture_many(works, timing.events_us(works[0], 3))
    return sampled(graph.replay, calls)


def sampled(replay, calls):
    """Enough replays are queued that the GPU never waits."""
    queued = max(2, min(64, int(QUEUED_US / timing.events_us(replay, 3))))
    samples, ends = [], []
    begin = time.monotonic()
    due = begin + SETTLE_S
    while time.monotonic() < begin + SETTLE_S + SECONDS:
        replay()
        ends.append(torch.cuda.Event(enable_timing=True))
        ends[-1].record()
        while True:
            if time.monotonic() > due:
                samples.append((time.monotonic(), nvml.energy_J(), nvml.clock_MHz()))
                due = time.monotonic() + EVERY_S
            if len(ends) <= queued or ends[-1 - queued].query():
                break
            time.sleep(5e-4)
    ends[-1].synchronize()
    half = len(ends) // 2
    return {"time_us": 1e3 * ends[half].elapsed_time(ends[-1]) / max(1, len(ends) - 1 - half) / calls,
            "power_W": power_of(samples),
            "clock_MHz": statistics.mean(clock for _, _, clock in samples), "memory_clock_MHz": nvml.memory_clock_MHz(),
            "temperature_C": nvml.temperature_C()}


def power_of(samples):
    updates = [after for before, after in zip(samples, samples[1:]) if after[1] != before[1]]
    if len(updates) < 2:
        raise RuntimeError("no energy counter")
    (begin, least, _), (end, most, _) = updates[0], updates[-1]
    return (most - least) / (end - begin)
