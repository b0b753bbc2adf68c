/** Compressed files: the same users as in the plain one, and a clear message for damaged ones. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { recogniseFile } from '../../../src/exports/convert/convert.ts';
import { openInput } from '../../../src/exports/readers/input.ts';

const plain = readFileSync(fileURLToPath(new URL('../files/wordpress.csv', import.meta.url)));
const folder = mkdtempSync(path.join(tmpdir(), 'carryover-test-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function fileOf(name: string, content: Uint8Array): string {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
}

async function textOf(file: string): Promise<string> {
  const parts: Buffer[] = [];
  for await (const chunk of (await openInput(file)).chunks) parts.push(chunk);
  return Buffer.concat(parts).toString();
}

/** Long and incompressible: a piece of it is cut off below. */
const long = Buffer.from(
  Array.from({ length: 200_000 }, (_, n) => (n * 2_654_435_761).toString(36)).join('\n'),
);

const programs = ['gzip', 'zstd', 'xz'] as const;
const installed = programs.filter(isThere);

function isThere(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore', input: '' });
    return true;
  } catch {
    return false;
  }
}

describe.each(installed)('a file of %s', (program) => {
  const pack = (bytes: Uint8Array): Buffer => execFileSync(program, ['-c'], { input: bytes, maxBuffer: 1e8 });

  it('is read as the plain one, whatever its name', async () => {
    const file = fileOf(`${program}.csv`, pack(plain));
    expect(await textOf(file)).toBe(plain.toString());
    expect((await recogniseFile(file))?.provider.name).toBe('wordpress');
    expect(await textOf(fileOf(`${program}-long`, pack(long)))).toBe(long.toString());
  });

  it('that ends early or is damaged is refused', async () => {
    const packed = pack(long);
    const half = Math.floor(packed.length / 2);
    const cut = fileOf(`${program}-cut`, packed.subarray(0, half));
    await expect(textOf(cut)).rejects.toThrow(new RegExp(`is (damaged )?${program}.*fetch it again`));
    packed.fill(0xaa, half, half + 5000);
    const damaged = fileOf(`${program}-damaged`, packed);
    await expect(textOf(damaged)).rejects.toThrow(new RegExp(`is (damaged )?${program}.*fetch it again`));
  });
});

it.skipIf(!isThere('xz'))('of xz is unpacked next to another that is no longer read', async () => {
  const file = fileOf('beside.xz', execFileSync('xz', ['-c9'], { input: long, maxBuffer: 1e8 }));
  const { chunks } = await openInput(file);
  for await (const chunk of chunks) if (chunk.length > 0) break;
  await openInput(file);
  expect(await textOf(file)).toBe(long.toString());
});

describe('a file', () => {
  it.each([
    ['users.bz2', (file: string) => file],
    ["Ann's users.bz2", (file: string) => `'${file.replace("'", String.raw`'\''`)}'`],
  ])('of bzip2 (%s) is refused with the command that unpacks it', async (name, written) => {
    const file = fileOf(name, Buffer.from('BZh91AY&SY'));
    await expect(openInput(file)).rejects.toThrow(
      `${file} is bzip2, which is not unpacked here: type bzip2 -dk ${written(file)}, and give the file`,
    );
  });

  it('of text that begins as bzip2 does is text', async () => {
    expect(await textOf(fileOf('text', Buffer.from('BZh9,email\n')))).toBe('BZh9,email\n');
  });
});

/** Stored or deflated by Info-ZIP's program, as people's archives are. */
function zipOf(name: string, files: Readonly<Record<string, Uint8Array>>, ...options: string[]): string {
  const from = mkdtempSync(path.join(folder, 'zip-'));
  for (const [each, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(from, each)), { recursive: true });
    writeFileSync(path.join(from, each), content);
  }
  const zip = path.join(folder, name);
  execFileSync('zip', ['-q', '-r', ...options, zip, ...Object.keys(files)], { cwd: from });
  return zip;
}

describe.skipIf(!isThere('zip'))('a zip', () => {
  it.each([['-6'], ['-0']])('of one file is read as that file (%s)', async (level) => {
    const beside = { '__MACOSX/._users.csv': Buffer.from('x'), 'export/.DS_Store': Buffer.from('x') };
    const file = zipOf(`one${level}.zip`, { 'export/users.csv': plain, ...beside }, level);
    expect(await textOf(file)).toBe(plain.toString());
    expect((await recogniseFile(file))?.provider.name).toBe('wordpress');
  });

  it('of several files, of none or with a password is refused, with what to do', async () => {
    const several = zipOf('several.zip', { 'a.csv': plain, 'b.csv': plain });
    await expect(openInput(several)).rejects.toThrow(
      'several.zip is zip with several files (a.csv, b.csv): unpack it, and give the one of the users or the folder',
    );
    const locked = zipOf('locked.zip', { 'a.csv': plain }, '-P', 'secret');
    await expect(openInput(locked)).rejects.toThrow('locked.zip is zip with a password');
    const empty = zipOf('empty.zip', { '.DS_Store': plain });
    await expect(openInput(empty)).rejects.toThrow('empty.zip is zip without a file in it');
  });

  it('that ends early or is damaged is refused', async () => {
    const packed = readFileSync(zipOf('long.zip', { long }));
    const cut = fileOf('cut.zip', packed.subarray(0, packed.length / 2));
    await expect(openInput(cut)).rejects.toThrow('is damaged zip, or ends early: fetch it again');
    for (const level of ['-6', '-0']) {
      const bytes = readFileSync(zipOf(`whole${level}.zip`, { long }, level));
      bytes.fill(0xaa, 100_000, 100_100);
      const damaged = fileOf(`damaged${level}.zip`, bytes);
      await expect(textOf(damaged)).rejects.toThrow(/is damaged zip: fetch it again|ends early/);
    }
  });
});
