"""GPT and Llama, or the share of one tensor-parallel rank: fewer heads, a narrower MLP, a part of the vocabulary."""
import torch
from torch import nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint


class Block(nn.Module):
    """Attention, then an MLP, each with a preceding norm and a residual connection. GPT: layer norm, GELU, biases;
    Llama: RMS norm, rotary embedding, SwiGLU, no biases. Query, key and value are one product, as are gate and up."""

    def __init__(self, is_llama, hidden, heads, kv_heads, dim, inner):
        super().__init__()
        self.is_llama, self.heads, self.kv_heads, self.dim = is_llama, heads, kv_heads, dim
        norm = nn.RMSNorm if is_llama else nn.LayerNorm
        self.norm_1, self.norm_2 = norm(hidden), norm(hidden)
        self.qkv = nn.Linear(hidden, (heads + 2 * kv_heads) * dim, bias=not is_llama)
        self.out = nn.Linear(heads * dim, hidden, bias=not is_llama)
        self.up = nn.Linear(hidden, (2 if is_llama else 1) * inner, bias=not is_llama)
        self.down = nn.Linear(inner, hidden, bias=not is_llama)

    def forward(self, x, angles):
        x = x + self.attend(self.norm_1(x), angles)
        return x + self.down(self.activate(self.up(self.norm_2(x))))

    def attend(self, x, angles):
        batch, seq, _ = x.shape
        widths = [heads * self.dim for heads in (self.heads, self.kv_heads, self.kv_heads)]
        q, k, v = (part.view(batch, seq, -1, self.dim).transpose(1, 2) for part in self.qkv(x).split(widths, -1))
        if self.is_llama:
            q, k = rotated(q, *angles), rotated(k, *angles)
        y = functional.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=self.heads != self.kv_heads)
        return self.out(y.transpose(1, 2).reshape(batch, seq, -1))

    def activate(self, x):
        if not self.is_llama:
            return functional.gelu(x)
        gate, up = x.chunk(2, -1)
        return functional.silu(gate) * up


def rotated(x, cosine, sine):
    half = x.shape[-1] // 2
    return x * cosine + torch.cat((-x[..., half:], x[..., :half]), -1) * sine


class Transformer(nn.Module):
    """With its loss. `config`: as in training.csv; heads, inner and vocab are those of all `tp` ranks."""

    def __init__(self, is_llama, config):
        super().__init__()
        hidden, dim, seq, ranks = config["hidden"], config["dim"], config["seq"], config["tp"]
        self.is_llama, self.recomputes, self.fp32_loss = is_llama, "recompute" in config, "fp32_loss" in config
        self.words = nn.Embedding(config["vocab"] // ranks, hidden)
        self.places = None if is_llama else nn.Embedding(seq, hidden)
        self.blocks = nn.ModuleList(
            Block(is_llama, hidden, config["heads"] // ranks, max(1, config["kv_heads"] // ranks), dim,
                  config["inner"] // ranks) for _ in range(config["layers"]))
        self.norm = (nn.RMSNorm if is_llama else nn.LayerNorm)(hidden)
        self.head = nn.Linear(hidden, config["vocab"] // ranks, bias=False)
        steps = torch.arange(seq, dtype=torch.float32)[:, None]
        angles = torch.cat([steps * 1e4**(-torch.arange(0, dim, 2, dtype=torch.float32) / dim)] * 2, -1)
        self.register_buffer("cosine", angles.cos().bfloat16())
        self.register_buffer("sine", angles.sin().bfloat16())

    def compile_parts(self):
        """Each block, and the head with its loss: what does not depend on the number of blocks."""
        for block in self.blocks:
            block.compile(dynamic=False)
        self.loss = torch.compile(self.loss, dynamic=False)

    def forward(self, tokens, labels):
        y = self.words(tokens)
        if not self.is_llama:
            y = y + self.places.weight
        for block in self.blocks:
            if self.recomputes:
                y = checkpoint(block, y, (self.cosine, self.sine), use_reentrant=False, preserve_rng_state=False)
            else:
                y = block(y, (self.cosine, self.sine))
        return self.loss(y, labels)

    def loss(self, y, labels):
        logits = self.head(self.norm(y)).flatten(0, 1)
        return functional.cross_entropy(logits.float() if self.fp32_loss else logits, labels.flatten())
