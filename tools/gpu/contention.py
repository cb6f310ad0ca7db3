"""Two concurrent streams: `work` and `side` alone, and together from the common start until both end."""
import re

from gpu import design, timing
from gpu.framework import functional, torch

COLUMNS = ("pair", "work_us", "side_us", "together_us")
KEY = ("pair",)
WEIGHT = 6
GB = 1 << 30


def gemms(count, side):
    a, b = timing.random(side, side), timing.random(side, side)
    out = torch.empty_like(a)
    return lambda: [torch.mm(a, b, out=out) for _ in range(count)]


def lookups(count, rows=2 << 20, width=128):
    """Rows of fp32 in a table of 10 M."""
    table = timing.random(10_000_000, width, dtype=torch.float32)
    at = torch.randint(table.shape[0], (rows,), device="cuda")
    return lambda: [functional.embedding(at, table) for _ in range(count)]


def adds(count, size):
    x, y = timing.random(size // 2), timing.random(size // 2)
    out = torch.empty_like(x)
    return lambda: [torch.add(x, y, out=out) for _ in range(count)]


def to_device(size):
    host = torch.empty(size, dtype=torch.uint8, pin_memory=True)
    device = torch.empty(size, dtype=torch.uint8, device="cuda")
    return lambda: device.copy_(host, non_blocking=True)


def to_host(size):
    device = torch.randint(255, (size,), dtype=torch.uint8, device="cuda")
    host = torch.empty(size, dtype=torch.uint8, pin_memory=True)
    return lambda: host.copy_(device, non_blocking=True)


def cases(name="contention"):
    for u in design.points(name, 6):
        kinds = ("gemm", "add", "emb")
        work = stream(design.choice(u[0], kinds), u[1], u[2])
        side = stream(design.choice(u[3], kinds + ("h2d", "d2h", "h2d", "d2h")), u[4], u[5])
        yield {"pair": f"{work}|{side}"}


def stream(kind, size, length):
    """5 to 40 ms long."""
    seconds = 5e-3 * 8**length
    if kind == "gemm":
        side = design.log_uniform(size, 1024, 8192, 64)
        return f"gemm{side}x{max(1, round(seconds * 6e14 / (2.0 * side**3)))}"
    if kind == "add":
        count = design.log_uniform(size, 1, 2)
        return f"add{count}GBx{max(1, round(seconds * 4e12 / (3 * count * GB)))}"
    if kind == "emb":
        return f"emb x{max(1, round(seconds / 6e-4))}"
    return f"{kind}{max(1, round(seconds * 5e10 / GB))}GB"


def work_of(text):
    kind, size, count = re.fullmatch(r"(gemm|add|emb|h2d|d2h) ?(\d*)(?:GB)?(?:x(\d+))?", text).groups()
    makers = {"gemm": lambda: gemms(int(count), int(size)), "add": lambda: adds(int(count), int(size) * GB),
              "emb": lambda: lookups(int(count)), "h2d": lambda: to_device(int(size) * GB),
              "d2h": lambda: to_host(int(size) * GB)}
    return makers[kind]()


def cost(_):
    return design.MAX_BYTES, 0.08


def measure(case):
    work, side = (work_of(text) for text in case["pair"].split("|"))
    other = torch.cuda.Stream()

    def together():
        other.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(other):
            side()
        work()
        torch.cuda.current_stream().wait_stream(other)

    return {"work_us": timing.eager_us(work), "side_us": timing.eager_us(side),
            "together_us": timing.eager_us(together)}
