/** The command's messages when a person gave it wrong input, or something breaks: one line, with the cure. */
import { spawnSync } from 'node:child_process';
import { appendFile, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePlace, type Place } from '../helpers/carryover.ts';
import { type FakeTus, startFakeTus } from '../helpers/tus-server.ts';

let tus: FakeTus;
let place: Place;

beforeEach(async () => {
  [tus, place] = await Promise.all([startFakeTus(), makePlace()]);
});

afterEach(async () => {
  await Promise.all([tus.stop().catch(() => undefined), place.remove()]);
});

const lines = (count: number): string =>
  Array.from(
    { length: count },
    (_, n) => `{"loginMethods":[{"recipeId":"passwordless","email":"user${n}@example.com"}]}\n`,
  ).join('');
const at = (...args: string[]): string[] => [...args, '--url', tus.url];
const importing = (...args: string[]): string[] => at('import', '--yes', ...args);

describe('a file that cannot be read', () => {
  it('is named when it is no text', async () => {
    await place.write('users.bin', Uint8Array.of(0x41, 0xff, 0xfe, 0x00, 0xc3, 0x28));
    const { code, stderr } = await place.run(importing('users.bin'));
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^users\.bin: .*UTF-8/) as string,
    });
  });

  it('is reported as a folder', async () => {
    await mkdir(path.join(place.folder, 'dump'));
    const { code, stderr } = await place.run(importing('dump'));
    expect({ code, jobs: tus.jobs.length }).toEqual({ code: 2, jobs: 0 });
    expect(stderr).toContain('dump: is a folder without files\n');
  });

  it('may belong to the file of its users', async () => {
    await place.write('hashes.csv', 'id,hash,salt\n1,a,b\n');
    const { stderr } = await place.run(importing('hashes.csv'));
    expect(stderr).toContain('goes with the file of its users');
  });
});

it('says at once that the port of a core speaks no TLS', async () => {
  await place.write('users.ndjson', lines(1));
  const secure = tus.url.replace('http:', 'https:');
  const { code, stderr } = await place.run(['import', '--yes', 'users.ndjson', '--url', secure]);
  expect(code).toBe(2);
  expect(stderr).toContain(
    `${secure} does not speak TLS, and the core itself never does: write --url ${tus.url}, or the address`,
  );
});

it.runIf(process.getuid?.() === 0)(
  'says that a file system is read-only where a folder cannot be made',
  async () => {
    await place.write('users.ndjson', lines(1));
    const folder = path.join(place.folder, 'read-only');
    await mkdir(folder);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', folder]).status === 0;
    try {
      const { code, stderr } = await place.run(importing('users.ndjson', '--out-dir', 'read-only/run'));
      // If nothing can be mounted the folder is an ordinary one.
      if (mounted)
        expect([code, stderr]).toEqual([
          2,
          expect.stringContaining('read-only/run: the file system is read-only'),
        ]);
    } finally {
      if (mounted) spawnSync('umount', [folder]);
    }
  },
);

it('asks for hashes that come in a file of their own, and only then', async () => {
  const user = {
    user_id: 'auth0|1',
    email: 'a@example.com',
    identities: [{ provider: 'auth0', user_id: '1' }],
  };
  await place.write('users.ndjson', `${JSON.stringify(user)}\n`);
  await place.write('hashes.ndjson', `${JSON.stringify({ _id: { $oid: '1' }, email: 'a@example.com' })}\n`);
  const asked =
    "Without --auth0-hashes FILE (the file that Auth0's support sends) only users whose hash stands in this file itself";
  const without = await place.run(importing('users.ndjson', '--from', 'auth0'));
  expect({ code: without.code, isAsked: without.stderr.includes(asked) }).toEqual({ code: 0, isAsked: true });
  const given = await place.run(
    importing('users.ndjson', '--from', 'auth0', '--auth0-hashes', 'hashes.ndjson'),
  );
  expect({ code: given.code, isAsked: given.stderr.includes(asked) }).toEqual({ code: 0, isAsked: false });
});

it('asks for the table with the hashes, unless it is in the file of the users', async () => {
  const user =
    '{"id":"u1","name":"A","email":"a@example.com","emailVerified":true,"image":null,"createdAt":"2024-01-01","updatedAt":"2024-01-01"}';
  const asked = 'Without --better-auth-accounts FILE (the table account)';
  await place.write('users.json', `[${user}]`);
  expect((await place.run(importing('users.json'))).stderr).toContain(asked);
  await place.write('both.json', `{"user":[${user}],"account":[]}`);
  expect((await place.run(importing('both.json'))).stderr).not.toContain(asked);
});

it('says of an export of Firebase what it leaves out, of how many users, and which parameters it takes', async () => {
  const user = (n: number): object => ({
    localId: `u${n}`,
    email: `u${n}@example.com`,
    providerUserInfo: [],
  });
  await place.write('users.json', JSON.stringify({ users: [user(1), user(2)] }));
  const { stderr } = await place.run(importing('users.json'));
  expect(stderr).toContain(
    '2 users with neither a password nor a provider: the command firebase auth:export',
  );
  expect(stderr).toContain('Taking Bw==, 8 and 14 for salt separator, rounds and memory cost');
  const said = await place.run(importing('users.json', '--firebase-rounds', '8'));
  expect(said.stderr).not.toContain('Taking Bw==');
  for (const each of [stderr, said.stderr])
    expect(each).toContain('base64_signer_key as its setting provider_password_hashing_signer_key: in the');
});

it('distinguishes a missing key from a wrong one', async () => {
  const none = await place.run(at('jobs'), { environment: { CARRYOVER_API_KEY: '' } });
  expect(none).toMatchObject({ code: 2, stdout: '' });
  expect(none.stderr).toContain('needs an API key, and none was given: set CARRYOVER_API_KEY');
  const wrong = await place.run(at('jobs'), { environment: { CARRYOVER_API_KEY: 'another-key' } });
  expect(wrong.stderr).toContain('does not take this API key');
});

it('does not offer to undo an import that changed nothing', async () => {
  await place.write('users.ndjson', lines(2));
  tus.rejected = 2;
  tus.rejects = [1, 2].map((line) => ({
    line,
    code: 'INVALID_FIELD',
    field: 'loginMethods',
    message: "Field name 'loginMethods' is invalid in JSON input: must not be empty",
  }));
  const { code, stdout } = await place.run(importing('users.ndjson'));
  expect(code).toBe(1);
  expect(stdout).not.toContain('undo');
  // Names the field once.
  expect(stdout).toMatch(/Field name 'loginMethods' is.*\n {6}line 1\b(?! at)/);
});

describe('a file that changes while it is imported', () => {
  it('and grows, is imported as it was, and this is said', async () => {
    const file = await place.write('users.ndjson', lines(50));
    tus.holdPatches = true;
    const running = place.start(importing('users.ndjson'));
    await tus.begun;
    await appendFile(file, lines(1));
    tus.holdPatches = false;
    await tus.stop();
    await tus.start();
    const { code, stderr } = await running.ended;
    expect(code).toBe(0);
    expect(tus.jobs[0]?.committed.toString()).toBe(lines(50));
    expect(stderr).toContain(
      'users.ndjson has changed since the import began: to bring what is new, import it again',
    );
  });

  it('and became shorter, is not to be resumed', async () => {
    const { size } = await stat(await place.write('users.ndjson', lines(5000)));
    tus.breakAfterBytes = size / 2;
    const running = place.start(importing('users.ndjson'));
    await running.said(/Waiting for the core/);
    await place.write('users.ndjson', lines(1));
    const { code, stderr } = await running.ended;
    expect(code).toBe(2);
    expect(stderr).toContain('became shorter while it was read: import it again');
    expect(stderr).not.toContain('resume');
    expect(await place.list(place.stateFolder)).toEqual([]);
    expect(tus.jobs[0]?.state).toBe('cancelled');
  });
});

describe('rejects that cannot be written', () => {
  const oneReject = (): void => {
    tus.rejected = 1;
    tus.rejects = [{ line: 1, code: 'INVALID_JSON', field: '', message: 'is bad' }];
  };

  it('are refused before there is a job, when there is no such folder', async () => {
    await place.write('users.ndjson', lines(1));
    const { code, stderr } = await place.run(
      importing('users.ndjson', '--rejects', 'nowhere/rejects.ndjson'),
    );
    expect({ code, jobs: tus.jobs.length }).toEqual({ code: 2, jobs: 0 });
    expect(stderr).toContain('rejects.ndjson: there is no such folder: make it first');
  });

  it.skipIf(process.platform !== 'linux')('go to another place by resume', async () => {
    await place.write('users.ndjson', lines(1));
    oneReject();
    const full = await place.run(importing('users.ndjson', '--rejects', '/dev/full', '--json'));
    expect(full.code).toBe(2);
    const said = '/dev/full: the disk is full. Go on with: npx --no carryover resume job-1';
    expect(full.stderr).toContain(said);
    const next = [{ command: 'npx --no carryover resume job-1 --yes', reason: expect.any(String) as string }];
    expect(JSON.parse(full.stdout)).toMatchObject({
      type: 'error',
      status: 'ERROR',
      code: 'FILE_ERROR',
      message: said,
      next,
    });
    const resumed = await place.run(['resume', '--yes', '--rejects', 'rejects.ndjson']);
    expect(resumed.code).toBe(1);
    expect(await place.read('rejects.ndjson')).toContain('INVALID_JSON');
  });
});
