"""Cross entropy over the vocabulary, in bf16 or on fp32 copies of the logits."""
from gpu import timing
from gpu.framework import functional, torch


def logits_and_labels(width, rows):
    return timing.random(rows, width), torch.randint(width, (rows,), device="cuda")


def cross_entropy(width, rows, _):
    x, labels = logits_and_labels(width, rows)
    return lambda: functional.cross_entropy(x, labels)


def cross_entropy_fp32(width, rows, _):
    x, labels = logits_and_labels(width, rows)
    return lambda: functional.cross_entropy(x.float(), labels)


def backward(x, labels, then):
    """By operators, since a graph cannot capture autograd's choice of streams."""
    y = functional.log_softmax(x, -1)
    one = torch.ones((), device="cuda", dtype=y.dtype)
    weight = len(labels) * one

    def work():
        dy = torch.ops.aten.nll_loss_backward(one, y, labels, None, 1, -100, weight)
        return then(torch.ops.aten._log_softmax_backward_data(dy, y, -1, y.dtype))

    return work


def cross_entropy_backward(width, rows, _):
    return backward(*logits_and_labels(width, rows), lambda dx: dx)


def cross_entropy_fp32_backward(width, rows, _):
    x, labels = logits_and_labels(width, rows)
    return backward(x.float(), labels, lambda dx: dx.bfloat16())


OPS = {function.__name__: function for function in (cross_entropy, cross_entropy_fp32, cross_entropy_backward,
                                                    cross_entropy_fp32_backward)}
BYTES = {"cross_entropy": 4, "cross_entropy_fp32": 10, "cross_entropy_backward": 8, "cross_entropy_fp32_backward": 16}
