// Installs what package-lock.json names into node_modules, unless it is there already.
//
//   node install.mjs
import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const stamp = join(folder, 'node_modules', '.installed');
const wanted = createHash('sha256')
  .update(readFileSync(join(folder, 'package-lock.json')))
  .digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  // No scripts: esbuild's program is in a package of its own, and no browser is to be downloaded.
  const npm = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (npm.status !== 0) {
    console.error('web: npm ci failed: check that npm is installed (tools/bootstrap) and the network');
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}
