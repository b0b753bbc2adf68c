/** The real command against a whole core: imports of whole files as processes, other commands within the test's process. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import type { Place } from '../helpers/carryover.ts';
import type { Ended } from '../helpers/command.ts';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { knownHash, knownPassword } from '../helpers/people.ts';
import { useCoreAndPlace, withTestKey as key } from '../helpers/use-core.ts';

let core: TestCore;
let place: Place;

useCoreAndPlace((used) => {
  ({ core, place } = used);
});

const at = (...args: string[]): string[] => [...args, '--url', core.url];
const runProcess = (args: readonly string[]): Promise<Ended> => place.start(args, key).ended;
const native = (n: number, passwordHash = knownHash): string =>
  `${JSON.stringify({ externalUserId: `n${n}`, loginMethods: [{ recipeId: 'emailpassword', email: `n${n}@example.com`, passwordHash }] })}\n`;
const signIn = async (email: string): Promise<unknown> =>
  (await core.post('/recipe/signin', { email, password: knownPassword })).body.status;
const jobId = async (): Promise<string> => {
  const { stdout } = await runProcess(at('status', '--json'));
  return (JSON.parse(stdout) as { job: { id: string } }).job.id;
};

it('imports native records, reports rejects by their lines, and undoes it', async () => {
  const text = Array.from({ length: 500 }, (_, n) => native(n, n === 41 ? 'broken' : undefined)).join('');
  await place.write('users.ndjson', text);
  const { code, stdout } = await runProcess(at('import', '--yes', 'users.ndjson'));
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/created +499\n/) as string });
  expect(stdout).toContain('line 42 at loginMethods.0.passwordHash');
  expect(await signIn('n7@example.com')).toBe('OK');
  const again = await runProcess(at('import', '--yes', 'users.ndjson', '--json'));
  expect(JSON.parse(again.stdout)).toMatchObject({
    job: { created: 0, unchanged: 499, rejected: 1, state: 'done' },
  });
  expect((await runProcess(at('undo', await jobId(), '--yes'))).code).toBe(0);
});

it('refuses a tenant that is not there before anything is uploaded, and says how to make it', async () => {
  await place.write('tenant.ndjson', native(900));
  const before = await jobId();
  const importing = at('import', '--yes', 'tenant.ndjson', '--tenant', 'acme');
  const refused = await runProcess(importing);
  expect(refused.code).toBe(2);
  const request = `curl -X PUT ${core.url}/recipe/multitenancy/tenant/v2 `;
  expect(refused.stderr).toContain(`There is no tenant 'acme' in this app`);
  expect(refused.stderr).toContain(request);
  expect(await jobId()).toBe(before);
  await core.put('/recipe/multitenancy/tenant/v2', { tenantId: 'acme' });
  expect((await runProcess(importing)).code).toBe(0);
});

it('imports an export of unknown length, into a dry run first', async () => {
  const head = 'id,name,email,email_verified_at,password,remember_token,created_at,updated_at\n';
  const rows = Array.from({ length: 300 }, (_, n) =>
    [n, 'X', `l${n}${n === 9 ? ' at ' : '@'}example.com`, '', knownHash, '', '2024-01-01 00:00:00', ''].join(
      ',',
    ),
  );
  await place.write('users.csv', `${head}${rows.join('\n')}\n`);
  const dry = await runProcess(at('import', '--yes', 'users.csv', '--dry-run', '--json'));
  expect(JSON.parse(dry.stdout)).toMatchObject({
    records: 300,
    rejected: 1,
    job: { created: 299, dryRun: true },
  });
  expect(await signIn('l1@example.com')).toBe('WRONG_CREDENTIALS_ERROR');
  const real = await runProcess(at('import', '--yes', 'users.csv', '--json'));
  expect(real.code).toBe(1);
  expect(JSON.parse(real.stdout)).toMatchObject({
    records: 300,
    rejected: 1,
    job: { created: 299, state: 'done' },
  });
  expect(await signIn('l1@example.com')).toBe('OK');
});

it('says the same of an export in import, jobs and status: what conversion rejects belongs to the job', async () => {
  const rows = Array.from({ length: 20 }, (_, n) => {
    const email = n % 5 === 4 ? '' : `t${n}${n === 3 ? ' at ' : '@'}example.com`;
    return [n + 9000, 'X', email, '', knownHash, '', '2024-01-01 00:00:00', ''].join(',');
  });
  const head = 'id,name,email,email_verified_at,password,remember_token,created_at,updated_at\n';
  await place.write('told.csv', `${head}${rows.join('\n')}\n`);
  const words =
    / {2}15 can sign in today\n(?: {4}.*\n)+ {2}0 restricted: .*\n {2}5 not imported\n {4}4 .*\(NOT_IMPORTABLE\)\n {6}record 5.*, record 10.*, record 15.* and 1 more record\n {4}1 .*\(NOT_IMPORTABLE\)\n {6}record 4 at /;
  for (const args of [
    ['inspect', 'told.csv'],
    ['import', '--yes', 'told.csv', '--dry-run'],
    ['import', '--yes', 'told.csv'],
    ['status'],
  ])
    expect((await runProcess(at(...args))).stdout).toMatch(words);
  expect((await runProcess(at('jobs'))).stdout).toMatch(/ 20 +15 +0 +5 +0 +0 +0 +told.csv\n/);
  const classes = {
    canSignIn: 15,
    canSignInBy: { password: 15 },
    restricted: 0,
    notImported: 5,
    removedHere: 0,
    withLoss: 0,
  };
  const ended = await runProcess(at('import', '--yes', 'told.csv', '--json'));
  expect(JSON.parse(ended.stdout)).toMatchObject({
    records: 20,
    rejected: 5,
    rejectedByConversion: 5,
    classes,
    job: { rejected: 5, lines: 20 },
  });
  const json = async (...args: string[]) =>
    JSON.parse((await runProcess(at(...args, '--json'))).stdout) as object;
  expect(await json('status')).toMatchObject({ classes });
  type Listed = readonly { readonly name: string; readonly classes: object }[];
  const { jobs, dryRuns } = (await json('jobs')) as { jobs: Listed; dryRuns: Listed };
  const told = [...jobs, ...dryRuns].filter(({ name }) => name === 'told.csv');
  expect(told.map((job) => job.classes)).toEqual([classes, classes, classes]);
});

it('names the user with an email that a record may not take, and the record that a duplicate repeats', async () => {
  await place.write('holder.ndjson', native(2401));
  await runProcess(at('import', '--yes', 'holder.ndjson'));
  const taken = native(2402).replace('n2402@', 'n2401@');
  await place.write('taken.ndjson', taken);
  const { stdout } = await runProcess(at('import', '--yes', '--show-samples', 'taken.ndjson'));
  expect(stdout).toContain('line 1 at loginMethods.0.email (user n2401 has it)');
  expect(stdout).toContain('a user has one external id and one password, so leave the record out');
  await place.write('twice.ndjson', native(2403) + native(2404) + native(2405).replace('n2405@', 'N2403@'));
  expect((await runProcess(at('inspect', 'twice.ndjson'))).stdout).toContain(
    'line 3 at loginMethods.0.email (as line 1)',
  );
});

const withTotp = (n: number): string => {
  const user = JSON.parse(native(n)) as object;
  return `${JSON.stringify({ ...user, totpDevices: [{ secretKey: 'JBSWY3DPEHPK3PXP' }] })}\n`;
};

it('says of second factors that who has them cannot sign in yet, before and after', async () => {
  await place.write('factors.ndjson', native(2001) + withTotp(2002) + withTotp(2003));
  const warning =
    / {2}1 can sign in today\n {4}1 .*\n {2}2 restricted: .*\n {4}2 second factor\n(.*\n){1,2} {2}second factors: 2 totp\n.*imported and cannot sign in until that is lifted/;
  const runs = [
    ['inspect', 'factors.ndjson'],
    ['import', '--yes', 'factors.ndjson', '--dry-run'],
    ['import', '--yes', 'factors.ndjson'],
    ['status'],
  ];
  for (const args of runs) expect((await place.run(at(...args), key)).stdout).toMatch(warning);
  expect((await place.run(at('jobs'), key)).stdout).toMatch(
    /can sign in +restricted +not imported +removed here +with a loss.*\n.* 3 +1 +2 +0 +0 +0 +0 +factors.ndjson/,
  );
  expect(await signIn('n2001@example.com')).toBe('OK');
  expect(await signIn('n2003@example.com')).toBe('WRONG_CREDENTIALS_ERROR');
});

it('lets people with second factors in by the password alone where it is asked to', async () => {
  await place.write('factors.ndjson', native(2101) + withTotp(2102));
  const { code, stdout } = await place.run(
    at('import', '--yes', 'factors.ndjson', '--second-factor', 'flag'),
    key,
  );
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/right password alone signs these people in/) as string,
  ]);
  expect(await signIn('n2102@example.com')).toBe('OK');
});

it('warns of join dates that can hardly be true, before and after', async () => {
  const dated = (n: number, date: number) =>
    native(n).replace('"email"', `"timeJoinedInMSSinceEpoch":${date},"email"`);
  await place.write('dates.ndjson', dated(2301, 1_690_000_000) + dated(2302, 1_690_000_000_000));
  const warning =
    /1 imported with something lost\n {4}1 odd join dates, before 2000 or in the future.*milliseconds/;
  const runs = [
    ['inspect', 'dates.ndjson'],
    ['import', '--yes', 'dates.ndjson', '--dry-run'],
    ['import', '--yes', 'dates.ndjson'],
    ['status'],
  ];
  for (const args of runs) expect((await place.run(at(...args), key)).stdout).toMatch(warning);
  const { stdout } = await place.run(at('inspect', 'dates.ndjson', '--json'), key);
  expect(JSON.parse(stdout)).toMatchObject({ oddDates: 1 });
});

it('purges an import: its counts stay, its rejects and its undo go', async () => {
  await place.write('purged.ndjson', native(2201) + native(2202, 'broken'));
  await place.run(at('import', '--yes', 'purged.ndjson'), key);
  const id = await jobId();
  const rejects = async () => (await core.get(`/bulk-import/jobs/${id}/rejects`)).text;
  expect(await rejects()).toContain('"n2202"');
  const { code, stdout } = await place.run(at('purge', id, '--yes'), key);
  expect([code, stdout]).toEqual([
    0,
    `Purged: of job ${id} only the counts are left, and it cannot be undone\n`,
  ]);
  expect(await rejects()).toBe('');
  expect((await place.run(at('status', id), key)).stdout).toMatch(/done, purged.*\n +created +1\n/s);
  const undone = await place.run(at('undo', id, '--yes'), key);
  expect([undone.code, undone.stderr]).toEqual([2, expect.stringContaining('cannot be undone') as string]);
  expect((await place.run(at('purge', '--yes', '0198c0de-0000-7000-8000-000000000000'), key)).code).toBe(2);
});

it('says what the core refuses', async () => {
  const wrong = await place.run(at('jobs'), {
    environment: { CARRYOVER_API_KEY: 'not-the-key-of-this-core' },
  });
  expect(wrong).toMatchObject({ code: 2, stdout: '' });
  const app = await place.run(at('jobs', '--app', 'nobody'), key);
  expect(app.stderr).toContain("has no app 'nobody'");
  expect((await place.run(at('status', 'no-such-job'), key)).code).toBe(2);
});

it('survives a restart of the core in the middle: every user once', async () => {
  const total = 30_000;
  await place.write('many.ndjson', Array.from({ length: total }, (_, n) => native(100_000 + n)).join(''));
  const before = await startTestCore();
  const front = await startFront(before.port);
  const running = place.start(['import', '--yes', 'many.ndjson', '--json', '--url', front.url], key);
  await someCommitted(before);
  front.target = undefined;
  await before.close();
  await running.said(/Waiting for the core/);
  const after = await startTestCore({ database: before.database });
  front.target = after.port;
  const { code, stdout } = await running.ended;
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ records: total, job: { created: total, state: 'done' } });
  expect((await after.get('/users/count')).body.count).toBe(total);
  await Promise.all([front.stop(), after.stop()]);
  await before.stop();
});

/** Resolves as soon as a part of the newest job is durable. */
async function someCommitted(from: TestCore): Promise<void> {
  for (;;) {
    const { jobs } = (await from.get('/bulk-import/jobs')).body as { jobs: { bytes: number }[] };
    if ((jobs[0]?.bytes ?? 0) > 0) return;
  }
}

interface Front {
  readonly url: string;
  /** The destination of connections. Setting it breaks open ones; with undefined new ones are closed at once. */
  target: number | undefined;
  stop(): Promise<void>;
}

/** One address for a core that returns at another: its port may be taken in the meantime. */
async function startFront(first: number): Promise<Front> {
  let target: number | undefined = first;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  };
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((socket) => {
    keep(socket);
    if (target === undefined) {
      socket.destroy();
      return;
    }
    const onward = connect(target, '127.0.0.1');
    keep(onward);
    socket.pipe(onward).pipe(socket);
    socket.once('close', () => onward.destroy());
    onward.once('close', () => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get target() {
      return target;
    },
    set target(port) {
      target = port;
      breakAll();
    },
    async stop() {
      breakAll();
      server.close();
      await once(server, 'close');
    },
  };
}

it('says of a file of nothing but rejects that it is the wrong one', async () => {
  const line = `${JSON.stringify({ id: 7, name: 'no user' })}\n`;
  await place.write('orders.ndjson', line.repeat(12_000));
  const { code, stderr } = await place.run(at('import', '--yes', 'orders.ndjson', '--from', 'native'), key);
  expect(code).toBe(2);
  expect(stderr).toMatch(/Stopped after 1\d,\d{3} records: .*is this the right file.*Its rejects: GET/);
  expect((await place.run(at('status'), key)).stdout).toMatch(/cancelled.*\n +Stopped: The first 10,000/);
});

it('ends with 0 when all that a later import leaves out was removed here', async () => {
  await place.write('night.ndjson', native(2601) + native(2602));
  expect((await place.run(at('import', '--yes', 'night.ndjson'), key)).code).toBe(0);
  await core.post('/user/remove', { userId: 'n2601' });
  const again = await place.run(at('import', '--yes', 'night.ndjson', '--json'), key);
  expect([again.code, JSON.parse(again.stdout)]).toMatchObject([
    0,
    {
      rejected: 1,
      classes: { notImported: 0, removedHere: 1 },
      job: { unchanged: 1, removedHere: 1 },
      next: [],
    },
  ]);
  const told = await place.run(at('status'), key);
  expect(told.stdout).toContain('  0 not imported\n  1 left out: removed here since they were imported');
  await place.write('night.ndjson', native(2601) + native(2602) + native(2603, 'broken'));
  expect((await place.run(at('import', '--yes', 'night.ndjson'), key)).code).toBe(1);
});

it('leaves a core as it is without --yes, and says by how users would sign in', async () => {
  const social = {
    recipeId: 'thirdparty',
    email: 's@example.com',
    thirdPartyId: 'google',
    thirdPartyUserId: '1',
  };
  const others = [social, { recipeId: 'passwordless', email: 'c@example.com' }];
  const lines = others.map((method) => `${JSON.stringify({ loginMethods: [method] })}\n`);
  await place.write('ways.ndjson', native(2701) + lines.join(''));
  const shown = await place.run(at('import', 'ways.ndjson', '--json'), key);
  const canSignInBy = { password: 1, code: 1, provider: 1 };
  expect([shown.code, JSON.parse(shown.stdout)]).toMatchObject([
    2,
    { type: 'import', status: 'NEEDS_YES', would: { dryRun: true, classes: { canSignIn: 3, canSignInBy } } },
  ]);
  expect((await core.get('/user/id?userId=n2701')).body.status).toBe('UNKNOWN_USER_ID_ERROR');
  const { next } = JSON.parse(shown.stdout) as { next: readonly { command: string }[] };
  const [, ...args] = next[0]?.command.replace(/^npx --no /, '').split(' ') ?? [];
  const done = await place.run(args, key);
  expect([done.code, JSON.parse(done.stdout)]).toMatchObject([0, { classes: { canSignIn: 3, canSignInBy } }]);
  const again = await place.run(at('import', 'ways.ndjson', '--yes', '--json'), key);
  expect(JSON.parse(again.stdout)).toMatchObject({ job: { unchanged: 3 }, classes: { canSignInBy } });
});
