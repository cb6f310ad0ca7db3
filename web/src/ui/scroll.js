// What can be scrolled sideways says so: a shadow at each side where there is more, and a word at the right one.
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
