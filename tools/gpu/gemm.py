"""GEMMs m x n = (m x k)(k x n), `batch` of them. `layout`: how the operands are stored, row by row: `nt` (m x k)
(n x k)^T, as the forward pass of torch.nn.Linear, `nn` as its data gradient, `tn` (k x m)^T (k x n) as its weight
gradient. fp8 has one layout, and accumulates in fp32 or, with `fast_accumulation`, in fewer bits."""
from gpu import design, timing
from gpu.framework import torch

COLUMNS = ("dtype", "m", "n", "k", "layout", "batch", "fast_accumulation", "time_us", "cache")
KEY = ("dtype", "m", "n", "k", "layout", "batch", "fast_accumulation", "cache")
WEIGHT = 10
BYTES = {"bf16": 2, "fp16": 2, "tf32": 4, "fp32": 4, "fp8": 1}
TORCH = {"bf16": "bfloat16", "fp16": "float16", "tf32": "float32", "fp32": "float32"}
DTYPES = {"bf16": 38, "fp16": 17, "tf32": 19, "fp32": 10, "fp8": 16}
ALIGNMENTS = {1: 12, 2: 6, 4: 6, 8: 18, 16: 14, 32: 14, 64: 30}


def cases(name="gemm"):
    for u in design.points(name, 10):
        dtype = design.choice(u[0], DTYPES)
        is_fp8 = dtype == "fp8"
        # A quarter over all sizes; the rest without the smallest, which are all latency.
        low = 1 if u[1] < 0.25 else 64
        rows, others = (design.choice(u[i], ALIGNMENTS) for i in (2, 3))
        m, n, k = (design.log_uniform(u[4 + i], low, 65536, max(16 if is_fp8 and i else 1, alignment))
                   for i, alignment in enumerate((rows, others, others)))
        batch = 1 if is_fp8 or u[7] < 0.8 else design.log_uniform(5.0 * (u[7] - 0.8), 2, 512)
        layout = "nt" if is_fp8 else design.choice(u[8], ("nt", "nn", "tn"))
        case = {"dtype": dtype, "m": m, "n": n, "k": k, "layout": layout, "batch": batch,
                "fast_accumulation": int(is_fp8 and u[8] < 0.5)}
        case["cache"] = design.cache(u[9], cost(case)[0])
        if design.is_affordable(cost(case)):
            yield case


def cost(case):
    dtype, batch, m, n, k = (case[name] for name in ("dtype", "batch", "m", "n", "k"))
    size = batch * (BYTES[dtype] * (m * k + k * n) + max(2, BYTES[dtype]) * m * n)
    slowdown = 3.0 if min(length & -length for length in (n, k)) * BYTES[dtype] < 16 else 1.0
    return size, 2.0 * batch * m * n * k / design.FLOPS[dtype] * slowdown + size / design.BANDWIDTH


def works(case):
    make = scaled if case["dtype"] == "fp8" else plain
    return timing.sets(lambda: make(case), cost(case)[0], case["cache"])


def plain(case):
    dtype = getattr(torch, TORCH[case["dtype"]])
    m, n, k = case["m"], case["n"], case["k"]
    batch = (case["batch"],) if case["batch"] > 1 else ()

    def operand(rows, columns, is_transposed):
        if is_transposed:
            return timing.random(*batch, columns, rows, dtype=dtype).mT
        return timing.random(*batch, rows, columns, dtype=dtype)

    a, b = operand(m, k, case["layout"] == "tn"), operand(k, n, case["layout"] == "nt")
    out = torch.empty(*batch, m, n, device="cuda", dtype=dtype)
    return (lambda: torch.bmm(a, b, out=out)) if batch else (lambda: torch.mm(a, b, out=out))


def scaled(case):
    a = timing.random(case["m"], case["k"]).to(torch.float8_e4m3fn)
    b = timing.random(case["n"], case["k"]).to(torch.float8_e4m3fn).t()
    scale = torch.ones((), device="cuda")
    return lambda: torch._scaled_mm(a, b, scale_a=scale, scale_b=scale, out_dtype=torch.bfloat16,
                                    use_fast_accum=bool(case["fast_accumulation"]))


def measure(case):
    torch.backends.cuda.matmul.allow_tf32 = case["dtype"] == "tf32"
    return {"time_us": timing.median_us(works(case))}
