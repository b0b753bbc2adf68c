/** A move over two cores of one database: who has a lease, who is in the share, and the share that stops automatically. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { eventually } from '../helpers/eventually.ts';
import { metric } from '../helpers/metrics.ts';
import { type MoveClient, moveClient, source } from '../helpers/moves.ts';
import { knownHash, knownPassword, newApp, newEmail, signIn } from '../helpers/people.ts';

let first: TestCore;
let second: TestCore;
let app: string;
let move: MoveClient;
let other: MoveClient;

beforeAll(async () => {
  first = await startTestCore();
  second = await startTestCore({ database: first.database });
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});
beforeEach(async () => {
  app = await newApp(first);
  move = moveClient(first, app);
  other = moveClient(second, app);
});

/** bcrypt of another password than `knownPassword`, as with a wrong pepper. */
const brokenHash = knownHash.replace('Ci15', 'Ci16');

/** @returns their emails */
async function importAll(count: number, passwordHash = knownHash): Promise<string[]> {
  const emails = Array.from({ length: count }, newEmail);
  const lines = emails.map((email) =>
    JSON.stringify({
      loginMethods: [{ recipeId: 'emailpassword', email, passwordHash, hashingAlgorithm: 'bcrypt' }],
    }),
  );
  const response = await fetch(`${first.url}${app}/bulk-import/jobs`, {
    method: 'PUT',
    headers: { 'api-key': first.apiKey },
    body: lines.join('\n'),
  });
  expect(await response.json()).toMatchObject({ job: { created: count } });
  return emails;
}

describe('a lease', () => {
  const claim = (at: MoveClient, holder: string, of: object = source.sent) =>
    at.post('/lease', { role: 'follow', holder, ...of });
  const renew = async (at: TestCore, fence: unknown, more: object = {}) =>
    (await at.put(`${app}/move/lease`, { role: 'follow', fence, ...more })).body;
  const expire = () =>
    withSql(first.database.connection, (sql) => sql`update carryover.move_leases set leased_until = 0`);

  it('has one holder, however many ask for it at the same time on both cores', async () => {
    await move.toFollowing();
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((holder, at) => claim(at % 2 === 0 ? move : other, holder)),
    );
    const held = answers.filter(({ status }) => status === 'LEASE_HELD_ERROR');
    expect([held.length, answers.filter(({ status }) => status === 'OK').length]).toEqual([3, 1]);
    expect(held[0]).toEqual({
      status: 'LEASE_HELD_ERROR',
      holder: expect.stringMatching(/^[a-d]$/) as string,
      leasedUntil: expect.any(Number) as number,
    });
  });

  it('that expired goes to another with its position, and its former holder is refused', async () => {
    await move.toFollowing();
    const { fence } = await claim(move, 'a');
    expect(await renew(second, fence, { position: '0/16B3748', lagMs: 20 })).toMatchObject({ status: 'OK' });
    await expire();
    const taken = await claim(other, 'b');
    expect(taken).toMatchObject({ status: 'OK', position: '0/16B3748', leaseMs: 15_000 });
    expect(await renew(first, fence, { position: '0/0' })).toEqual({ status: 'LEASE_LOST_ERROR' });
    expect(await move.post('/lease/release', { role: 'follow', fence })).toEqual({
      status: 'LEASE_LOST_ERROR',
    });
    expect(await renew(first, taken.fence)).toMatchObject({ status: 'OK' });
    await move.post('/lease/release', { role: 'follow', fence: taken.fence });
    expect(await claim(move, 'c')).toMatchObject({ status: 'OK', position: '0/16B3748' });
  });

  it('is for the source of the move, in the stages that have such a process', async () => {
    await move.start();
    expect(await claim(move, 'a')).toEqual({ status: 'STAGE_ERROR', stage: 'rehearsing' });
    await move.toFollowing();
    for (const wrong of [
      { system: 'django' },
      { source: 'forum' },
      { address: 'mysql://db2.example.com:3306/shop' },
    ])
      expect(await claim(move, 'a', { ...source.sent, ...wrong })).toEqual({
        status: 'OTHER_SOURCE_ERROR',
        source: source.shown,
      });
  });

  it('ends when the stage has no such process any more', async () => {
    await move.toFollowing();
    const { fence } = await claim(move, 'a');
    await renew(first, fence, { position: 'here' });
    await other.post('/back');
    expect(await renew(first, fence)).toEqual({ status: 'LEASE_LOST_ERROR' });
    await move.post('/next');
    expect(await claim(move, 'b')).toMatchObject({ status: 'OK', position: 'here' });
  });
});

describe('a share', () => {
  const answersOf = (at: MoveClient, emails: readonly string[]) =>
    Promise.all(emails.map(async (email) => (await at.where({ email })).signIn));

  it('has the same users on both cores, and after a restart', async () => {
    const emails = Array.from({ length: 60 }, newEmail);
    await move.toLeading(40);
    const here = await answersOf(move, emails);
    expect(new Set(here)).toEqual(new Set(['here', 'old']));
    expect(await answersOf(other, emails)).toEqual(here);
    const third = await startTestCore({ database: first.database });
    expect(await answersOf(moveClient(third, app), emails)).toEqual(here);
    await third.stop();
  });

  it('is seen to change by the other core within its cache', async () => {
    await move.toLeading(100);
    const email = newEmail();
    await eventually(async () => {
      expect(await other.where({ email })).toMatchObject({ signIn: 'here' });
    });
    await move.post('/back');
    await eventually(async () => {
      expect(await other.where({ email })).toMatchObject({ signIn: 'old' });
    });
  });
});

describe('a share whose users are refused', () => {
  const wrong = (at: TestCore, email: string, password = knownPassword) => signIn(at, email, password, app);
  const counted = (users: number, refused: number) =>
    eventually(async () => {
      const { refusals } = await move.status();
      expect(refusals).toMatchObject({ here: { users, refused } });
    });
  /** A core knows that the move leads at most five seconds after the step, and then counts. */
  const knowing = async (at: TestCore, email: string) => {
    await eventually(async () => {
      await signIn(at, email, knownPassword, app);
      expect(await move.status()).toMatchObject({ refusals: { here: { users: 1 } } });
    }, 200);
  };

  it('returns to 0 automatically, counted by both cores, and says what it saw', async () => {
    const [someone = ''] = await importAll(1);
    const right = await importAll(3);
    const broken = await importAll(2, brokenHash);
    await move.toLeading(100, 0.1);
    await knowing(second, someone);
    for (const email of right) expect(await wrong(first, email)).toBe('OK');
    await counted(4, 0);
    const [one = '', two = ''] = broken;
    for (const at of [first, second]) await wrong(at, one);
    await counted(5, 1);
    expect(await move.where({ email: one })).toMatchObject({ signIn: 'here' });
    for (const at of [second, first]) await wrong(at, two);
    await eventually(async () => {
      expect(await move.status()).toMatchObject({ stage: 'following', share: 0 });
    });
    await eventually(async () => {
      for (const at of [move, other]) expect(await at.where({ email: one })).toMatchObject({ signIn: 'old' });
    });
    const { history } = (await move.status()) as unknown as { history: Record<string, unknown>[] };
    const seen = { users: 6, refused: 2, refusedBefore: 0.001, share: 100 };
    expect(history[0]).toMatchObject({
      kind: 'stop',
      actor: 'core',
      figures: { ...seen, from: { stage: 'leading' } },
    });
    await eventually(async () => {
      const { body } = await first.get(`${app}/config/audit`, { what: 'move.stop' });
      expect(body.entries).toMatchObject([{ who: 'core', outcome: 'OK', count: 2, details: seen }]);
    });
    const metrics = [await first.get('/metrics'), await second.get('/metrics')]
      .map(({ text }) => text)
      .join('\n');
    expect(
      (await metric(first, 'carryover_move_stops_total')) +
        (await metric(second, 'carryover_move_stops_total')),
    ).toBe(1);
    expect(metrics).toMatch(/carryover_moves\{stage="following"\} [1-9]/);
    expect([...first.log, ...second.log].join('')).toContain('a share has returned to 0');
  });

  it('counts a user once, not for one typing error, and not with a password that was set here', async () => {
    const [careless = '', forgetful = '', changed = '', last = ''] = await importAll(4);
    await move.toLeading(100, 5);
    await wrong(first, careless, 'typo');
    for (let n = 0; n < 3; n++) expect(await wrong(first, careless)).toBe('OK');
    await counted(1, 0);
    for (let n = 0; n < 5; n++) await wrong(first, forgetful, 'forgotten');
    expect(await wrong(first, forgetful)).toBe('OK');
    await counted(2, 1);
    const { body } = await first.get(`${app}/recipe/user`, { email: changed });
    const recipeUserId = (body as { user?: { id: string } }).user?.id ?? (await idOf(changed));
    await first.put(`${app}/recipe/user`, { recipeUserId, password: 'another password 1' });
    for (let n = 0; n < 3; n++) await wrong(first, changed);
    await wrong(first, newEmail());
    await wrong(first, last);
    await counted(3, 1);
    expect(first.log.join('')).not.toContain('could not be counted');
  });

  it('is what sign-ins are counted for: while no user is to sign in here, they cost no statement', async () => {
    const emails = await importAll(5);
    await move.toFollowing();
    const statements = () =>
      metric(first, 'carryover_batch_size_count', { operation: 'count-outcome-of-move' });
    const before = await statements();
    for (const email of emails) expect(await wrong(first, email)).toBe('OK');
    await wrong(first, emails[0] ?? '', 'wrong');
    // In order: what an earlier sign-in had started is there with the outcome of this one.
    await move.toLeading(100, 5);
    await wrong(first, emails[1] ?? '');
    await counted(1, 0);
    expect((await statements()) - before).toBe(1);
  });

  it('begins to count again with each step into leading', async () => {
    const [email = ''] = await importAll(1);
    await move.toLeading(100, 5);
    await wrong(first, email);
    await counted(1, 0);
    await move.post('/back');
    expect((await move.status()).refusals).not.toHaveProperty('here');
    await move.toLeading(50, 5);
    await counted(0, 0);
  });

  const idOf = async (email: string): Promise<string> => {
    const { body } = await first.get(`${app}/users/by-accountinfo`, { email });
    return (body.users as { id: string }[])[0]?.id ?? '';
  };
});

describe('sign-ins at the old system', () => {
  const report = async (signIns: readonly object[]) =>
    (await second.post(`${app}/move/sign-ins`, { signIns })).body;

  it('say how many users were refused before, so a share needs no other figure', async () => {
    const emails = await importAll(310);
    await move.toFollowing();
    await move.ready();
    expect(await report(emails.map((email) => ({ email, isRight: true })))).toEqual({ status: 'OK' });
    const [email = ''] = await importAll(1);
    for (let n = 0; n < 3; n++) expect(await report([{ email, isRight: false }])).toEqual({ status: 'OK' });
    const unknown = [
      { email: newEmail(), isRight: false },
      { userId: 'unknown', isRight: true },
    ];
    expect(await report(unknown)).toEqual({ status: 'OK' });
    expect(await move.status()).toMatchObject({
      refusals: { before: { users: 311, refused: 1 } },
      objections: [],
    });
    expect(await move.post('/next')).toMatchObject({ status: 'OK', share: 5 });
    const { refusals } = (await move.status()) as unknown as {
      refusals: { here: { refusedBefore: number } };
    };
    expect(refusals.here.refusedBefore).toBeGreaterThan(1 / 311);
  });

  it('are not taken without a move, and need a user each', async () => {
    expect(await report([{ email: newEmail(), isRight: true }])).toEqual({ status: 'NO_MOVE_ERROR' });
    const answer = await second.post(`${app}/move/sign-ins`, { signIns: [{ isRight: true }] });
    expect([answer.http, answer.body.message]).toEqual([400, expect.stringContaining("'signIns'")]);
  });
});
