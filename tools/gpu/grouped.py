"""GEMMs of experts in one kernel, bf16: `experts` products whose sizes differ in one length, which is the number
of tokens of each: m for `nt` (forward) and `nn` (data gradient), k for `tn` (weight gradient). That column has the
sum. Expert i has a share of the tokens in proportion to (i + 1)^-skew (0: even), in multiples of 16."""
from gpu import design, timing
from gpu.framework import torch

COLUMNS = ("dtype", "layout", "experts", "m", "n", "k", "skew", "time_us", "cache")
KEY = ("dtype", "layout", "experts", "m", "n", "k", "skew", "cache")
WEIGHT = 3
UNIT = 16  # tokens


def cases(name="grouped"):
    for u in design.points(name, 7):
        layout = design.choice(u[0], ("nt", "nn", "tn"))
        experts = design.log_uniform(u[1], 2, 256)
        tokens = design.log_uniform(u[2], 256, 1 << 18, UNIT)
        a, b = (design.log_uniform(u[i], 128, 16384, 16) for i in (3, 4))
        m, n, k = (a, b, tokens) if layout == "tn" else (tokens, a, b)
        skew = 0.0 if u[5] < 0.5 else round(3.0 * (u[5] - 0.5), 2)
        case = {"dtype": "bf16", "layout": layout, "experts": experts, "m": m, "n": n, "k": k, "skew": skew}
        case["cache"] = design.cache(u[6], cost(case)[0])
        if design.is_affordable(cost(case)):
            yield case


def cost(case):
    experts, m, n, k = (case[name] for name in ("experts", "m", "n", "k"))
    per_expert = m * n if case["layout"] == "tn" else n * k
    size = 2 * (m * n + n * k + k * m + (experts - 1) * per_expert)
    return size, 2.0 * m * n * k / design.FLOPS["bf16"] + size / design.BANDWIDTH


def ends(tokens, experts, skew):
    """The last token of each expert, plus one."""
    shares = [(expert + 1.0)**-skew for expert in range(experts)]
    return [UNIT * round(tokens / UNIT * sum(shares[:expert + 1]) / sum(shares)) for expert in range(experts)]


def works(case):
    experts, m, n, k = (case[name] for name in ("experts", "m", "n", "k"))
    tokens = k if case["layout"] == "tn" else m
    offsets = torch.tensor(ends(tokens, experts, case["skew"]), device="cuda", dtype=torch.int32)

    def make():
        if case["layout"] == "tn":
            a, b = timing.random(k, m).t(), timing.random(k, n)
        else:
            a = timing.random(m, k)
            b = timing.random(experts, n, k).mT if case["layout"] == "nt" else timing.random(experts, k, n)
        return lambda: torch._grouped_mm(a, b, offs=offsets)

    return timing.sets(make, cost(case)[0], case["cache"])


def measure(case):
    return {"time_us": timing.median_us(works(case))}
