import {otherPage} from './other.js';

export function studyPage(root, result) {
  otherPage(root, result);
}
