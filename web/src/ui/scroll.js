// Hints for horizontal scrolling: a shadow at each side with more content, and "more" at the right.
import {make} from './dom.js';

/** `element` in a frame that shows whether there is more of it; the hint goes when its end is reached. */
export function scrollHint(element) {
  const frame = make(
    'div',
    {class: 'scroll-frame'},
    element,
    make('span', {class: 'scroll-more', 'aria-hidden': 'true'}, 'more →'),
  );
  const look = () => {
    const hidden = element.scrollWidth - element.clientWidth;
    frame.classList.toggle('more-right', hidden - element.scrollLeft > 2);
    frame.classList.toggle('more-left', hidden > 2 && element.scrollLeft > 2);
  };
  element.addEventListener('scroll', look, {passive: true});
  const observer = new ResizeObserver(look);
  observer.observe(element);
  for (const child of element.children) observer.observe(child);
  return frame;
}
