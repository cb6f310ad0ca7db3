// Light or dark: what the system asks for, unless the reader chose. Paper is light.

const listeners = new Set();
const system = window.matchMedia('(prefers-color-scheme: dark)');
let chosen = null;
let printing = false;

function isDark() {
  if (printing) return false;
  return chosen === null ? system.matches : chosen === 'dark';
}

export function toggleTheme() {
  chosen = isDark() ? 'light' : 'dark';
  apply();
}

/** `listener` is called whenever the colours change. */
export function onThemeChange(listener) {
  listeners.add(listener);
}

/** A colour of the style sheet by its name: colour('accent'). */
export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function apply() {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
  for (const listener of listeners) listener();
}

function print(now) {
  if (printing !== now) {
    printing = now;
    // As wide as paper, so that charts are drawn for it and not shrunk with all that is around them.
    document.documentElement.classList.toggle('paper', now);
    apply();
  }
}

export function startTheme() {
  apply();
  system.addEventListener('change', apply);
  window.addEventListener('beforeprint', () => print(true));
  window.addEventListener('afterprint', () => print(false));
}
