/** The embedded PostgreSQL under a uid that has no name in the system, as OpenShift assigns one to each project. */
import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StartupError } from '../../src/process/startup-error.ts';
import { runProgram } from '../../src/embedded/command.ts';
import { locateBinaries } from '../../src/embedded/programs.ts';
import { hasNssWrapper } from '../helpers/left-out.ts';
import { addressOf, makeWorkplace, type Program, runMain, type Workplace } from '../helpers/process.ts';

const isRoot = process.getuid?.() === 0;
const user = { uid: 1_000_660_000, gid: 0 };
const key = 'a-key-of-twenty-characters-or-more';

const hasUserNamespaces =
  isRoot &&
  spawnSync('unshare', ['--user', '--map-user=65534', '--map-group=65534', 'true'], { ...user }).status === 0;

let place: Workplace;
beforeEach(async () => {
  place = await makeWorkplace();
  await mkdir(place.dataDir);
  await chown(place.dataDir, 0, 0);
});
afterEach(() => place.remove());

async function serving(): Promise<{ program: Program; address: string }> {
  const program = runMain({ user, environment: { API_KEYS: key, DATA_DIR: place.dataDir } });
  const address = await addressOf(program);
  await program.printed(/"msg":"ready"/);
  return { program, address };
}

const emailPassword = (address: string, what: string) =>
  fetch(`${address}/recipe/${what}`, {
    method: 'POST',
    headers: { 'api-key': key },
    body: JSON.stringify({ email: 'ada@example.com', password: 'correct horse' }),
  }).then((reply) => reply.json());

async function openToGroup(folder: string): Promise<void> {
  await chmod(folder, (await stat(folder)).isDirectory() ? 0o2770 : 0o660);
  if (!(await stat(folder)).isDirectory()) return;
  for (const name of await readdir(folder)) await openToGroup(path.join(folder, name));
}

describe('a user that the system does not know', () => {
  test.runIf(hasNssWrapper || hasUserNamespaces)(
    'has its own PostgreSQL, also after Kubernetes has opened the volume to the group',
    async () => {
      // As in the image: root's group, with the owner's permissions.
      await chmod(place.dataDir, 0o770);
      const first = await serving();
      expect(await emailPassword(first.address, 'signup')).toMatchObject({ status: 'OK' });
      expect([await first.program.end(), first.program.stderr()]).toEqual([[0, null], '']);
      const names = await readdir(place.dataDir);
      expect(names.filter((name) => name.startsWith('postgres.'))).toEqual([]);

      await openToGroup(place.dataDir);
      const second = await serving();
      expect(await emailPassword(second.address, 'signin')).toMatchObject({ status: 'OK' });
      expect(await second.program.end()).toEqual([0, null]);
      expect((await stat(path.join(place.dataDir, 'postgres'))).mode & 0o777).toBe(0o700);
    },
  );

  const nameIn = (libraryFolders: string): string => {
    const module = path.resolve(import.meta.dirname, '../../src/embedded/named-user.ts');
    const script = `
      import { nameUser } from ${JSON.stringify(module)};
      import { spawnSync } from 'node:child_process';
      const name = await nameUser({ folder: ${JSON.stringify(place.dataDir)} ${libraryFolders} });
      const { file, args, options } = name({ file: 'id', args: ['-un'], options: { cwd: '/', env: process.env } });
      process.stdout.write(file + ' ' + spawnSync(file, args, options).stdout);`;
    const { PATH, NODE_OPTIONS } = process.env;
    const options = { ...user, env: { PATH, NODE_OPTIONS }, encoding: 'utf8' } as const;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', script],
      options,
    );
    return stdout + stderr;
  };

  test.runIf(isRoot && hasNssWrapper)('gets a name from nss_wrapper', async () => {
    await chown(place.dataDir, user.uid, user.gid);
    expect(nameIn('')).toBe('id carryover\n');
  });

  test.runIf(hasUserNamespaces)('gets one from a user name space where that is missing', () => {
    expect(nameIn(', libraryFolders: []')).toMatch(/^unshare (carryover|postgres|nobody)\n$/);
  });

  test.runIf(isRoot)('is an error with the cure where neither is there', async () => {
    await chown(place.dataDir, user.uid, user.gid);
    const started = runProgram(locateBinaries().initdb, ['--pgdata', place.dataDir], user);
    await expect(started).rejects.toThrow(StartupError);
    await expect(started).rejects.toThrow(
      /^initdb failed: [^\n]*user does not exist\. [^\n]*libnss-wrapper[^\n]*\/etc\/passwd[^\n]*$/,
    );
  });
});
