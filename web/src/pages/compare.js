import {otherPage} from './other.js';

export function comparePage(root, result) {
  otherPage(root, result);
}
