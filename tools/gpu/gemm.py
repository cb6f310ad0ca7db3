"""GEMMs m x n = (m x k)(k x n), with the operand layouts of torch.nn.Linear."""
import itertools

import torch

from gpu import timing

COLUMNS = ("dtype", "m", "n", "k", "time_us", "cache")
KEY = ("dtype", "m", "n", "k", "cache")
DTYPES = {"bf16": torch.bfloat16, "fp16": torch.float16, "fp32": torch.float32, "tf32": torch.float32}

K = 1024
# Language models: hidden sizes of GPT-2, Llama 7B, GPT-3, with 3 and 4 times as many outputs.
LAYERS = ((1600, 4800), (1600, 6400), (4096, 4096), (4096, 11008), (4096, 14336), (12288, 12288), (12288, 49152))


def cases(quick):
    shapes = []
    for m, (k, n) in itertools.product((1, 8, 64, 256, 1024, 4096, 8192), LAYERS):
        shapes += [("bf16", m, n, k, "warm")] + ([("bf16", m, n, k, "cold")] if m <= 1024 else [])
    for side in (8, 16, 32, 64, 96, 128, 192, 256, 384, 512, 768, 1000, K, 1536, 2 * K, 3 * K, 4 * K, 6 * K, 8 * K, 16 * K):
        shapes += [("bf16", side, side, side, "warm")] + ([("bf16", side, side, side, "cold")] if side <= 4 * K else [])
        if side <= 8 * K:
            shapes += [("fp16", side, side, side, "warm"), ("tf32", side, side, side, "warm")]
        if side <= 4 * K:
            shapes += [("fp32", side, side, side, "warm")]
    # Thin in each dimension; sizes that no tile divides.
    for long, thin in itertools.product((2 * K, 8 * K, 32 * K), (8, 64, 256)):
        for shape in ((long, thin, thin), (thin, long, thin), (thin, thin, long), (long, long, thin), (long, thin, long),
                      (thin, long, long)):
            shapes.append(("bf16", *shape, "warm"))
    for shape in ((1000, 1000, 1000), (2049, 2049, 2049), (4097, 4095, 4100), (1111, 2222, 3333), (133 * 128, 256, 4096),
                  (132 * 128, 256, 4096), (5000, 7000, 3000), (999, 8191, 1023)):
        shapes.append(("bf16", *shape, "warm"))
    # The grid on which DeepFlow was validated.
    grid = [4 * K * i for i in range(1, 9)]
    shapes += [("bf16", m, n, k, "warm") for m, n, k in itertools.product(grid, repeat=3)]
    shapes = list(dict.fromkeys(shapes))
    if quick:
        shapes = shapes[::6]
    return [dict(zip(KEY, shape)) for shape in shapes]


def measure(case):
    m, n, k = case["m"], case["n"], case["k"]
    dtype = DTYPES[case["dtype"]]
    torch.backends.cuda.matmul.allow_tf32 = case["dtype"] == "tf32"
    size = torch.tensor([], dtype=dtype).element_size() * (m * k + k * n + m * n)

    def make():
        a, b = timing.random(m, k, dtype=dtype), timing.random(n, k, dtype=dtype)
        return a, b, torch.empty(m, n, device="cuda", dtype=dtype)

    inputs = timing.sets(make, size, case["cache"])
    return {"time_us": timing.median_us([lambda a=a, b=b, c=c: torch.mm(a, b.t(), out=c) for a, b, c in inputs])}
