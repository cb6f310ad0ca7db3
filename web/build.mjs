// Bundles the page into one HTML file that needs nothing else, and writes beside it which files it is made of
// (OUTPUT.d, as compilers do).
//
//   node build.mjs [OUTPUT]      (default: ../build/page.html)
import {mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

import {build} from 'esbuild';

const folder = dirname(fileURLToPath(import.meta.url));
const output = resolve(process.argv[2] ?? join(folder, '..', 'build', 'page.html'));

const bundled = await build({
  entryPoints: {page: join(folder, 'src', 'main.js'), style: join(folder, 'src', 'style', 'page.css')},
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  outdir: 'out',
  format: 'iife',
  target: ['chrome100', 'firefox100', 'safari15'],
  charset: 'utf8',
  // Licences of what is bundled stay in the page.
  legalComments: 'eof',
  logLevel: 'warning',
});

function textOf(suffix) {
  return bundled.outputFiles.find((file) => file.path.endsWith(suffix)).text;
}

// Inside an element, only the end tag of its own kind can end it.
const script = textOf('.js')
  .replace(/<\/(script)/gi, '<\\/$1')
  .replace(/<!--/g, '<\\!--');
const style = textOf('.css').replace(/<\/(style)/gi, '<\\/$1');

// Functions, as "$&" in the script must stay what it is.
const page = readFileSync(join(folder, 'src', 'page.html'), 'utf8')
  .replace('/* STYLE */', () => style)
  .replace('/* SCRIPT */', () => script);

for (const place of ['"CAIRN_RESULT_HERE"', '"CAIRN_ABOUT_HERE"']) {
  const count = page.split(place).length - 1;
  if (count !== 1) throw new Error(`the page must have one ${place}, it has ${count}`);
}

const inputs = Object.keys(bundled.metafile.inputs).map((path) => resolve(path).replace(/ /g, '\\ '));

mkdirSync(dirname(output), {recursive: true});
writeFileSync(`${output}.d`, `${output.replace(/ /g, '\\ ')}: ${inputs.join(' ')}\n`);
writeFileSync(`${output}.part`, page);
renameSync(`${output}.part`, output);
