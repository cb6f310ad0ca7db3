"""What the host needs to issue kernels: a chain of `ops` equal operators on small `width` x `width` matrices.
`host_us` is the time until all are issued, `device_us` until all are done, `launches` the kernels, copies and
fills among them. `pass`: no_grad, forward (recorded for autograd) or backward. Launched by Python, compiled, or
replayed as a graph."""
from gpu import design, timing
from gpu.framework import functional, torch

COLUMNS = ("op", "pass", "code", "launch", "width", "ops", "launches", "host_us", "device_us")
KEY = ("op", "pass", "code", "launch", "width", "ops")
SHAPE = ("op", "width", "ops")
WEIGHT = 3
HEAD = 16


def add(x, weight):
    return x + weight


def gelu(x, _):
    return functional.gelu(x)


def dropout(x, _):
    return functional.dropout(x, 0.1)


def cast(x, _):
    """There and back."""
    return x.float().bfloat16()


def view(x, _):
    """No kernel."""
    return x.view(-1, HEAD, x.shape[-1]).transpose(0, 1).transpose(0, 1).reshape(x.shape)


def transpose(x, _):
    return x.t().contiguous()


def layer_norm(x, weight):
    return functional.layer_norm(x, x.shape[-1:], weight[0], weight[0])


def rms_norm(x, weight):
    return functional.rms_norm(x, x.shape[-1:], weight[0])


def softmax(x, _):
    return functional.softmax(x, -1)


def matmul(x, weight):
    return x @ weight


def linear(x, weight):
    return functional.linear(x, weight, weight[0])


def matmul_gelu(x, weight):
    return functional.gelu(x @ weight)


def attention(x, _):
    heads = x.view(1, -1, HEAD, x.shape[-1]).transpose(1, 2)
    return functional.scaled_dot_product_attention(heads, heads, heads, is_causal=True).transpose(1, 2).reshape(x.shape)


def convolution(x, weight):
    return functional.conv2d(x.view(1, HEAD, -1, x.shape[-1]), weight[:HEAD, :HEAD, None, None]).view(x.shape)


def swiglu(x, _):
    gate, up = torch.cat((x, x), -1).chunk(2, -1)
    return functional.silu(gate) * up


OPS = {function.__name__: function for function in (add, gelu, dropout, cast, view, transpose, layer_norm, rms_norm,
                                                    softmax, matmul, linear, matmul_gelu, attention, convolution,
                                                    swiglu)}


def cases(name="issue"):
    for u in design.points(name, 3):
        op, width = design.choice(u[0], (*OPS, "adam_fused", "adam_foreach")), design.log_uniform(u[1], 32, 256, 16)
        case = {"op": op, "width": width, "ops": design.log_uniform(u[2], 4, 128)}
        if op not in OPS:
            yield {**case, "pass": "no_grad", "code": "eager", "launch": "python"}
            continue
        for step in ("no_grad", "forward", "backward"):
            yield {**case, "pass": step, "code": "eager", "launch": "python"}
        yield {**case, "pass": "no_grad", "code": "eager", "launch": "replay"}
        if op == "matmul_gelu":
            yield {**case, "pass": "no_grad", "code": "compiled", "launch": "python"}


def cost(case):
    return 1 << 20, 1e-5 * case["ops"]


def chain_of(case):
    """The operands, and the function that applies the operators to the first."""
    x, weight = (timing.random(case["width"], case["width"], grad=True) for _ in range(2))
    op = OPS[case["op"]]

    def work():
        y = x
        for _ in range(case["ops"]):
            y = op(y, weight)
        return y

    if case["code"] == "compiled":
        work = torch.compile(work, dynamic=False)
    return (x, weight), work


def update_of(case):
    parameters = [timing.random(case["width"], case["width"], grad=True) for _ in range(case["ops"])]
    for parameter in parameters:
        parameter.grad = torch.randn_like(parameter)
    is_fused = case["op"] == "adam_fused"
    return torch.optim.AdamW(parameters, fused=is_fused, foreach=not is_fused).step


def work_of(case):
    if case["op"] not in OPS:
        return update_of(case)
    operands, work = chain_of(case)
    if case["pass"] == "backward":
        y = work()
        dy = torch.randn_like(y)
        return lambda: torch.autograd.grad(y, operands, dy, retain_graph=True, allow_unused=True)
    if case["launch"] == "replay":
        return timing.capture(torch.no_grad()(work)).replay
    return torch.no_grad()(work) if case["pass"] == "no_grad" else work


def launches(case):
    """By capturing the same; not for updates, which cannot be captured, 0."""
    if case["op"] not in OPS:
        return 0
    operands, work = chain_of(case)

    def both():
        y = work()
        torch.autograd.grad(y, operands, y, allow_unused=True)

    forward = timing.launches_of(timing.capture(work, keep_graph=True))
    if case["pass"] != "backward":
        return forward
    return timing.launches_of(timing.capture(both, keep_graph=True)) - forward


def measure(case):
    torch.backends.cudnn.benchmark = False
    work = work_of(case)
    device_us = timing.eager_us(work)
    return {"launches": launches(case), "host_us": timing.host_us(work, 1), "device_us": device_us}
