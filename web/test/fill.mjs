// Puts a result into the page, as the program does: until it writes reports itself, and for results made by hand.
import {readFileSync, writeFileSync} from 'node:fs';

const ESCAPED = /[<>&\u2028\u2029]/g;

function embedded(value) {
  return JSON.stringify(value).replace(
    ESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export function fillPage(template, result) {
  return template
    .replace('"CAIRN_RESULT_HERE"', () => embedded(result))
    .replace('"CAIRN_ABOUT_HERE"', () => embedded({}));
}

export function writePage(templatePath, result, path) {
  writeFileSync(path, fillPage(readFileSync(templatePath, 'utf8'), result));
}
