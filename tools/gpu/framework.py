"""PyTorch, or None where only the design of the measurements is asked for."""
try:
    import torch
    from torch.nn import functional
except ImportError:
    torch = functional = None
