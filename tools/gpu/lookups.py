"""Rows of bf16 by index: embeddings, and what experts do with their tokens. Indices are random."""
from gpu import design, timing
from gpu.framework import functional, torch


def indices(count, below):
    return torch.randint(below, (count,), device="cuda")


def embedding(width, rows, table_rows):
    table, at = timing.random(table_rows, width), indices(rows, table_rows)
    return lambda: functional.embedding(at, table)


def embedding_backward(width, rows, table_rows):
    """The dense gradient of the table: cleared, and added to."""
    dy, at = timing.random(rows, width), indices(rows, table_rows)
    return lambda: torch.ops.aten.embedding_dense_backward(dy, at, table_rows, -1, False)


def permute_rows(width, rows, _):
    """The tokens in the order of their experts; the table is the operand."""
    x, at = timing.random(rows, width), torch.randperm(rows, device="cuda")
    return lambda: x.index_select(0, at)


def scatter_add(width, rows, table_rows):
    """The experts' results added to their tokens."""
    x, at = timing.random(rows, width), indices(rows, table_rows)
    out = timing.random(table_rows, width)
    return lambda: out.index_add_(0, at, x)


OPS = {function.__name__: function for function in (embedding, embedding_backward, permute_rows, scatter_add)}
BYTES = dict.fromkeys(OPS, 4)


def table_rows(op, u, rows):
    if op == "permute_rows":
        return rows
    if op == "scatter_add":
        return max(1, rows // design.choice(u, (1, 2, 4, 8)))
    return design.log_uniform(u, 128, 64 << 20)
