"""One update of Adam (AdamW): `elements` parameters in `tensors` equal tensors. `fused` is one kernel for all,
`foreach` one for each operation, `master` fused on fp32 copies whose gradients are fp32, then copied to the bf16
parameters."""
from gpu import design, timing
from gpu.framework import torch

COLUMNS = ("op", "dtype", "tensors", "elements", "time_us")
KEY = ("op", "dtype", "tensors", "elements")
WEIGHT = 2
MAX_TENSORS = 512
BYTES = {"bf16": 2, "fp32": 4}


def cases(name="optimizer"):
    for u in design.points(name, 4):
        op = design.choice(u[0], ("adam_fused", "adam_foreach", "adam_master"))
        tensors = design.log_uniform(u[1], 1, MAX_TENSORS)
        elements = tensors * design.log_uniform(u[2], 1 << 10, 1 << 28, 8)
        dtype = "fp32" if op == "adam_master" else design.choice(u[3], BYTES)
        case = {"op": op, "dtype": dtype, "tensors": tensors, "elements": elements}
        if design.is_affordable(cost(case)):
            yield case


def cost(case):
    size = 4 * BYTES[case["dtype"]] * case["elements"]
    moved = size * {"adam_fused": 1.75, "adam_foreach": 6, "adam_master": 2}[case["op"]]
    return size * (1.5 if case["op"] == "adam_foreach" else 1.125), moved / design.BANDWIDTH


def measure(case):
    dtype = torch.float32 if case["dtype"] == "fp32" else torch.bfloat16
    length = case["elements"] // case["tensors"]
    parameters = [timing.random(length, dtype=dtype, grad=True) for _ in range(case["tensors"])]
    for parameter in parameters:
        parameter.grad = torch.randn_like(parameter)
    is_foreach = case["op"] == "adam_foreach"
    adam = torch.optim.AdamW(parameters, lr=1e-6, fused=not is_foreach, foreach=is_foreach)
    copies = [parameter.detach().bfloat16() for parameter in parameters] if case["op"] == "adam_master" else []

    def work():
        adam.step()
        if copies:
            torch._foreach_copy_(copies, parameters)

    with torch.no_grad():
        return {"time_us": timing.queued_us(work, launches=min(400, 20 + 2 * case["tensors"]))}
