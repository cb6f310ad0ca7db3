// Names that stay apart: equal ones are numbered, long ones shortened where they do not differ.

/** "x", "x (2)", "x (3)": as rows of a timeline are numbered. */
export function numbered(names) {
  const seen = new Map();
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

/** `tail` is the part of what is kept that stands at the end. */
function withoutMiddle(name, letters, tail) {
  if (name.length <= letters) return name;
  const end = Math.round((letters - 1) * tail);
  return `${name.slice(0, letters - 1 - end)}…${name.slice(name.length - end)}`;
}

/** How far all of them begin with the same letters, at most `limit`. */
function commonStart(names, limit) {
  let at = 0;
  while (at < limit && names.every((name) => name[at] === names[0][at])) ++at;
  return at;
}

/** The part in which they differ, and what is around it. */
function aroundDifference(name, others, letters) {
  if (name.length <= letters) return name;
  const from = Math.max(0, commonStart(others, Math.min(...others.map((other) => other.length))) - 2);
  const room = letters - 2;
  if (from === 0) return `${name.slice(0, letters - 1)}…`;
  return from + room >= name.length
    ? `…${name.slice(1 - letters)}`
    : `…${name.slice(from, from + room)}…`;
}

const WAYS = [
  (name, _, letters) => withoutMiddle(name, letters, 0.6),
  (name, _, letters) => withoutMiddle(name, letters, 0.85),
  (name, _, letters) => withoutMiddle(name, letters, 0.3),
  aroundDifference,
];

/** Each in at most so many letters; those that are different stay different. */
export function shortNames(names, letters) {
  const short = new Map(names.map((name) => [name, WAYS[0](name, [], letters)]));
  const takenBy = (text) => [...short].filter(([, other]) => other === text).map(([name]) => name);
  for (const text of new Set(short.values())) {
    const alike = takenBy(text);
    if (alike.length < 2) continue;
    const others = new Set([...short].filter(([name]) => !alike.includes(name)).map(([, other]) => other));
    const apart = (found) => new Set(found).size === found.length && !found.some((one) => others.has(one));
    const found =
      WAYS.map((way) => alike.map((name) => way(name, alike, letters))).find(apart) ??
      // Whatever they have in common, their numbers differ.
      alike.map((name, index) => {
        const number = `${index + 1}: `;
        return number + withoutMiddle(name, Math.max(3, letters - number.length), 0.6);
      });
    alike.forEach((name, index) => short.set(name, found[index]));
  }
  return names.map((name) => short.get(name));
}
