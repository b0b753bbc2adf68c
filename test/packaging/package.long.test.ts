/** The package as `npm pack` makes it, unpacked as npm does, run by each Node on the PATH: without the clone. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const oldest = 20;
const newestOfUWebSockets = 22;

let prefix: string;
beforeAll(async () => {
  prefix = await mkdtemp(path.join(os.tmpdir(), 'carryover-package-'));
  await chmod(prefix, 0o711); // started by root, PostgreSQL is another user, who has to get in
  await install();
});
afterAll(() => rm(prefix, { recursive: true }));

async function manifest(): Promise<{ version: string; dependencies: Readonly<Record<string, string>> }> {
  return JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as never;
}

/** The effect of `npm install --global`, with the packages that `npm ci` has fetched: only those that package.json names. */
async function install(): Promise<void> {
  await run('npm', ['pack', '--silent', '--pack-destination', prefix], { cwd: root });
  const folder = path.join(prefix, 'lib/node_modules/carryover');
  await mkdir(folder, { recursive: true });
  const { version, dependencies } = await manifest();
  const archive = path.join(prefix, `carryover-${version}.tgz`);
  await run('tar', ['--extract', '--file', archive, '--strip-components=1', '--directory', folder]);
  for (const name of Object.keys(dependencies)) {
    const place = path.join(folder, 'node_modules', name);
    await mkdir(path.dirname(place), { recursive: true });
    await symlink(path.join(root, 'node_modules', name), place);
  }
  await mkdir(path.join(prefix, 'bin'));
  await symlink('../lib/node_modules/carryover/bin/carryover', path.join(prefix, 'bin/carryover'));
}

/** One of each version. */
async function nodesOnPath(): Promise<readonly (readonly [version: string, folder: string])[]> {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((each) => existsSync(`${each}/node`));
  const found = await Promise.all(
    [...folders, path.dirname(process.execPath)].map(async (folder) => {
      const { stdout } = await run(path.join(folder, 'node'), ['-p', 'process.versions.node']);
      return [stdout.trim(), folder] as const;
    }),
  );
  return [...new Map(found)];
}

/** The processes that the command on the page about keys would signal; pgrep finds the same as pkill. */
async function foundToReload(): Promise<readonly number[]> {
  const page = await readFile(path.join(root, 'docs/operate/keys.md'), 'utf8');
  const pattern = /^pkill -HUP -o -f '([^']+)'/m.exec(page)?.[1] ?? '';
  const { stdout } = await run('pgrep', ['-f', pattern]);
  return stdout.trim().split('\n').map(Number);
}

it('can be published: nothing in package.json forbids it, and npm finds no fault with the archive', async () => {
  const archive = path.join(prefix, `carryover-${(await manifest()).version}.tgz`);
  // Without a registry: a dry run makes all of npm's own checks.
  const elsewhere = ['--registry', 'http://127.0.0.1:9', '--fetch-retries', '0'];
  const { stdout } = await run('npm', ['publish', '--dry-run', '--json', ...elsewhere, archive], {
    cwd: prefix,
    maxBuffer: 16 * 1024 * 1024,
  });
  const { carryover } = JSON.parse(stdout) as { carryover: { files: readonly { path: string }[] } };
  const files = carryover.files.map((file) => file.path);
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'SECURITY.md', 'bin/carryover']));
  const known =
    /^(?:LICENSE|README\.md|SECURITY\.md|SKILL\.md|package\.json|bin\/carryover(?:\.mjs)?|dist\/(?:package\.json|config\.yaml|src\/features\/console\/built\/(?:index\.html|licences\.md|console\/.+\.gz)|(?:src|workers)\/.+\.(?:js|cjs|sql)))$/;
  expect(files.filter((file) => !known.test(file))).toEqual([]);
});

describe.each(await nodesOnPath())('the package with Node %s', (version, folder) => {
  const major = Number.parseInt(version, 10);
  let home: string;
  beforeAll(async () => {
    home = path.join(prefix, `home-${version}`);
    await mkdir(home);
    await copyFile(path.join(root, 'examples/export.ndjson'), path.join(home, 'users.ndjson'));
  });

  it('holds the page that walks an agent through a move', async () => {
    const installed = path.join(prefix, 'lib/node_modules/carryover/SKILL.md');
    expect(await readFile(installed, 'utf8')).toBe(await readFile(path.join(root, 'SKILL.md'), 'utf8'));
  });

  const options = () => ({
    cwd: home,
    env: {
      HOME: home,
      XDG_DATA_HOME: home,
      PATH: [path.join(prefix, 'bin'), folder, '/usr/bin', '/bin'].join(path.delimiter),
    },
  });
  const carryover = (...args: string[]) => run('carryover', args, options());

  if (major < oldest) {
    it('says which one it needs', async () => {
      await expect(carryover('--help')).rejects.toMatchObject({
        code: 2,
        stderr: `carryover: Node ${version} is too old: install Node 22, or run \`npm install --global node@22\`\n`,
      });
    });
    return;
  }

  it('inspects, serves, imports and stops, and calls itself by its name', async () => {
    expect((await carryover('help', 'undo')).stdout).toContain('Examples:\n  carryover undo ');
    expect((await carryover('inspect', 'users.ndjson')).stdout).toMatch(/can be imported +7\n/);
    await expect(carryover('jobs', '--url', 'http://127.0.0.1:9', '--patience', '0')).rejects.toMatchObject({
      stderr: expect.stringContaining("Start it with 'carryover serve'") as string,
    });
    const core = spawn('carryover', ['serve', '--port', '0'], { ...options(), stdio: 'pipe' });
    const ended = once(core, 'close');
    onTestFinished(async () => {
      core.kill();
      await ended;
    });
    let said = '';
    const address = await new Promise<string>((resolve, reject) => {
      for (const output of [core.stdout, core.stderr])
        output.setEncoding('utf8').on('data', (text: string) => {
          said += text;
          const [, found] = /carryover is ready at (\S+)\n/.exec(said) ?? [];
          if (found !== undefined) resolve(found);
        });
      core.once('close', () => {
        reject(new Error(said));
      });
    });
    expect(said.includes('so node:http serves')).toBe(major > newestOfUWebSockets);
    expect(await foundToReload()).toContain(core.pid);
    core.kill('SIGHUP');
    await expect.poll(() => said).toContain('keys were read again');
    const { stdout } = await carryover('import', '--yes', 'users.ndjson', '--url', address);
    expect(stdout).toMatch(/created +7\n[^]*\nTo undo it: carryover undo \S+ --url \S+\n/);
    core.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
  });
});
