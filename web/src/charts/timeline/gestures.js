// What mouse, fingers and keys do to a timeline.

/** Mouse: drag to look closer, Ctrl and wheel to zoom, wheel sideways to pan. Fingers: drag to pan, two to zoom. */
export function pointerGestures(canvas, {window, left, changed, selecting}) {
  const fingers = new Map();
  let from = null;

  const timeAt = (x) =>
    window.seen.from + ((x - left()) / (canvas.clientWidth - left())) * (window.seen.to - window.seen.from);

  canvas.addEventListener(
    'wheel',
    (event) => {
      const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (!event.ctrlKey && !event.metaKey && !sideways) return;
      event.preventDefault();
      if (sideways && !event.ctrlKey) window.pan(event.deltaX / canvas.clientWidth);
      else window.zoom(Math.exp(-event.deltaY * 0.004), timeAt(event.offsetX));
      changed();
    },
    {passive: false},
  );

  canvas.addEventListener('pointerdown', (event) => {
    if (event.offsetX < left()) return;
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, event.offsetX);
    if (event.pointerType === 'mouse') from = event.offsetX;
  });

  canvas.addEventListener('pointermove', (event) => {
    if (!fingers.has(event.pointerId)) return;
    const before = [...fingers.values()];
    const was = fingers.get(event.pointerId);
    fingers.set(event.pointerId, event.offsetX);
    if (from !== null) {
      selecting(Math.min(from, event.offsetX), Math.max(from, event.offsetX));
    } else if (fingers.size === 1) {
      window.pan((was - event.offsetX) / (canvas.clientWidth - left()));
      changed();
    } else if (fingers.size === 2) {
      const now = [...fingers.values()];
      const apart = Math.max(8, Math.abs(now[0] - now[1]));
      window.zoom(apart / Math.max(8, Math.abs(before[0] - before[1])), timeAt((now[0] + now[1]) / 2));
      changed();
    }
  });

  const release = (event) => {
    fingers.delete(event.pointerId);
    if (from === null) return;
    const [low, high] = [Math.max(left(), Math.min(from, event.offsetX)), Math.max(from, event.offsetX)];
    from = null;
    selecting(null);
    if (event.type === 'pointerup' && high - low > 4) window.show(timeAt(low), timeAt(high));
    changed();
  };
  canvas.addEventListener('pointerup', release);
  canvas.addEventListener('pointercancel', release);
  canvas.addEventListener('dblclick', () => {
    window.whole();
    changed();
  });
}

export function keyGestures(element, {window, changed}) {
  const KEYS = {
    ArrowLeft: () => window.pan(-0.2),
    ArrowRight: () => window.pan(0.2),
    '+': () => window.zoom(2),
    '=': () => window.zoom(2),
    '-': () => window.zoom(0.5),
    0: window.whole,
    Home: window.whole,
  };
  element.addEventListener('keydown', (event) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? null : KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    act();
    changed();
  });
}
