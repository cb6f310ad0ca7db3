"""Copies between pinned host memory and the device: h2d, d2h, and both at once (the size is per direction)."""
import functools

from gpu import design, timing
from gpu.framework import torch

COLUMNS = ("op", "kbytes", "time_us")
KEY = ("op", "kbytes")
WEIGHT = 4
LARGEST = 4 << 30
BANDWIDTH = 5e10


def cases(name="hostcopy"):
    for u in design.points(name, 2):
        yield {"op": design.choice(u[0], ("h2d", "d2h", "both")), "kbytes": design.log_uniform(u[1], 4, LARGEST >> 10)}


def cost(case):
    return 2 * case["kbytes"] * 1024, case["kbytes"] * 1024 / BANDWIDTH


@functools.lru_cache(maxsize=1)
def buffers():
    """Two on the host, which are slow to allocate, and two on the device."""
    host = [torch.empty(LARGEST, dtype=torch.uint8, pin_memory=True) for _ in range(2)]
    device = [torch.randint(255, (LARGEST,), dtype=torch.uint8, device="cuda") for _ in range(2)]
    host[0].copy_(device[0])
    return host + device


def measure(case):
    there, back, into, out = (buffer[:case["kbytes"] * 1024] for buffer in buffers())
    side = torch.cuda.Stream()

    def both():
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            back.copy_(out, non_blocking=True)
        into.copy_(there, non_blocking=True)
        torch.cuda.current_stream().wait_stream(side)

    work = {"h2d": lambda: into.copy_(there, non_blocking=True), "d2h": lambda: back.copy_(out, non_blocking=True),
            "both": both}[case["op"]]
    return {"time_us": timing.median_us([work])}
