/**
 * `npm run build`: writes dist/, the program as plain JavaScript, because Node does not strip types in node_modules. The layout
 * is that of the sources, so that every relative path remains valid; files other than TypeScript are copied.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = path.join(root, 'dist');

/** Types are checked by `npm run check`, which uses the same configuration: without them it takes a quarter of the time. */
function compile(): void {
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '--project', 'tsconfig.build.json', '--noCheck'], {
    cwd: root,
    stdio: 'inherit',
  });
}

/** Built into pages for browsers before: see console.ts. */
const sourcesOfPages = path.join('src', 'features', 'console', 'pages');

/** Migrations, generated validators, pages of the console. */
function copyTheRest(folder: string): void {
  for (const entry of readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || /\.[cm]?ts$/.test(entry.name)) continue;
    const file = path.relative(root, path.join(entry.parentPath, entry.name));
    if (file.startsWith(sourcesOfPages)) continue;
    cpSync(path.join(root, file), path.join(dist, file));
  }
}

/** The programs read their version one folder above their own. */
function writeManifest(): void {
  const { name, version, type } = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8'),
  ) as Readonly<Record<string, unknown>>;
  writeFileSync(path.join(dist, 'package.json'), `${JSON.stringify({ name, version, type }, null, 2)}\n`);
}

rmSync(dist, { recursive: true, force: true });
compile();
for (const folder of ['src', 'workers']) copyTheRest(folder);
cpSync(path.join(root, 'config.yaml'), path.join(dist, 'config.yaml'));
writeManifest();
