"""Memory-bound operators on bf16 whose time depends on their size only. Rows have 4096 elements; `mbytes_in` is
the size of the first input, `mbytes_moved` the minimum memory traffic. Casts are named by their result; from bf16,
to_bf16 from fp32."""
from gpu import design, timing
from gpu.framework import functional, torch

COLUMNS = ("op", "mbytes_in", "time_us", "mbytes_moved", "cache")
KEY = ("op", "mbytes_in", "cache")
SHAPE = ("op", "mbytes_in")
WEIGHT = 4
ROW = 4096
MB = 1 << 20
ROWS_PER_MB = MB // 2 // ROW


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


def transpose(x):
    return lambda: x.t().contiguous(), 2


def sgd(x):
    gradient = torch.randn_like(x)
    return lambda: x.add_(gradient, alpha=-1e-6), 3


def to_fp32(x):
    return lambda: x.float(), 3


def to_bf16(x):
    """The first input has four bytes per element."""
    wide = x.float()[:len(x) // 2]
    return lambda: wide.bfloat16(), 1.5


def to_fp8(x):
    return lambda: x.to(torch.float8_e4m3fn), 1.5


def add_to_fp32(x):
    """Gradients accumulated in fp32."""
    total = x.float()
    return lambda: total.add_(x), 5


def maps(x):
    return x.view(-1, 64, 64, 64).contiguous(memory_format=torch.channels_last)


# Backward operators by name, since a graph cannot capture autograd's choice of streams.
def relu_backward(x):
    y, dy = functional.relu(x), torch.randn_like(x)
    return lambda: torch.ops.aten.threshold_backward(dy, y, 0), 3


def pool(x):
    images = maps(x)
    return lambda: functional.max_pool2d(images, 2), 1.25


def pool3(x):
    images = maps(x)
    return lambda: functional.max_pool2d(images, 3, 2, 1), 1.25


def backward_of_pool(x, *window):
    """Indices have eight bytes."""
    images = maps(x)
    y, indices = torch.ops.aten.max_pool2d_with_indices(images, *window)
    dy = torch.randn_like(y)
    backward = torch.ops.aten.max_pool2d_with_indices_backward
    return lambda: backward(dy, images, *window, [1, 1], False, indices), 2.25


def pool_backward(x):
    return backward_of_pool(x, [2, 2], [2, 2], [0, 0])


def pool3_backward(x):
    return backward_of_pool(x, [3, 3], [2, 2], [1, 1])


def batch_norm(x):
    images = maps(x)
    mean, variance, weight, bias = (torch.ones(64, device="cuda") for _ in range(4))
    return lambda: functional.batch_norm(images, mean, variance, weight, bias, training=True), 3


def batch_norm_backward(x):
    images = maps(x)
    dy = torch.randn_like(images)
    weight, bias, mean, variance = (torch.ones(64, device="cuda") for _ in range(4))
    _, *saved = torch.ops.aten.native_batch_norm(images, weight, bias, mean, variance, True, 0.1, 1e-5)
    backward = torch.ops.aten.native_batch_norm_backward
    return lambda: backward(dy, images, weight, mean, variance, *saved, True, 1e-5, [True] * 3), 5


OF_MAPS = {function.__name__: function for function in (pool, pool3, pool_backward, pool3_backward, batch_norm,
                                                        batch_norm_backward)}
OPS = {function.__name__: function for function in (add, copy, relu, relu_in_place, gelu, fill, transpose, sgd, to_fp32,
                                                    to_bf16, to_fp8, add_to_fp32, relu_backward)}
OPS.update(OF_MAPS)


def cases(name="memory_bound"):
    for u in design.points(name, 3):
        op = design.choice(u[0], OPS.keys())
        unit = 64 if op in OF_MAPS else 2
        case = {"op": op, "mbytes_in": design.log_uniform(u[1], unit, 2048 * ROWS_PER_MB, unit) / ROWS_PER_MB}
        case["cache"] = design.cache(u[2], cost(case)[0])
        if design.is_affordable(cost(case)):
            yield case


def cost(case):
    size = 3 * case["mbytes_in"] * MB
    return size, 2 * size / design.BANDWIDTH


def works(case):
    return [work for work, _ in made(case)]


def made(case):
    rows = round(case["mbytes_in"] * ROWS_PER_MB)
    return timing.sets(lambda: OPS[case["op"]](timing.random(rows, ROW)), cost(case)[0], case["cache"])


def measure(case):
    variants = made(case)
    return {"time_us": timing.median_us([work for work, _ in variants]),
            "mbytes_moved": case["mbytes_in"] * variants[0][1]}
