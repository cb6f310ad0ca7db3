import {otherPage} from './other.js';

export function validatePage(root, result) {
  otherPage(root, result);
}
