/** `carryover move` against a whole core. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Place } from '../helpers/carryover.ts';
import type { TestCore } from '../helpers/core.ts';
import { type MoveClient, moveClient } from '../helpers/moves.ts';
import { knownHash, knownPassword, newApp } from '../helpers/people.ts';
import { useCoreAndPlace, withTestKey } from '../helpers/use-core.ts';

let core: TestCore;
let place: Place;
let app: string;
let move: MoveClient;
useCoreAndPlace((used) => {
  ({ core, place } = used);
});
beforeEach(async () => {
  app = await newApp(core);
  move = moveClient(core, app);
});

const run = (...args: readonly string[]) =>
  place.run(['move', ...args, '--url', core.url, '--app', app.slice('/appid-'.length)], withTestKey);
const jsonOf = (stdout: string) => JSON.parse(stdout) as Record<string, unknown>;
const start = () => run('start', 'mysql://reader@DB.example.com/shop?tls=yes', '--from', 'laravel', '--yes');

const plan = JSON.stringify({ type: 'plan', status: 'OK', users: 12, records: 14, rejected: 2 });

it('goes from the start to the end, and shows each step before it', async () => {
  expect(await start()).toMatchObject({
    code: 0,
    stdout: 'Started: the move from laravel, mysql://db.example.com:3306/shop. The old system leads\n',
  });
  const refused = await run('next', '--yes');
  expect([refused.code, refused.stdout]).toEqual([2, expect.stringContaining('PLAN_MISSING')]);
  await place.write('plan.json', plan);
  expect(await run('record', 'plan.json')).toMatchObject({
    code: 0,
    stdout: 'Recorded: the plan for 12 users\n',
  });
  const followed = await run('next', '--yes');
  expect(followed.stdout).toMatch(/^From rehearsing to following:\n {2}1\. .*\n[^]*\nDone: following\n$/);
  await move.ready();
  const led = await run('next', '--yes', '--share', '30', '--refused-before', '1.5');
  expect(led).toMatchObject({ code: 0, stdout: expect.stringContaining('30 % of the users') as string });
  const { stdout: status } = await run('status');
  expect(status).toContain('Stage: leading, 30 % of the users sign in here');
  expect(status).toMatch(/Against the next step:\n {2}WRITER_MISSING: /);
  expect(status).toMatch(/History, newest first:\n {2}20.*leading, 30 %/);
  expect((await run('back', '--share', '10', '--yes')).stdout).toContain('Done: leading, 10 %');
  expect((await run('back', '--yes')).stdout).toContain('Done: following');
  await move.toLeading(100);
  expect((await run('close', '--yes')).stdout).toContain('Done: closed, all users sign in here');
});

it('has the outcome of canaries of imports and dry runs', async () => {
  await start();
  const hash = { passwordHash: knownHash, hashingAlgorithm: 'bcrypt' };
  const loginMethods = [{ recipeId: 'emailpassword', email: 'ada@move.test', ...hash }];
  await place.write('users.ndjson', `${JSON.stringify({ loginMethods })}\n`);
  const dryRun = async (password: string) => {
    await place.write('known.csv', `email,password\nada@move.test,${password}\n`);
    const where = ['--url', core.url, '--app', app.slice('/appid-'.length)];
    const args = ['import', 'users.ndjson', '--dry-run', '--canaries', 'known.csv', ...where];
    return place.run(args, withTestKey);
  };
  const reported = async () => (await move.status()).reports;
  expect(await dryRun('another')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('recorded') as string,
  });
  expect(await reported()).toMatchObject({ canaries: { figures: { verified: 0, failed: 1 } } });
  expect((await run('status')).stdout).toContain('CANARIES_FAILED');
  expect(await dryRun(knownPassword)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('recorded') as string,
  });
  expect(await reported()).toMatchObject({ canaries: { figures: { verified: 1, failed: 0 } } });
});

describe('a comparison', () => {
  const users = `${JSON.stringify({ loginMethods: [{ recipeId: 'passwordless', email: 'ada@move.test' }] })}\n`;
  const compared = async (...label: readonly string[]): Promise<void> => {
    await place.write('users.ndjson', users);
    const at = ['users.ndjson', ...label, '--url', core.url, '--app', app.slice('/appid-'.length)];
    expect((await place.run(['import', ...at, '--yes'], withTestKey)).code).toBe(0);
    const { stdout } = await place.run(['compare', ...at, '--json'], withTestKey);
    await place.write('comparison.json', stdout);
  };

  it('is recorded, as old as its beginning', async () => {
    await compared();
    await start();
    expect(await run('record', 'comparison.json')).toMatchObject({
      code: 0,
      stdout: 'Recorded: the comparison of 1 record, with 0 unexplained\n',
    });
    const { startedAt } = jsonOf(await place.read('comparison.json'));
    const { reports } = jsonOf((await run('status', '--json')).stdout);
    const { at, figures } = (reports as { comparison: { at: number; figures: { tookMs: number } } })
      .comparison;
    expect(at - figures.tookMs).toBeGreaterThanOrEqual(Number(startedAt));
  });

  it('of another source is refused', async () => {
    await compared();
    await start();
    await compared('--source', 'shop');
    const { code, stderr } = await run('record', 'comparison.json');
    expect(code).toBe(2);
    expect(stderr).toContain(`of the source with the label "shop", and the move's has no label (--source)`);
  });
});

describe('without --yes and a terminal', () => {
  it.each([[['start', '--from', 'auth0']], [['next']]])(
    '%j changes nothing, and gives the exact command',
    async (args) => {
      if (args[0] !== 'start') {
        await start();
        await move.post('/plan', { users: 1 });
      }
      const before = await move.status();
      const { code, stderr } = await run(...args);
      expect([code, stderr]).toEqual([2, expect.stringContaining(' --yes\n')]);
      expect(await move.status()).toEqual({
        ...before,
        ...(before.now !== undefined && { now: expect.any(Number) as number }),
      });
    },
  );

  it('a dry run says what a step would do, and ends with 2 if something is against it', async () => {
    await start();
    const refused = await run('next', '--dry-run', '--json');
    expect([refused.code, jsonOf(refused.stdout)]).toMatchObject([
      2,
      {
        type: 'move next',
        status: 'REFUSED',
        dryRun: true,
        stage: 'following',
        objections: [{ code: 'PLAN_MISSING' }],
      },
    ]);
    await move.post('/plan', { users: 1 });
    const { code, stdout } = await run('next', '--dry-run');
    expect([code, stdout]).toEqual([0, expect.stringContaining('Dry run, nothing is changed')]);
    expect(await move.status()).toMatchObject({ stage: 'rehearsing' });
  });
});

describe('--json', () => {
  it('of each has its type, the data, and what comes next', async () => {
    const started = await run('start', '--from', 'auth0', '--yes', '--json');
    expect(jsonOf(started.stdout)).toMatchObject({
      type: 'move start',
      status: 'OK',
      source: { system: 'auth0' },
    });
    const status = jsonOf((await run('status', '--json')).stdout);
    expect(status).toMatchObject({ type: 'move status', stage: 'rehearsing', share: 0 });
    expect(status.next).toMatchObject([{ command: expect.stringContaining('move next') as string }]);
    const closed = await run('close', '--abandon', '--yes', '--json');
    expect(jsonOf(closed.stdout)).toMatchObject({
      type: 'move close',
      status: 'OK',
      stage: 'closed',
      share: 0,
    });
  });

  it('has the code and the cure of an error', async () => {
    const answer = jsonOf((await run('status', '--json')).stdout);
    expect(answer).toMatchObject({
      type: 'error',
      code: 'NO_MOVE_ERROR',
      cure: expect.stringContaining('move start') as string,
    });
  });
});

it.each([
  [
    'a second move',
    ['start', '--from', 'auth0', '--yes'],
    /has a move already, from laravel, mysql:\/\/db\.example\.com:3306\/shop: end it first/,
  ],
  [
    'a password in the address',
    ['start', 'mysql://a:secret@db/shop', '--from', 'laravel', '--yes'],
    /without its password/,
  ],
  ['an unknown system', ['start', '--from', 'nonesuch', '--yes'], /There is no format "nonesuch"/],
  ['a step that does not exist', ['back', '--yes'], /Nothing comes before the rehearsal: End the move/],
  ['half a percent', ['next', '--share', '0.5'], /from 1 to 100/],
  ['a file that is not a plan', ['record', 'users.json'], /is not the output of/],
  ['a file that is not there', ['record', 'none.json'], /there is no such file/],
])('refuses %s with what is wrong and the cure', async (_what, args, message) => {
  await start();
  await place.write('users.json', '[]');
  const { code, stdout, stderr } = await run(...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('secret');
});

describe('the receipt of a closed move', () => {
  const outside = (...args: string[]) => place.run(args);
  const altered = async (from: string, to: string, change: (text: string) => string): Promise<void> => {
    const text = await place.read(from);
    expect(change(text)).not.toBe(text);
    await place.write(to, change(text));
  };

  async function closed(): Promise<void> {
    await start();
    const hash = { passwordHash: knownHash, hashingAlgorithm: 'bcrypt' };
    const loginMethods = [{ recipeId: 'emailpassword', email: 'ada@move.test', ...hash }];
    await place.write('users.ndjson', `${JSON.stringify({ loginMethods })}\nno JSON\n`);
    const args = ['--url', core.url, '--app', app.slice('/appid-'.length)];
    const { code } = await place.run(['import', 'users.ndjson', '--receipt', '--yes', ...args], withTestKey);
    expect(code).toBe(1);
    await move.toLeading(100);
    await run('close', '--yes');
    expect((await run('receipt', '-o', 'receipt.json', '--entries', 'entries.ndjson')).code).toBe(0);
    const keys = await place.run(['receipt-keys', '--json', ...args], withTestKey);
    await place.write('keys.json', keys.stdout);
  }

  it('states its history and its imports, and is checked without a core', async () => {
    await closed();
    const checked = ['verify-receipt', 'receipt.json', '--key', 'keys.json', '--entries', 'entries.ndjson'];
    const { code, stdout } = await outside(...checked);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^The receipt is as it was signed: move 1 of/)]);
    expect(stdout).toContain('Imports: 1; their lines: created 1, rejected 1\n');
    const entries = (await place.read('entries.ndjson')).trimEnd().split('\n');
    expect(stdout).toContain(`All ${entries.length} events and imports are those of the receipt`);
    const parsed = entries.map((entry) => JSON.parse(entry) as Record<string, Record<string, unknown>>);
    expect(parsed[0]?.event).toMatchObject({ kind: 'start', stage: 'rehearsing' });
    expect(parsed.at(-2)?.event).toMatchObject({ kind: 'step', stage: 'closed', share: 100 });
    const counts = { created: 1, rejected: 1 };
    const imported = {
      name: 'users.ndjson',
      state: 'done',
      counts,
      receiptSha256: expect.any(String) as string,
    };
    expect(parsed.at(-1)?.import).toMatchObject(imported);
    // It is made once, also when another move has begun.
    await start();
    await run('receipt', '-o', 'again.json');
    expect(await place.read('again.json')).toBe(await place.read('receipt.json'));
  });

  it('shows that an entry, or what was signed, was changed', async () => {
    await closed();
    await altered('entries.ndjson', 'other.ndjson', (text) => text.replace('"created":1', '"created":2'));
    const entries = await outside('verify-receipt', 'receipt.json', '--entries', 'other.ndjson');
    expect([entries.code, entries.stderr]).toEqual([2, expect.stringContaining('an entry of other.ndjson')]);
    await altered('entries.ndjson', 'short.ndjson', (text) => text.slice(0, text.indexOf('\n') + 1));
    const short = await outside('verify-receipt', 'receipt.json', '--entries', 'short.ndjson');
    expect([short.code, short.stderr]).toEqual([2, expect.stringContaining('short.ndjson has 1')]);
    await altered('receipt.json', 'other.json', (text) => {
      const envelope = JSON.parse(text) as { payload: string };
      const payload = Buffer.from(envelope.payload, 'base64')
        .toString()
        .replace('"rejected":1', '"rejected":0');
      return JSON.stringify({ ...envelope, payload: Buffer.from(payload).toString('base64') });
    });
    const signed = await outside('verify-receipt', 'other.json', '--key', 'keys.json');
    expect([signed.code, signed.stderr]).toEqual([2, expect.stringContaining('it was changed after it was')]);
    const wrong = await outside('verify-receipt', 'receipt.json', '--proof', 'line-1.proof', '--line', '-');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('the receipt of a move')]);
  });

  it('is refused before the move is closed, and what it is about before it is made', async () => {
    await start();
    const { code, stderr } = await run('receipt');
    expect([code, stderr]).toEqual([2, expect.stringContaining('The app has no closed move')]);
    const entries = () => core.get(`${app}/move/receipt/entries`);
    expect(await entries()).toMatchObject({ http: 409, body: { status: 'RECEIPT_NOT_MADE' } });
    await move.toLeading(100);
    await run('close', '--yes');
    expect(await entries()).toMatchObject({ http: 409 });
  });
});
