/**
 * The native code that reads from the network is a third party's repack: the installed files are those that were recorded and
 * reviewed.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

interface Recorded {
  readonly package: string;
  readonly version: string;
  readonly integrity: string;
  readonly sha256: Readonly<Record<string, string>>;
}
interface Lock {
  readonly packages: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file));
const recorded = JSON.parse(read('packaging/uws-binaries.json').toString()) as Recorded;
const folder = 'node_modules/uWebSockets.js/dist/bin';

describe('the binaries of uWebSockets.js', () => {
  const installed = readdirSync(path.join(root, folder)).sort();

  it('are those that were recorded, and no others', () => {
    expect(installed).toEqual(Object.keys(recorded.sha256));
    expect(installed).toContain('uws_linux_x64_127.node');
  });

  it.each(installed)('%s has the recorded SHA-256', (file) => {
    expect(
      createHash('sha256')
        .update(read(`${folder}/${file}`))
        .digest('hex'),
    ).toBe(recorded.sha256[file]);
  });

  it('are of the package that the lock file pins', () => {
    const { packages } = JSON.parse(read('package-lock.json').toString()) as Lock;
    const { name, version, integrity } = packages['node_modules/uWebSockets.js'] ?? {};
    expect({ package: name, version, integrity }).toEqual({
      package: recorded.package,
      version: recorded.version,
      integrity: recorded.integrity,
    });
  });
});
