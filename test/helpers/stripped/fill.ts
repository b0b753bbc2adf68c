/**
 * Strips the types of the sources that tests start processes and threads from, for `hook.ts`. A program: it ends when that is
 * done.
 */
import { hash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const kept = path.join(root, 'node_modules/.cache/stripped');
const sources = '{src,workers,bench,examples,generate,site,packaging,test/helpers}/**/*.ts';

mkdirSync(kept, { recursive: true });
for (const file of globSync(sources, { cwd: root })) strip(file, file.replaceAll('/', '+'));
strip('test/helpers/stripped/hook.ts', 'hook.mjs');

/** The last line names the source's digest. Written atomically: another run may read it. */
function strip(file: string, name: string): void {
  const source = readFileSync(path.join(root, file), 'utf8');
  const digest = hash('sha1', source);
  const target = path.join(kept, name);
  if (readIfThere(target).endsWith(digest)) return;
  const draft = `${target}.${process.pid}`;
  writeFileSync(draft, `${stripTypeScriptTypes(source)}\n//${digest}`);
  renameSync(draft, target);
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
