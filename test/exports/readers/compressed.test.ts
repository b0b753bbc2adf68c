/** Compressed files: the same users as in the plain one, and a clear word for those that are damaged. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** Long, and of a kind that does not become small: a piece of it is cut off below. */
const long = Buffer.from(
  Array.from({ length: 200_000 }, (_, n) => (n * 2_654_435_761).toString(36)).join('\n'),
);

const programs = ['gzip', 'zstd'] as const;
const installed = programs.filter((program) => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore', input: '' });
    return true;
  } catch {
    return false;
  }
});

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

describe('a file', () => {
  it.each([
    ['zip', Buffer.from('PK\u0003\u0004\u0014'), 'unzip -p'],
    ['xz', Buffer.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00), 'xz -dc'],
    ['bzip2', Buffer.from('BZh91AY&SY'), 'bzip2 -dc'],
  ])('of %s is refused with what unpacks it', async (kind, start, command) => {
    const file = fileOf(`users-${kind}`, start);
    await expect(openInput(file)).rejects.toThrow(
      `users-${kind} is ${kind}, which is not unpacked here: send what ${command}`,
    );
  });

  it('of text that begins as bzip2 does is text', async () => {
    expect(await textOf(fileOf('text', Buffer.from('BZh9,email\n')))).toBe('BZh9,email\n');
  });
});
