"""A memory stream on a few SMs beside other kernels, as collectives run beside a training step: each alone, and
together. The stream is one kernel of `stream_blocks` resident thread blocks (memory_stream.py)."""
import functools
import re
import statistics

from gpu import contention, design, timing
from gpu.framework import functional, torch

COLUMNS = ("work", "stream_blocks", "stream_kind", "stream_alone_GBps", "work_alone_us", "stream_alone_us",
           "work_together_us", "stream_together_us")
KEY = ("work", "stream_blocks", "stream_kind")
WEIGHT = 10
SECONDS = 8e-3  # of work
HEAD_START = 50_000  # cycles by which the stream starts earlier, so that its blocks are resident when the work starts
QUEUEING = 4_000_000  # cycles for all launches
MEBI = 1 << 20


def cases(name="interference"):
    for u in design.points(name, 5):
        kind = design.choice(u[0], {"gemm": 5, "embedding": 1, "gelu": 2})
        if kind == "gemm":
            side = design.log_uniform(u[1], 512, 8192, 64)
            work = f"gemm{side} x{min(400, max(1, round(SECONDS * 6e14 / (2.0 * side**3))))}"
        elif kind == "embedding":
            rows, width = design.log_uniform(u[1], 1, 4), design.log_uniform(u[4], 32, 256, 32)
            work = f"embedding {rows}M x{width} x{max(1, round(SECONDS * 2e12 / (8.0 * rows * MEBI * width)))}"
        else:
            size = design.log_uniform(u[1], 16, 1024)
            work = f"gelu {size}MB x{min(400, max(1, round(SECONDS * 4e12 / (2.0 * size * MEBI))))}"
        yield {"work": work, "stream_blocks": design.log_uniform(u[2], 1, multiprocessors()),
               "stream_kind": design.choice(u[3], ("copy", "reduce"))}


def multiprocessors():
    has_gpu = torch is not None and torch.cuda.is_available()
    return torch.cuda.get_device_properties(0).multi_processor_count if has_gpu else 132


def cost(_):
    return design.MAX_BYTES, SECONDS


def gelus(count, size):
    x = timing.random(size // 2)
    return lambda: [functional.gelu(x) for _ in range(count)]


def work_of(text):
    kind, size, width, count = re.fullmatch(r"(gemm|embedding|gelu) ?(\d+)(?:MB|M x(\d+))? x(\d+)", text).groups()
    if kind == "gemm":
        return contention.gemms(int(count), int(size))
    if kind == "gelu":
        return gelus(int(count), int(size) * MEBI)
    return contention.lookups(int(count), int(size) * MEBI, int(width))


def nothing():
    pass


def both_us(work, side):
    """Times from the common start, with the stream slightly ahead of the work. After a pause, also for runs alone:
    otherwise the power limit would have lowered the clock."""
    torch.cuda.synchronize()
    begin, work_end, side_end = (torch.cuda.Event(enable_timing=True) for _ in range(3))
    main, other, third = torch.cuda.current_stream(), torch.cuda.Stream(), torch.cuda.Stream()
    torch.cuda._sleep(QUEUEING)
    begin.record()
    other.wait_stream(main)
    third.wait_stream(main)
    with torch.cuda.stream(other):
        side()
        side_end.record()
    with torch.cuda.stream(third):
        torch.cuda._sleep(HEAD_START)
        work()
        work_end.record()
    torch.cuda.synchronize()
    return 1e3 * begin.elapsed_time(work_end), 1e3 * begin.elapsed_time(side_end)


@functools.lru_cache(maxsize=1)
def head_start_us():
    return statistics.median(both_us(nothing, nothing)[0] for _ in range(timing.REPEATS))


def measure(case):
    from gpu.memory_stream import bytes_of, streaming
    work = work_of(case["work"])
    graph = timing.capture(work)
    about = timing.eager_us(graph.replay)
    blocks, kind = case["stream_blocks"], case["stream_kind"]
    trial_tiles = 64 * blocks
    trial = timing.eager_us(streaming(blocks, kind, trial_tiles), 3)
    tiles = max(blocks, round(trial_tiles * 1.2 * about / trial))  # a little longer than the work
    side = streaming(blocks, kind, tiles)
    runs = [(both_us(graph.replay, nothing)[0], both_us(nothing, side)[1], *both_us(graph.replay, side))
            for _ in range(timing.REPEATS)]
    work_alone, alone, work_us, stream_us = (statistics.median(times) for times in zip(*runs))
    work_alone, work_us = work_alone - head_start_us(), work_us - head_start_us()
    return {"stream_alone_GBps": 1e-3 * bytes_of(kind, tiles) / alone, "work_alone_us": work_alone,
            "stream_alone_us": alone, "work_together_us": work_us, "stream_together_us": stream_us}
