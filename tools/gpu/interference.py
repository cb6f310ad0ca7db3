"""A memory stream on a few SMs beside other kernels, as collectives run beside a training step: each alone, and together.
The stream is one kernel of `stream_blocks` resident thread blocks that copies (`copy`: one read, one write) or reduces
(`reduce`: two reads, one write)."""
import functools
import statistics

import torch
import triton
import triton.language as tl
from torch.nn import functional

from gpu import contention, timing

COLUMNS = ("work", "stream_blocks", "stream_kind", "stream_alone_GBps", "work_alone_us", "stream_alone_us",
           "work_together_us", "stream_together_us")
KEY = ("work", "stream_blocks", "stream_kind")
BUFFER = 1 << 28  # elements of 4 bytes: much larger than any cache
BLOCK = 8192
MOVED = {"copy": 2, "reduce": 3}  # in units of 4 bytes per element
HEAD_START = 50_000  # cycles by which the stream starts earlier, so that its blocks are resident when the work starts
QUEUEING = 4_000_000  # cycles for all launches


@triton.jit
def stream(x, y, out, tiles, buffer_tiles, REDUCE: tl.constexpr, SIZE: tl.constexpr):
    for tile in range(tl.program_id(0), tiles, tl.num_programs(0)):
        at = (tile % buffer_tiles) * SIZE + tl.arange(0, SIZE)
        value = tl.load(x + at)
        if REDUCE:
            value += tl.load(y + at)
        tl.store(out + at, value)


@functools.lru_cache(maxsize=1)
def buffers():
    return tuple(timing.random(BUFFER, dtype=torch.float32) for _ in range(3))


def streaming(blocks, kind, tiles):
    x, y, out = buffers()
    return lambda: stream[(blocks,)](x, y, out, tiles, BUFFER // BLOCK, REDUCE=kind == "reduce", SIZE=BLOCK, num_warps=32)


def gelus(count, size):
    x = timing.random(size // 2)
    return lambda: [functional.gelu(x) for _ in range(count)]


WORK = {"gemm8192 x8": lambda: contention.gemms(8, 8192), "gemm4096 x40": lambda: contention.gemms(40, 4096),
        "gemm2048 x200": lambda: contention.gemms(200, 2048), "gemm1024 x400": lambda: contention.gemms(400, 1024),
        "embedding 2M x128 x8": lambda: contention.lookups(8), "gelu 512MB x16": lambda: gelus(16, 512 << 20)}


def cases(quick):
    all_of_them = torch.cuda.get_device_properties(0).multi_processor_count
    blocks = (4, all_of_them) if quick else (1, 2, 4, 8, 16, 32, 64, all_of_them)
    works = ("gemm8192 x8", "gelu 512MB x16") if quick else WORK
    return [{"work": work, "stream_blocks": count, "stream_kind": kind} for work in works for count in blocks for kind in MOVED]


@functools.lru_cache(maxsize=1)
def captured(name):
    """The work as a graph, to exclude launches from Python, and its time."""
    work = WORK[name]()
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        work()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work()
    graph.inputs = work  # keeps its inputs alive
    return graph, timing.eager_us(graph.replay)


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
    graph, about = captured(case["work"])
    blocks, kind = case["stream_blocks"], case["stream_kind"]
    trial_tiles = 64 * blocks
    trial = timing.eager_us(streaming(blocks, kind, trial_tiles), 3)
    tiles = max(blocks, round(trial_tiles * 1.2 * about / trial))  # a little longer than the work
    side = streaming(blocks, kind, tiles)
    runs = [(both_us(graph.replay, nothing)[0], both_us(nothing, side)[1], *both_us(graph.replay, side))
            for _ in range(timing.REPEATS)]
    work_alone, alone, work_us, stream_us = (statistics.median(times) for times in zip(*runs))
    work_alone, work_us = work_alone - head_start_us(), work_us - head_start_us()
    return {"stream_alone_GBps": 1e-3 * MOVED[kind] * 4 * BLOCK * tiles / alone, "work_alone_us": work_alone,
            "stream_alone_us": alone, "work_together_us": work_us, "stream_together_us": stream_us}
