/** The move of an app from its old system: its stages, what is against a step, and where users sign in. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { importUser, newEmail } from '../helpers/people.ts';
import { useCoreAndApps } from '../helpers/use-core.ts';
import { type MoveClient, moveClient, source } from '../helpers/moves.ts';

let core: TestCore;
let app: string;
let move: MoveClient;
useCoreAndApps((used) => {
  ({ core, app } = used);
});
beforeEach(() => {
  move = moveClient(core, app);
});

describe('GET /move', () => {
  const old = { signIn: 'old', signUp: 'old' };
  const here = { signIn: 'here', signUp: 'here' };

  it('says where to sign in at each stage', async () => {
    const email = newEmail();
    expect(await move.where({ email })).toEqual({ status: 'OK', ...old, reason: 'NO_MOVE' });
    await move.start();
    expect(await move.where({ email })).toMatchObject({ ...old, reason: 'REHEARSING' });
    await move.toFollowing();
    expect(await move.where({ email })).toMatchObject({ ...old, reason: 'FOLLOWING' });
    await move.toLeading(100);
    expect(await move.where({ email })).toMatchObject({ ...here, reason: 'IN_SHARE' });
    await move.post('/back');
    expect(await move.where({ email })).toMatchObject({ ...old, reason: 'FOLLOWING' });
    await move.toLeading(100);
    await move.post('/close');
    expect(await move.where({ email })).toMatchObject({ ...here, reason: 'CLOSED' });
  });

  it('of an abandoned move says old', async () => {
    await move.start();
    expect(await move.post('/close', { abandon: true })).toMatchObject({ status: 'OK', share: 0 });
    expect(await move.where({ email: newEmail() })).toMatchObject({ ...old, reason: 'ABANDONED' });
  });

  it('keeps who is in the share as it grows, and takes about as many as it says', async () => {
    const emails = Array.from({ length: 300 }, newEmail);
    const inShare = async () => {
      const answers = await Promise.all(emails.map((email) => move.where({ email })));
      return emails.filter((_, at) => answers[at]?.signIn === 'here');
    };
    await move.toLeading(10);
    const few = await inShare();
    await move.raise(50);
    const half = await inShare();
    expect(few.filter((email) => !half.includes(email))).toEqual([]);
    expect([few.length > 5, few.length < 80, half.length > 90, half.length < 210]).toEqual(
      Array(4).fill(true),
    );
    await move.post('/back', { share: 10 });
    expect(await inShare()).toEqual(few);
    await move.post('/back');
    await move.toLeading(10);
    expect(await inShare()).toEqual(few);
  });

  it('is the same for every id and email of a user, and for an email before and after its sign-up', async () => {
    await move.toLeading(50);
    for (let n = 0; n < 12; n++) {
      const [email, second] = [newEmail(), newEmail()];
      const before = await move.where({ email });
      const { id } = await importUser(core, email, app);
      const externalUserId = `old-${n}`;
      await core.post(`${app}/recipe/userid/map`, { superTokensUserId: id, externalUserId });
      const other = await importUser(core, second, app);
      await core.post(`${app}/recipe/accountlinking/user/primary`, { recipeUserId: id });
      await core.post(`${app}/recipe/accountlinking/user/link`, {
        primaryUserId: id,
        recipeUserId: other.id,
      });
      const named = [
        { email },
        { email: ` ${email.toUpperCase()} ` },
        { email: second },
        { userId: externalUserId },
        { userId: id },
        { userId: other.id },
      ];
      const answers = await Promise.all(named.map((each) => move.where(each)));
      expect(answers).toEqual(named.map(() => before));
    }
  });

  it.each([
    ['neither', {}],
    ['both', { email: 'a@example.com', userId: 'a' }],
  ])('refuses %s of email and id', async (_which, query) => {
    const answer = await core.get(`${app}/move`, query);
    expect([answer.http, answer.body.message]).toEqual([
      400,
      "Give one of 'email' and 'userId' in GET request",
    ]);
  });
});

describe('a start', () => {
  it('is refused while a move is open, and possible after it', async () => {
    await move.start();
    expect(await move.post('', { system: 'django' })).toEqual({
      status: 'MOVE_EXISTS_ERROR',
      source: source.shown,
    });
    await move.post('/close', { abandon: true });
    expect(await move.post('', { system: 'django' })).toEqual({ status: 'OK' });
    expect(await move.status()).toMatchObject({
      stage: 'rehearsing',
      source: { system: 'django', label: '' },
    });
  });

  it('of one app is only done once when two are under way', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => move.post('', source.sent)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...Array<string>(3).fill('MOVE_EXISTS_ERROR'),
      'OK',
    ]);
  });

  it('for another source than that of the imports is refused with the known ones', async () => {
    await core.put(`${app}/bulk-import/jobs?source=shop`, { loginMethods: [] });
    expect(await move.post('', { system: 'laravel', source: 'forum' })).toEqual({
      status: 'UNKNOWN_SOURCE_ERROR',
      labels: ['shop'],
    });
    expect(await move.post('', { system: 'laravel', source: 'shop' })).toEqual({ status: 'OK' });
  });

  it.each([
    ['a user', 'mysql://root:secret@db.example.com/shop'],
    ['options', 'mysql://db.example.com/shop?password=secret'],
  ])('with %s in the address is refused, and does not repeat it', async (_what, address) => {
    const answer = await core.post(`${app}/move`, { system: 'laravel', address });
    expect([answer.http, answer.text.includes('secret')]).toEqual([400, false]);
    expect(answer.body.message).toContain("'address'");
  });
});

describe('a step', () => {
  const codes = (answer: Readonly<Record<string, unknown>>) =>
    (answer.objections as { code: string }[]).map(({ code }) => code);

  it('without a move has none to step', async () => {
    for (const path of ['/next', '/back', '/close', '/plan', '/lease'])
      expect(
        (await move.post(path, { users: 1, role: 'follow', holder: 'h', system: 'laravel' })).status,
      ).toBe('NO_MOVE_ERROR');
    expect(await move.status()).toEqual({ status: 'NO_MOVE_ERROR' });
  });

  it('into following needs a plan, and no canary that failed', async () => {
    await move.start();
    await move.post('/canaries', { verified: 3, failed: 2 });
    const refused = await move.post('/next');
    expect([refused.status, codes(refused)]).toEqual([
      'STEP_REFUSED_ERROR',
      ['PLAN_MISSING', 'CANARIES_FAILED'],
    ]);
    expect(JSON.stringify(refused)).toContain('2 known passwords failed');
    await move.post('/plan', { users: 10 });
    await move.post('/canaries', { verified: 5, failed: 0 });
    expect(await move.post('/next')).toMatchObject({ status: 'OK', stage: 'following', share: 0 });
  });

  it('into leading names everything that is missing, with a cure each', async () => {
    await move.toFollowing();
    const refused = await move.post('/next');
    expect(codes(refused)).toEqual([
      'COMPARISON_MISSING',
      'WAY_BACK_MISSING',
      'FOLLOWER_MISSING',
      'REFUSALS_UNKNOWN',
    ]);
    for (const { message, cure } of refused.objections as { message: string; cure: string }[])
      expect([message.length > 10, cure.length > 10]).toEqual([true, true]);
    expect((await move.status()).objections).toEqual(refused.objections);
  });

  it.each([
    ['differences', 'DIFFERENCES', (): Promise<unknown> => move.compared({ unexplained: 2 })],
    ['an old comparison', 'COMPARISON_STALE', () => move.compared({ tookMs: 86_500_000 })],
    [
      'users without a way back',
      'NO_WAY_BACK',
      () => move.wayBack({ without: 4, why: { HASH_NOT_TAKEN: 4 } }),
    ],
    ['an old report of the way back', 'WAY_BACK_STALE', () => move.wayBack({ tookMs: 86_500_000 })],
    ['a follower that is late', 'FOLLOWER_LAG', () => move.lag('follow', 60_001)],
    ['failed canaries', 'CANARIES_FAILED', () => move.post('/canaries', { verified: 0, failed: 1 })],
  ])('into leading is refused for %s', async (_what, code, spoil) => {
    await move.toFollowing();
    await move.ready();
    await spoil();
    const refused = await move.post('/next', { share: 5, refusedBefore: 1 });
    expect([refused.status, codes(refused)]).toEqual(['STEP_REFUSED_ERROR', [code]]);
    expect(await move.status()).toMatchObject({ stage: 'following' });
  });

  it('says why there is no way back', async () => {
    await move.toFollowing();
    await move.wayBack({ without: 4, why: { HASH_NOT_TAKEN: 3, NO_EMAIL: 1 } });
    expect(JSON.stringify(await move.post('/next'))).toContain(
      '4 users have no way back to the old system (HASH_NOT_TAKEN: 3, NO_EMAIL: 1)',
    );
  });

  it('to a greater share needs the process that writes back', async () => {
    await move.toLeading(5);
    const refused = await move.post('/next');
    expect([refused.status, codes(refused)]).toEqual(['STEP_REFUSED_ERROR', ['WRITER_MISSING']]);
    await move.claim('write-back');
    expect(codes(await move.post('/next'))).toEqual(['WRITER_LAG_UNKNOWN']);
    await move.lag('write-back', 61_000);
    expect(codes(await move.post('/next'))).toEqual(['WRITER_LAG']);
    await move.lag('write-back', 10);
    expect(await move.post('/next')).toMatchObject({ status: 'OK', share: 25 });
  });

  it('away from following needs what happened here in the old system, once users have signed in here', async () => {
    await move.toLeading(50);
    await move.claim('write-back');
    await move.post('/back');
    for (const [path, input] of [
      ['/back', {}],
      ['/close', { abandon: true }],
    ] as const)
      expect(codes(await move.post(path, input))).toEqual(['NOT_WRITTEN_BACK']);
    await move.lag('write-back', 0, 0);
    expect(await move.post('/back')).toMatchObject({ status: 'OK', stage: 'rehearsing' });
    expect(await move.post('/close', { abandon: true })).toMatchObject({ status: 'OK', share: 0 });
  });

  it('to the end is refused while some users sign in at the old system', async () => {
    await move.toLeading(50);
    expect(codes(await move.post('/close'))).toEqual(['SHARE_NOT_WHOLE']);
    expect(await move.post('/close', { abandon: true })).toMatchObject({ status: 'NO_SUCH_STEP_ERROR' });
  });

  it.each([
    ['back from the rehearsal', 'rehearsing', '/back', {}],
    ['a share in the rehearsal', 'rehearsing', '/next', { share: 5 }],
    ['a smaller share by next', 'leading', '/next', { share: 10 }],
    ['a greater share by back', 'leading', '/back', { share: 30 }],
  ])('that does not exist is refused with a cure: %s', async (_what, stage, path, input) => {
    if (stage === 'leading') await move.toLeading(20);
    else await move.start();
    const answer = await move.post(path, input);
    expect(answer).toMatchObject({
      status: 'NO_SUCH_STEP_ERROR',
      cure: expect.stringContaining('carryover') as string,
    });
  });

  it('in a dry run says what it would do, and what is against it, and does nothing', async () => {
    await move.start();
    const dry = await move.post('/next', { dryRun: true });
    expect([dry.status, dry.dryRun, dry.stage, codes(dry)]).toEqual([
      'OK',
      true,
      'following',
      ['PLAN_MISSING'],
    ]);
    expect((dry.steps as string[]).length).toBeGreaterThan(0);
    expect(await move.status()).toMatchObject({ stage: 'rehearsing', revision: 1 });
  });

  it('is taken once when two take it at the same time', async () => {
    await move.start();
    await move.post('/plan', { users: 1 });
    const { revision } = await move.status();
    const answers = await Promise.all([1, 2, 3].map(() => move.post('/next', { revision })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      'MOVE_CHANGED_ERROR',
      'MOVE_CHANGED_ERROR',
      'OK',
    ]);
    expect(await move.status()).toMatchObject({ stage: 'following', revision: 2 });
  });
});

describe('the history', () => {
  it('has each step with its actor, its figures and its time, newest first', async () => {
    await move.toLeading(5);
    await move.post('/back');
    const { history } = (await move.status()) as unknown as { history: Record<string, unknown>[] };
    expect(history.map(({ kind, stage, share }) => [kind, stage, share])).toEqual([
      ['step', 'following', 0],
      ['step', 'leading', 5],
      ['way-back', 'following', 0],
      ['comparison', 'following', 0],
      ['step', 'following', 0],
      ['plan', 'rehearsing', 0],
      ['start', 'rehearsing', 0],
    ]);
    expect(history[1]).toMatchObject({
      actor: 'api_keys',
      at: expect.any(Number) as number,
      figures: {
        from: { stage: 'following', share: 0 },
        unexplained: 0,
        followLagMs: 10,
        refusedBefore: 0.01,
      },
    });
  });

  it('cannot be changed', async () => {
    await move.start();
    const change = withSql(
      core.database.connection,
      (sql) => sql`update carryover.move_events set actor = 'x'`,
    );
    await expect(change).rejects.toThrow('the history of a move is not changed');
  });

  it('goes with the app', async () => {
    await move.toLeading(5);
    const appId = app.slice('/appid-'.length);
    expect((await core.post('/recipe/multitenancy/app/remove', { appId })).body).toEqual({
      status: 'OK',
      didExist: true,
    });
    const rows = await withSql(
      core.database.connection,
      (sql) => sql`
      select from carryover.moves m where not exists (select from carryover.apps a where a.app_no = m.app_no)`,
    );
    expect(rows).toHaveLength(0);
  });
});

describe('reports', () => {
  it.each([
    ['a text', { a: '1' }],
    ['a fraction', { a: 0.5 }],
    ['an odd name', { 'a b': 1 }],
  ])('with %s among the counts are refused', async (_what, counts) => {
    const answer = await core.post(`${app}/move/plan`, { users: 1, counts });
    expect([answer.http, answer.body.message]).toEqual([400, expect.stringContaining("'counts'")]);
  });
});

describe('the audit log', () => {
  it('has each step that was taken', async () => {
    await move.toLeading(5);
    const { body } = await core.get(`${app}/config/audit`, { what: 'move' });
    const entries = body.entries as { what: string; who: string; details: Record<string, unknown> }[];
    expect(
      entries.filter(({ what }) => !what.endsWith('report')).map(({ what, who }) => [what, who]),
    ).toEqual([
      ['move.next', 'api_keys'],
      ['move.lease', 'api_keys'],
      ['move.next', 'api_keys'],
      ['move.start', 'api_keys'],
    ]);
    expect(entries[0]?.details).toEqual({ stage: 'leading', share: 5, before: 'following', shareBefore: 0 });
  });
});
