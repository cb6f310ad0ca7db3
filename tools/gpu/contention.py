"""Two concurrent streams: `work` and `side` alone, and together from the common start until both end."""
import torch
from torch.nn import functional

from gpu import timing

COLUMNS = ("pair", "work_us", "side_us", "together_us")
KEY = ("pair",)
GB = 1 << 30


def gemms(count=20, side=8192):
    a, b = timing.random(side, side), timing.random(side, side)
    out = torch.empty_like(a)
    return lambda: [torch.mm(a, b, out=out) for _ in range(count)]


def lookups(count=10):
    """2 Mi rows of 128 fp32 in a table of 10 M."""
    table = timing.random(10_000_000, 128, dtype=torch.float32)
    rows = torch.randint(table.shape[0], (2 << 20,), device="cuda")
    return lambda: [functional.embedding(rows, table) for _ in range(count)]


def adds(count=4, size=2 * GB):
    x, y = timing.random(size // 2), timing.random(size // 2)
    out = torch.empty_like(x)
    return lambda: [torch.add(x, y, out=out) for _ in range(count)]


def to_device(size=GB):
    host, device = torch.randint(255, (size,), dtype=torch.uint8).pin_memory(), torch.empty(size, dtype=torch.uint8,
                                                                                           device="cuda")
    return lambda: device.copy_(host, non_blocking=True)


def to_host(size=GB):
    device = torch.randint(255, (size,), dtype=torch.uint8, device="cuda")
    host = torch.empty(size, dtype=torch.uint8).pin_memory()
    return lambda: host.copy_(device, non_blocking=True)


WORK = {"gemm8192x20": gemms, "gemm4096x160": lambda: gemms(160, 4096), "emb x10": lookups, "add2GBx4": adds}
SIDE = {"h2d1GB": to_device, "d2h1GB": to_host, "add2GBx4": adds, "emb x10": lookups}


def cases(quick):
    pairs = [f"{work}|{side}" for work in WORK for side in SIDE if work != side]
    return [{"pair": pair} for pair in (("gemm8192x20|h2d1GB", "emb x10|d2h1GB", "gemm8192x20|add2GBx4") if quick else pairs)]


def measure(case):
    work_name, side_name = case["pair"].split("|")
    work, side = WORK[work_name](), SIDE[side_name]()
    stream = torch.cuda.Stream()

    def together():
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            side()
        work()
        torch.cuda.current_stream().wait_stream(stream)

    return {"work_us": timing.eager_us(work), "side_us": timing.eager_us(side), "together_us": timing.eager_us(together)}
