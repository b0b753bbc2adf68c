/**
 * Runs at the end of `npm ci`: builds the pages of the console, where the packages for that are there. In the container and with
 * `--omit=dev` they are not, and the pages come with the package.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';

/** @param {string} relative from the root of the project */
const locate = (relative) => fileURLToPath(new URL(`../${relative}`, import.meta.url));
const node = locate(`node_modules/node/bin/${process.platform === 'win32' ? 'node.exe' : 'node'}`);

if (
  [node, locate('node_modules/vite'), locate('src/features/console/pages')].every((each) => existsSync(each))
)
  execFileSync(node, [locate('packaging/console.ts')], { stdio: 'inherit', cwd: locate('.') });
