"""Memory-bound operators. Rows have 4096 elements; `mbytes_in` is the size of the first input, `mbytes_moved` the
minimum memory traffic."""
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


def maps(x):
    return x.view(-1, 64, 64, 64).contiguous(memory_format=torch.channels_last)


# Backward operators by name, since a graph cannot capture autograd's choice of streams.
aten = torch.ops.aten


def relu_backward(x):
    y, dy = functional.relu(x), torch.randn_like(x)
    return lambda: aten.threshold_backward(dy, y, 0), 3


def layer_norm_backward(x):
    weight, bias, dy = timing.random(ROW), timing.random(ROW), torch.randn_like(x)
    _, mean, deviation = aten.native_layer_norm(x, [ROW], weight, bias, 1e-5)
    return lambda: aten.native_layer_norm_backward(dy, x, [ROW], mean, deviation, weight, bias, [True] * 3), 5


def pool(x):
    images = maps(x)
    return lambda: functional.max_pool2d(images, 2), 1.25


def pool3(x):
    images = maps(x)
    return lambda: functional.max_pool2d(images, 3, 2, 1), 1.25


def backward_of_pool(x, *window):
    """Indices have eight bytes."""
    images = maps(x)
    y, indices = aten.max_pool2d_with_indices(images, *window)
    dy = torch.randn_like(y)
    return lambda: aten.max_pool2d_with_indices_backward(dy, images, *window, [1, 1], False, indices), 2.25


def pool_backward(x):
    return backward_of_pool(x, [2, 2], [2, 2], [0, 0])


def pool3_backward(x):
    return backward_of_pool(x, [3, 3], [2, 2], [1, 1])


def batch_norm(x):
    images = maps(x)
    mean, variance = (torch.ones(64, device="cuda") for _ in range(2))
    weight, bias = (torch.ones(64, device="cuda") for _ in range(2))
    return lambda: functional.batch_norm(images, mean, variance, weight, bias, training=True), 3


def batch_norm_backward(x):
    images = maps(x)
    dy = torch.randn_like(images)
    weight, bias, mean, variance = (torch.ones(64, device="cuda") for _ in range(4))
    _, *saved = aten.native_batch_norm(images, weight, bias, mean, variance, True, 0.1, 1e-5)
    return lambda: aten.native_batch_norm_backward(dy, images, weight, mean, variance, *saved, True, 1e-5, [True] * 3), 5


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
                                                    embedding, relu_backward, layer_norm_backward, pool3,
                                                    pool_backward, pool3_backward, batch_norm_backward)}
OF_MAPS = ("pool", "pool3", "batch_norm", "pool_backward", "pool3_backward", "batch_norm_backward")


def cases(quick):
    sizes = (1, 16, 256) if quick else (0.125, 0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048)
    rows = []
    for op in OPS:
        for size in sizes:
            rows.append({"op": op, "mbytes_in": size, "cache": "warm"})
            if size <= 64 and op in ("add", "copy", "relu", "softmax", "layer_norm"):
                rows.append({"op": op, "mbytes_in": size, "cache": "cold"})
    if not quick:
        rows = [row for row in rows if row["mbytes_in"] >= 0.5 or row["op"] not in OF_MAPS]
    return rows


def measure(case):
    elements = int(case["mbytes_in"] * MB) // 2
    made = timing.sets(lambda: OPS[case["op"]](timing.random(elements // ROW, ROW)), 2 * elements, case["cache"])
    return {"time_us": timing.median_us([work for work, _ in made]), "mbytes_moved": case["mbytes_in"] * made[0][1]}
