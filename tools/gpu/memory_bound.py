"""Operators that move more than they compute. Rows are of 4096 elements where there are rows; `mbytes_in` is the size of
the first input, `mbytes_moved` what must be read and written at least."""
import torch
from torch.nn import functional

from gpu import timing

COLUMNS = ("op", "mbytes_in", "time_us", "mbytes_moved", "cache")
KEY = ("op", "mbytes_in", "cache")
ROW = 4096
MB = 1 << 20


def add(x):
    y, out = torch.randn_like(x), torch.empty_like(x)
    return lambda: torch.add(x, y, out=out), 3


def copy(x):
    out = torch.empty_like(x)
    return lambda: out.copy_(x), 2


def relu(x):
    return lambda: functional.relu(x), 2


def relu_in_place(x):
    return lambda: functional.relu_(x), 2


def gelu(x):
    return lambda: functional.gelu(x), 2


def fill(x):
    return lambda: x.zero_(), 1


def softmax(x):
    return lambda: functional.softmax(x, -1), 2


def layer_norm(x):
    weight, bias = timing.random(ROW), timing.random(ROW)
    return lambda: functional.layer_norm(x, (ROW,), weight, bias), 2


def transpose(x):
    return lambda: x.t().contiguous(), 2


def sum_rows(x):
    return lambda: x.sum(-1), 1


def sgd(x):
    gradient = torch.randn_like(x)
    return lambda: x.add_(gradient, alpha=-1e-6), 3


def pool(x):
    images = x.view(-1, 64, 64, 64).contiguous(memory_format=torch.channels_last)
    return lambda: functional.max_pool2d(images, 2), 1.25


def batch_norm(x):
    images = x.view(-1, 64, 64, 64).contiguous(memory_format=torch.channels_last)
    mean, variance = (torch.ones(64, device="cuda") for _ in range(2))
    weight, bias = (torch.ones(64, device="cuda") for _ in range(2))
    return lambda: functional.batch_norm(images, mean, variance, weight, bias, training=True), 3


def cross_entropy(x):
    logits = x.view(-1, ROW)
    labels = torch.randint(ROW, (logits.shape[0],), device="cuda")
    return lambda: functional.cross_entropy(logits, labels), 3


def embedding(x):
    """Rows of 512 elements out of a table of 128 Ki rows."""
    table = timing.random(128 * 1024, 512)
    rows = torch.randint(table.shape[0], (x.numel() // 512,), device="cuda")
    return lambda: functional.embedding(rows, table), 2


OPS = {function.__name__: function for function in (add, copy, relu, relu_in_place, gelu, fill, softmax, layer_norm,
                                                    transpose, sum_rows, sgd, pool, batch_norm, cross_entropy,
                                                    embedding)}


def cases(quick):
    sizes = (1, 16, 256) if quick else (0.125, 0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048)
    rows = []
    for op in OPS:
        for size in sizes:
            rows.append({"op": op, "mbytes_in": size, "cache": "warm"})
            if size <= 64 and op in ("add", "copy", "relu", "softmax", "layer_norm"):
                rows.append({"op": op, "mbytes_in": size, "cache": "cold"})
    if not quick:
        rows = [row for row in rows if row["mbytes_in"] >= 0.5 or row["op"] not in ("pool", "batch_norm")]
    return rows


def measure(case):
    elements = int(case["mbytes_in"] * MB) // 2
    made = timing.sets(lambda: OPS[case["op"]](timing.random(elements // ROW, ROW)), 2 * elements, case["cache"])
    return {"time_us": timing.median_us([work for work, _ in made]), "mbytes_moved": case["mbytes_in"] * made[0][1]}
