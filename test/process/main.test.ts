/** The use of the program with its embedded PostgreSQL by a person: start it, paste what it prints, stop it, kill it. */
import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { portOfCore } from '../../src/process/listening-note.ts';
import { knownHash, knownPassword } from '../helpers/people.ts';
import {
  addressOf,
  makeWorkplace,
  type Program,
  runMain,
  runNpmStart,
  type Workplace,
} from '../helpers/process.ts';

interface Reply {
  readonly status: string;
  readonly user?: { readonly id: string };
  readonly token?: string;
}

/** Runs a command as if a person had pasted it. */
async function paste(command: string): Promise<Reply> {
  const { stdout } = await promisify(execFile)('bash', ['-c', command]);
  return JSON.parse(stdout) as Reply;
}

let place: Workplace;
let program: Program;
let key: string;
/** However busy the machine is. */
const patient = { WAIT_LIMIT_MS: '600000', SHUTDOWN_TIMEOUT_MS: '600000' };
const start = () => runMain({ environment: { DATA_DIR: place.dataDir, ...patient } });
const welcomed = (some: Program) => some.printed(/carryover is ready at (\S+)\n[^]*and sign in .*\n.*\n/);

beforeAll(async () => {
  place = await makeWorkplace();
  program = start();
  await welcomed(program);
  key = (await readFile(path.join(place.dataDir, 'api-key'), 'utf8')).trim();
});
afterAll(async () => {
  await program.end();
  await place.remove();
});

async function post(base: string, endpoint: string, input: object): Promise<Reply> {
  const response = await fetch(base + endpoint, {
    method: 'POST',
    headers: { 'api-key': key },
    body: JSON.stringify(input),
  });
  return (await response.json()) as Reply;
}

async function signIn(some: Program, email: string, password: string): Promise<string> {
  return (await post(await addressOf(some), '/recipe/signin', { email, password })).status;
}

describe('the first start', () => {
  test('shows its address, where its data is, and where the API key is that it made', async () => {
    const printed = program.stdout();
    expect(printed).toContain(`carryover is ready at ${await addressOf(program)}\n`);
    expect(printed).toContain(`data       ${place.dataDir}`);
    expect(printed).toContain(`api key    made now and stored in ${place.dataDir}/api-key`);
    // Output to anything but a terminal is stored: by a container's engine, or in the journal.
    expect(printed).not.toContain(key);
    expect(program.stderr()).toBe('');
    expect((await stat(path.join(place.dataDir, 'api-key'))).mode & 0o777).toBe(0o600);
  });

  test('says in its folder where it listens, so that the command finds the key of the core', async () => {
    const port = Number(new URL(await addressOf(program)).port);
    expect(await portOfCore(place.dataDir)).toBe(port);
    expect((await stat(path.join(place.dataDir, 'listening'))).mode & 0o777).toBe(0o600);
  });

  test('prints commands for the four operations that work when they are pasted', async () => {
    const commands = program.stdout().match(/^curl .*$/gm) ?? [];
    expect(commands.map((command) => /127\.0\.0\.1:\d+(\S+)/.exec(command)?.[1])).toEqual([
      '/recipe/user/passwordhash/import',
      '/recipe/signinup',
      '/recipe/user/email/verify/token',
      '/recipe/user/email/verify',
      '/recipe/signin',
    ]);
    const answers: Reply[] = [];
    for (const command of commands) {
      const filled = command
        .replace('<user id>', answers[0]?.user?.id ?? '')
        .replace('<token>', answers[2]?.token ?? '');
      answers.push(await paste(filled));
    }
    expect(answers.map(({ status }) => status)).toEqual(['OK', 'OK', 'OK', 'OK', 'OK']);
    expect(answers[0]).toMatchObject({ didUserAlreadyExist: false, user: { emails: ['ada@example.com'] } });
    expect(answers[4]).toMatchObject({
      user: { id: answers[0]?.user?.id, loginMethods: [{ verified: true }] },
    });
  });
});

describe('another start', () => {
  test('after SIGTERM, which ends with 0, has the users and does not show the key', async () => {
    expect(await program.end('SIGTERM')).toEqual([0, null]);
    expect(program.stdout()).toMatch(/"msg":"stopped"}\n$/);
    program = start();
    await welcomed(program);
    expect(program.stdout()).toContain(`api key    in ${place.dataDir}/api-key`);
    expect(program.stdout()).not.toContain(key);
    expect(await signIn(program, 'ada@example.com', 'correct horse battery staple')).toBe('OK');
  });

  test('after SIGINT, as from Ctrl-C, too', async () => {
    expect(await program.end('SIGINT')).toEqual([0, null]);
    program = start();
    expect(await signIn(program, 'ada@example.com', 'wrong')).toMatch(
      /WRONG_CREDENTIALS_ERROR|DATABASE_UNAVAILABLE/,
    );
    await welcomed(program);
  });

  test('after SIGKILL has everything that was acknowledged', async () => {
    const emails = Array.from({ length: 50 }, (_, i) => `user-${i}@example.com`);
    const base = await addressOf(program);
    const requests = emails.map(async (email, i) => {
      const { status } = await post(base, '/recipe/user/passwordhash/import', {
        email,
        passwordHash: knownHash,
      });
      if (i === 25) program.child.kill('SIGKILL');
      return status === 'OK' ? email : undefined;
    });
    const outcomes = await Promise.allSettled(requests);
    expect(await program.ended).toEqual([null, 'SIGKILL']);
    const acknowledged = outcomes.flatMap((each) => (each.status === 'fulfilled' ? (each.value ?? []) : []));
    expect(acknowledged).toContain('user-25@example.com');

    program = start();
    await welcomed(program);
    for (const email of acknowledged) expect(await signIn(program, email, knownPassword)).toBe('OK');
  });
});

describe('a start by another process', () => {
  // One cluster for all of them: creating it takes longer than starting.
  let own: Workplace;
  beforeAll(async () => {
    own = await makeWorkplace();
  });
  afterAll(() => own.remove());

  test('npm start passes SIGTERM on to the core, which ends with 0', async () => {
    const npm = runNpmStart({ environment: { DATA_DIR: own.dataDir } });
    await npm.printed(/"msg":"ready"/);
    expect(await npm.end()).toEqual([0, null]);
    expect(npm.stdout()).toContain('"msg":"stopped"');
  });

  test('a terminal sends Ctrl-C to npm start and the core, npm passes it on again, and it ends in order', async () => {
    const npm = runNpmStart({ environment: { DATA_DIR: own.dataDir }, ownGroup: true });
    await npm.printed(/"msg":"ready"/);
    process.kill(-(npm.child.pid ?? 0), 'SIGINT');
    expect(await npm.ended).toEqual([0, null]);
    expect(npm.stdout()).toContain('"msg":"stopped"');
  });

  test('a core that lives as long as its input stops when that ends, and by a signal before', async () => {
    const startOwn = () =>
      runMain({
        environment: { DATA_DIR: own.dataDir },
        arguments: ['--ends-with-input'],
        keepsInput: true,
      });
    const abandoned = startOwn();
    await welcomed(abandoned);
    abandoned.child.stdin?.end();
    expect(await abandoned.ended).toEqual([0, null]);
    const stopped = startOwn();
    await addressOf(stopped);
    expect(await stopped.end()).toEqual([0, null]);
  });
});

test('Ctrl-C while the first start makes its cluster lets that be finished, and stops then', async () => {
  const workplace = await makeWorkplace();
  const program = runMain({ environment: { DATA_DIR: workplace.dataDir }, ownGroup: true });
  const made = () => readdir(workplace.dataDir).catch(() => []);
  await expect.poll(made).toContainEqual(expect.stringMatching(/^postgres\.init-/));
  process.kill(-(program.child.pid ?? 0), 'SIGINT');
  expect([await program.ended, program.stderr()]).toEqual([[0, null], '']);
  expect(await made()).toContain('postgres');
  await workplace.remove();
});

test('a PostgreSQL that is killed is started again, and the core never stops', async () => {
  const base = await addressOf(program);
  const file = path.join(place.dataDir, 'postgres', 'postmaster.pid');
  const pid = async () => Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0]);
  const before = await pid();
  process.kill(before, 'SIGKILL');
  await expect.poll(pid).toSatisfy((now: number) => now > 0 && now !== before);
  await expect.poll(async () => (await fetch(`${base}/health`)).status).toBe(200);
  expect(await signIn(program, 'user-25@example.com', knownPassword)).toBe('OK');
  expect(program.child.exitCode).toBeNull();
});
