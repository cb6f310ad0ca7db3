// The part of the time that is seen, between 0 and `length`.

export function timeWindow(length) {
  const least = length * 1e-9;
  const seen = {from: 0, to: length};

  function show(from, to) {
    const size = Math.min(Math.max(to - from, least), length);
    const begin = Math.min(Math.max(from, 0), length - size);
    seen.from = begin;
    seen.to = begin + size;
  }

  return {
    seen,
    length,
    show,
    whole: () => show(0, length),
    /** Around `at`, which stays where it is. */
    zoom: (factor, at = (seen.from + seen.to) / 2) =>
      show(at - (at - seen.from) / factor, at + (seen.to - at) / factor),
    /** By a part of what is seen. */
    pan: (part) => {
      const by = part * (seen.to - seen.from);
      show(seen.from + by, seen.to + by);
    },
    isWhole: () => seen.to - seen.from >= length * 0.999999,
  };
}
