// Puts a result into the page, as the program does: until it writes reports itself, and for results made by hand.
import {readFileSync, writeFileSync} from 'node:fs';

const ESCAPED = /[<>&\u2028\u2029]/g;

export function fillPage(template, result) {
  const json = JSON.stringify(result).replace(
    ESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return template.replace('"CAIRN_RESULT_HERE"', () => json);
}

export function writePage(templatePath, result, path) {
  writeFileSync(path, fillPage(readFileSync(templatePath, 'utf8'), result));
}
