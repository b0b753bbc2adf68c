/** The check at the end of `npm ci` with a Node that is not the recorded one. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const platform = `${process.platform}-${process.arch}`;
const binary = process.platform === 'win32' ? 'node.exe' : 'node';
const { scripts } = readJson('package.json') as { readonly scripts: Readonly<Record<string, string>> };
const recorded = readJson('packaging/node-binaries.json') as {
  readonly version: string;
  readonly platforms: Readonly<Record<string, { readonly sha256: string; readonly integrity: string }>>;
};

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8'));
}

describe('the record', () => {
  it('is of the version in the lock file, with a hash and an integrity for each platform', () => {
    const lock = readJson('package-lock.json') as {
      readonly packages: Readonly<Record<string, { readonly version: string }>>;
    };
    expect(recorded.version).toBe(lock.packages['node_modules/node']?.version);
    expect(Object.keys(recorded.platforms)).toEqual(expect.arrayContaining(['linux-x64', 'linux-arm64']));
    for (const { sha256, integrity } of Object.values(recorded.platforms)) {
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(integrity).toMatch(/^sha512-/);
    }
  });

  it('is checked by npm, with the Node that runs npm and not with the one in question', () => {
    // The pages of the console are built after it, with the Node that was checked.
    expect(scripts.prepare).toBe(
      '"$npm_node_execpath" packaging/check-node.js && "$npm_node_execpath" packaging/prepare-console.js',
    );
  });
});

describe('the check', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'carryover-check-node-'));
    cpSync(path.join(root, 'packaging'), path.join(folder, 'packaging'), { recursive: true });
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  /** An installed Node of `version` with these bytes; `hashes` are the recorded ones by platform. */
  function install(bytes: string, hashes: Readonly<Record<string, string>>, version = '22.0.1'): void {
    mkdirSync(path.join(folder, 'node_modules/node/bin'), { recursive: true });
    writeFileSync(path.join(folder, 'node_modules/node/bin', binary), bytes);
    writeFileSync(path.join(folder, 'node_modules/node/package.json'), JSON.stringify({ version }));
    const platforms = Object.fromEntries(
      Object.entries(hashes).map(([name, sha256]) => [name, { package: `node-${name}`, sha256 }]),
    );
    writeFileSync(
      path.join(folder, 'packaging/node-binaries.json'),
      JSON.stringify({ version: '22.0.1', platforms }),
    );
  }

  const check = () =>
    new Promise<{ code: unknown; stderr: string }>((resolve) => {
      execFile(process.execPath, ['packaging/check-node.js'], { cwd: folder }, (error, _stdout, stderr) => {
        resolve({ code: error ? error.code : 0, stderr });
      });
    });
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

  it('passes in silence over the recorded binary', async () => {
    install('the binary', { [platform]: sha256('the binary') });
    expect(await check()).toEqual({ code: 0, stderr: '' });
  });

  it('refuses another one: what was expected, what was found, the cure', async () => {
    install('the binary, tampered with', { [platform]: sha256('the binary') });
    const { code, stderr } = await check();
    expect(code).toBe(1);
    expect(stderr).toContain(`expected sha256 ${sha256('the binary')}`);
    expect(stderr).toContain(`found    sha256 ${sha256('the binary, tampered with')}`);
    expect(stderr).toMatch(/Do not run it[^]*Remove node_modules and run/);
  });

  it('refuses a version whose hashes are not recorded', async () => {
    install('the binary', { [platform]: sha256('the binary') }, '22.0.2');
    const { code, stderr } = await check();
    expect(code).toBe(1);
    expect(stderr).toMatch(/Node 22\.0\.2 is installed[^]*22\.0\.1[^]*npm run record-node/);
  });

  it('warns in one line on a platform without a record', async () => {
    install('the binary', {});
    const { code, stderr } = await check();
    expect(code).toBe(0);
    expect(stderr).toMatch(/^carryover: no hash of Node 22\.0\.1 is recorded for \S+: .* is not verified\n$/);
  });

  it('has nothing to check without the development packages', async () => {
    expect(await check()).toEqual({ code: 0, stderr: '' });
  });
});
