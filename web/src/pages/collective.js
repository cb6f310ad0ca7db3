import {otherPage} from './other.js';

export function collectivePage(root, result) {
  otherPage(root, result);
}
