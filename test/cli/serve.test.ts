/** `carryover serve`: the core by the command, with its data in the user's folder. */
import { mkdir, mkdtemp, chmod, readdir, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveFolder } from '../../src/cli/serve-folder.ts';
import { makePlace, type Place } from '../helpers/carryover.ts';
import { type Program, runCommand } from '../helpers/process.ts';

let home: string;
let place: Place;

beforeEach(async () => {
  place = await makePlace();
  home = await mkdtemp(path.join(os.tmpdir(), 'carryover-serve-'));
  await chmod(home, 0o711); // started by root, PostgreSQL is another user, who needs access
});
afterEach(async () => {
  await Promise.all([place.remove(), rm(home, { recursive: true })]);
});

const start = (...args: string[]): Program =>
  runCommand({ arguments: ['serve', ...args], environment: { HOME: home, XDG_DATA_HOME: home } });

async function portOf(program: Program): Promise<string> {
  const [, port = ''] = await program.printed(/carryover is ready at http:\/\/127\.0\.0\.1:(\d+)/);
  return port;
}

describe('serve', () => {
  it('keeps its data with the user, says where, and other commands find its key', async () => {
    const program = start('--port', '0');
    const port = await portOf(program);
    const folder = path.join(home, 'carryover');
    expect(program.stderr()).toBe(`Data folder: ${folder} (--data names another)\n`);
    await program.printed(/ready at [^]* {2}data {7}(\S+) \(its own PostgreSQL\)/);
    expect(program.stdout()).toContain(`  data       ${folder} (`);
    const jobs = await place.run(['jobs', '--url', `http://127.0.0.1:${port}`], {
      environment: { CARRYOVER_API_KEY: '', XDG_DATA_HOME: home },
    });
    expect(jobs).toEqual({
      code: 0,
      stdout: 'No imports yet\n',
      stderr: `API key: from ${folder}/api-key\n`,
    });
    expect(await program.end()).toEqual([0, null]);
    expect(program.stdout()).toContain('"msg":"stopped"');
    const late = await place.run(['jobs', '--url', `http://127.0.0.1:${port}`, '--patience', '0'], {
      environment: { CARRYOVER_API_KEY: '', XDG_DATA_HOME: home },
    });
    expect(late.stderr).toContain(`API key: that of ${folder}/api-key is not sent`);
  });

  it('takes another folder, and a configuration', async () => {
    await mkdir(path.join(home, 'etc'));
    const config = path.join(home, 'etc', 'config.yaml');
    await writeFile(config, 'data_dir: elsewhere\nport: 0\nlog_level: warn\n');
    const program = start('--config', config);
    await portOf(program);
    expect(program.stderr()).toBe('');
    expect((await stat(path.join(home, 'etc/elsewhere/api-key'))).mode & 0o777).toBe(0o600);
    await program.end('SIGINT');
    const other = path.join(home, 'other');
    const second = start('--config', config, '--data', other);
    await portOf(second);
    expect((await stat(path.join(other, 'api-key'))).mode & 0o777).toBe(0o600);
    expect(await second.end()).toEqual([0, null]);
  });

  it('names no folder where database and keys are elsewhere, and makes none', async () => {
    const program = runCommand({
      arguments: ['serve', '--port', '0'],
      environment: {
        HOME: home,
        XDG_DATA_HOME: home,
        API_KEYS: 'a-key-of-the-shop-0123456789',
        POSTGRESQL_CONNECTION_URI: 'postgresql://core@127.0.0.1:1/auth?sslmode=unheard-of',
      },
    });
    expect(await program.ended).toEqual([2, null]);
    expect(program.stderr()).toMatch(/^[^\n]*sslmode[^\n]*\n$/);
    expect(await readdir(home)).toEqual([]);
  });

  it.each([
    [['--port', '70000'], /'70000' is invalid\. It takes a number from 0 to 65535/],
    [['--config', '/none/config.yaml'], /^\/none\/config\.yaml: cannot be read \(ENOENT\)/],
    [
      ['--data', '/dev/null/data'],
      /^\/dev\/null\/data\/api-key: cannot be read or made \(ENOTDIR\): set data_dir to a folder/,
    ],
  ])('refuses %j with one line and exit code 2', async (args, line) => {
    const program = start(...args);
    expect(await program.ended).toEqual([2, null]);
    expect(program.stderr()).toMatch(line);
    expect(program.stderr()).not.toMatch(/\n\s+at /);
    expect(program.stdout()).toBe('');
  });
});

describe('the folder of serve', () => {
  const isRoot = process.getuid?.() === 0;
  it.each([
    [{ XDG_DATA_HOME: '/data', HOME: '/home/ada' }, '/data/carryover'],
    [
      { XDG_DATA_HOME: 'relative', HOME: '/home/ada' },
      isRoot ? '/var/lib/carryover' : '/home/ada/.local/share/carryover',
    ],
    [{ HOME: '/home/ada' }, isRoot ? '/var/lib/carryover' : '/home/ada/.local/share/carryover'],
  ])('with %j is %s', (environment, folder) => {
    expect(serveFolder({ environment })).toBe(folder);
  });
});
