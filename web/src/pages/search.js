import {otherPage} from './other.js';

export function searchPage(root, result) {
  otherPage(root, result);
}
