"""The seeded design: which points are measured, in which order, and which of them are held out.

Points are a scrambled Halton sequence, so that each prefix of a kind's cases is a fair sample of all of them. A
case that is estimated to need too much memory or time is left out beforehand; no choice depends on a measured
time."""
import hashlib
import math
import random

SEED = 25
PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
PRECISION = 2.0**-40

GIB = 1 << 30
MAX_BYTES = 8 * GIB
MAX_SECONDS = 0.05
MAX_COLD_BYTES = GIB // 2  # beyond it no cache matters
MIN_COLD_BYTES = 180 << 10  # below it 1024 sets of buffers do not exceed the L2 cache (timing.py)

# Rough rates of the largest GPU measured, for estimates only.
BANDWIDTH = 3e12
FLOPS = {"bf16": 5e14, "fp16": 5e14, "tf32": 2.5e14, "fp32": 4e13, "fp8": 8e14}

# Cases launched by Python are measured while nothing else runs on the host; those that are compiled, by a process of
# their own (run.py).
MAIN, QUIET, COMPILED = "main", "quiet", "compiled"


def points(name, dimensions):
    """Endless points of the unit cube, different for each name."""
    randomness = random.Random(f"{SEED} {name}")
    axes = [digits(base, randomness) for base in PRIMES[:dimensions]]
    index = 0
    while True:
        yield tuple(radical_inverse(index, base, shuffled) for base, shuffled in zip(PRIMES, axes))
        index += 1


def digits(base, randomness):
    """A permutation of the digits for each place."""
    return [randomness.sample(range(base), base) for _ in range(math.ceil(-math.log(PRECISION, base)))]


def radical_inverse(index, base, shuffled):
    value, place = 0.0, 1.0
    for permutation in shuffled:
        index, digit = divmod(index, base)
        place /= base
        value += place * permutation[digit]
    return value


def log_uniform(u, low, high, alignment=1):
    """Between `low` and `high`, a multiple of `alignment`."""
    value = low * (high / low)**u
    return max(alignment, alignment * round(value / alignment))


def choice(u, options):
    """One of the options, or of {option: weight}."""
    weights = options if isinstance(options, dict) else dict.fromkeys(options, 1)
    u *= sum(weights.values())
    for option, weight in weights.items():
        u -= weight
        if u < 0:
            return option
    return option


def cache(u, size):
    """`cold` for half of the cases where caches matter."""
    return "cold" if u < 0.5 and MIN_COLD_BYTES <= size <= MAX_COLD_BYTES else "warm"


def is_affordable(cost, seconds=MAX_SECONDS):
    """`cost`: estimated bytes in memory, and seconds."""
    return cost[0] <= MAX_BYTES and cost[1] <= seconds


def is_held_out(kind, shape):
    """A third of all shapes, whatever was measured."""
    text = " ".join([str(SEED), kind, *map(str, shape)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % 3 == 0


def phase(case):
    if case.get("code") == "compiled":
        return COMPILED
    return QUIET if case.get("launch") == "python" else MAIN
