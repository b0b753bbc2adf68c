/** `carryover load` against a real core, over sockets: seconds each, at rates that any machine bears. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makePlace, type Place } from '../helpers/carryover.ts';
import { type Ended, runHere } from '../helpers/command.ts';
import { startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';
import { knownHash, knownPassword } from '../helpers/people.ts';

const limited = {
  reader: { scopes: ['read', 'sign-in'], key: 'a-key-that-cannot-make-an-app' },
  loader: { scopes: ['read', 'sign-in', 'import', 'admin'], key: 'a-key-without-the-metrics' },
};
const namedKeys = JSON.stringify(Object.entries(limited).map(([name, key]) => ({ name, ...key })));

let core: TestCore;
let place: Place;

beforeAll(async () => {
  core = await startTestCore({ settings: { NAMED_KEYS: namedKeys } });
});
afterAll(() => core.stop());
beforeEach(async () => {
  place = await makePlace();
});
afterEach(() => place.remove());

interface View {
  readonly status?: string;
  readonly code?: string;
  readonly field?: string;
  readonly app?: string;
  readonly knee?: number;
  readonly steps?: readonly { readonly rate: number }[];
  readonly result?: {
    readonly arrived: number;
    readonly outcomes: Readonly<Record<string, number>>;
    readonly actions: Readonly<Record<string, { readonly outcomes: Readonly<Record<string, number>> }>>;
    readonly cores: readonly { readonly threads: number }[];
  };
  readonly verdict?: { readonly bears?: boolean; readonly sentence: string };
  readonly metricsMissing?: string;
  readonly importedMeanwhile?: number;
  readonly limits?: readonly { readonly isCrossed: boolean }[];
  readonly removed?: readonly string[];
}

const environment = { CARRYOVER_API_KEY: testApiKey };

async function load(...args: readonly string[]): Promise<Ended & { view: View }> {
  const ended = await place.run(['load', core.url, '--yes', '--json', ...args], { environment });
  const view = (ended.stdout.startsWith('{') ? JSON.parse(ended.stdout) : {}) as View;
  return { ...ended, view };
}

async function apps(): Promise<string[]> {
  const { body } = await core.get('/recipe/multitenancy/app/list/v2');
  return (body.apps as { appId: string }[]).map(({ appId }) => appId);
}

const small = ['--made-up', '20', '--rate', '3/s', '--for', '2s'] as const;

// It measures a machine that other tests keep busy, and visitors give up after 5 s.
describe('a load', { retry: 2 }, () => {
  it.each(['first-morning', 'steady', 'import', 'sign-in'])(
    'of %s is sent, judged, and leaves nothing',
    async (mix) => {
      const { code, view, stderr } = await load('--mix', mix, ...small);
      expect([code, view.status], stderr).toEqual([0, 'OK']);
      const { outcomes = {}, arrived, cores } = view.result ?? {};
      expect(Object.values(outcomes).reduce((sum, each) => sum + each, 0)).toBe(arrived);
      expect(outcomes.OK).toBeGreaterThan(0);
      expect(cores).toMatchObject([{ threads: 2 }]);
      expect(view.verdict?.sentence).toMatch(/^(Bears it|Does not bear it): /);
      expect(await apps()).toEqual(['public']);
    },
  );

  it('is what a file says: shares, down to a reset of the password, and an import meanwhile', async () => {
    const names = ['mistype', 'reset', 'refresh', 'check-session', 'look-up', 'sign-up'];
    const shares = names.map((name) => `${name}: 1`).join(', ');
    await place.write('mine.yaml', `actions: {${shares}}\nimport: 200\n`);
    const { view } = await load('--mix', 'mine.yaml', '--made-up', '20', '--rate', '8/s', '--for', '3s');
    const actions = view.result?.actions ?? {};
    for (const [name, { outcomes }] of Object.entries(actions))
      expect(outcomes.OK, `${name}: ${JSON.stringify(outcomes)}`).toBeGreaterThan(0);
    expect(Object.keys(actions).toSorted()).toEqual(names.toSorted());
    expect(view.importedMeanwhile).toBeGreaterThan(0);
  });

  it('signs the people of a twin in, each in the tenant and with the password of the files', async () => {
    const record = (n: number, tenantIds: string[]) => {
      const method = { recipeId: 'emailpassword', email: `twin-${n}@example.com`, tenantIds };
      return JSON.stringify({
        loginMethods: [{ ...method, passwordHash: knownHash, hashingAlgorithm: 'bcrypt' }],
      });
    };
    const records = [record(1, ['public']), record(2, ['shop']), record(3, ['public'])];
    await place.write('twin.ndjson', `${records.join('\n')}\n`);
    const pairs = [1, 2].map((n) => `twin-${n}@example.com,${knownPassword}`);
    await place.write('twin.csv', `email,password\n${pairs.join('\n')}\n`);
    const args = [
      '--people',
      'twin.ndjson',
      '--passwords',
      'twin.csv',
      '--rate',
      '5/s',
      '--for',
      '2s',
      '--mix',
      'sign-in',
    ];
    const { view, stderr } = await load(...args);
    expect(stderr).toContain('with 3 users (of twin.ndjson)');
    expect(view).toMatchObject({ people: { users: 3, signIn: 2 }, filled: { users: 3, rejected: 0 } });
    expect(Object.keys(view.result?.outcomes ?? {})).toEqual(['OK']);
  });

  it('searches the highest rate, up to the one that may be tried', async () => {
    const { code, view } = await load('--step', '1s', '--most', '8/s', '--made-up', '20');
    expect([code, view.steps?.[0]?.rate]).toEqual([0, 4]);
    expect(Math.max(...(view.steps ?? []).map(({ rate }) => rate))).toBeLessThanOrEqual(8);
    expect(view.verdict?.sentence).toMatch(/first morning, whose busiest hour has 0\.000556\/s: /);
  });

  it('ends with 1 if a limit is crossed, and with 0 if none is', async () => {
    const crossed = await load(...small, '--fail-if', 'p99 > 60 s', '--fail-if', 'p50 > 0 ms');
    expect([crossed.code, crossed.view.limits?.map(({ isCrossed }) => isCrossed)]).toEqual([
      1,
      [false, true],
    ]);
    expect((await load(...small, '--fail-if', 'max > 60 s')).code).toBe(0);
  });

  it('is reported to people, and written as a page that needs nothing else', async () => {
    const args = ['load', core.url, '--yes', ...small, '--page', 'load.html'];
    const { stdout, stderr } = await place.run(args, { environment });
    expect(stdout).toMatch(
      /\nVerdict: (Bears|Does not bear) it: [^]*\nCores\n {2}core +threads busy[^]*\nClient: \d+ %/,
    );
    expect(stderr).toContain('The page is load.html');
    const page = await place.read('load.html');
    expect(page).toMatch(
      /^<!doctype html>[^]*<svg class="wide light"[^]*<svg class="narrow dark"[^]*<\/html>\n$/,
    );
    expect(page).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org|127\.0\.0\.1)/);
  });

  it('says that the metrics are missing, and goes on', async () => {
    const ended = await place.run(['load', core.url, '--yes', '--json', ...small], {
      environment: { CARRYOVER_API_KEY: limited.loader.key },
    });
    const view = JSON.parse(ended.stdout) as View;
    expect(view.metricsMissing).toMatch(/may not read \/metrics/);
    expect(view.result?.outcomes.OK).toBeGreaterThan(0);
  });
});

describe('before anything is sent', () => {
  const refused = async (args: readonly string[], given: Parameters<Place['run']>[1] = { environment }) => {
    const ended = await place.run(['load', core.url, '--json', ...args], given);
    expect(await apps()).toEqual(['public']);
    return { ...(JSON.parse(ended.stdout) as View & { message?: string }), exit: ended.code };
  };

  it('names the scopes that the key lacks', async () => {
    const view = await refused(['--yes'], { environment: { CARRYOVER_API_KEY: limited.reader.key } });
    expect(view).toMatchObject({ exit: 2, code: 'KEY_SCOPE_MISSING', field: '--api-key' });
    expect(view.message).toContain('lacks the scopes admin, import');
  });

  it('asks for --yes without a terminal', async () => {
    expect(await refused(['--rate', '5/s'])).toMatchObject({ exit: 2, status: 'NEEDS_YES' });
  });

  it('refuses a core with users of its own, and says what would happen', async () => {
    const { body } = await core.post('/recipe/signup', { email: 'own@example.com', password: knownPassword });
    const view = await refused(['--yes', '--rate', '5/s', '--made-up', '20']);
    expect(view).toMatchObject({ exit: 2, code: 'CORE_IN_USE', field: '--i-know' });
    expect(view.message).toMatch(
      /1 user in 1 app.*make the app 'load-[^']+', send 20 users and 5 visits a second for 60 s into it/,
    );
    expect((await load(...small, '--i-know')).code).toBe(0);
    await core.post('/user/remove', { userId: (body.user as { id: string }).id });
  });

  it('notices a clock that is off', async () => {
    const now = (): number => Date.now() - 120_000;
    const given = { folder: place.folder, environment: { ...environment, HOME: place.folder }, now };
    const { code, stderr } = await runHere(['load', core.url, '--yes'], given);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /The clock of this machine is 1\d\d s behind that of .*, and nothing was sent: set it by NTP/,
    );
    expect(await apps()).toEqual(['public']);
  });

  it('notices that this machine has too few ports', async () => {
    const view = await refused(['--yes', '--rate', '999999/s']);
    expect(view).toMatchObject({ exit: 2, code: 'CLIENT_TOO_SMALL', field: '--rate' });
  });

  it.each([
    [['--mix', 'dance'], /there is no mix 'dance'/],
    [['--people', 'twin.ndjson'], /--people needs --passwords/],
    [['--share', '1/3'], /cannot search the limit together: give --rate/],
    [['--share', '1/3', '--rate', '3/s'], /give each the same --at/],
    [['--share', '4/3'], /It takes a part of a whole/],
    [['--rate', 'fast'], /It takes visits a second/],
    [['--for', '0s'], /It takes a second or more/],
    [['--at', 'noon'], /It takes a time in UTC/],
    [['--fail-if', 'p99 > fast'], /It takes a figure/],
    [['--cores', 'core-1'], /It takes addresses/],
    [['--config', 'none.yaml'], /none\.yaml: there is no such file/],
  ])('refuses %j', async (args, message) => {
    const view = await refused(['--yes', ...args]);
    expect([view.exit, view.message]).toEqual([2, expect.stringMatching(message)]);
  });

  it('says that no core answers', async () => {
    const args = ['load', 'http://127.0.0.1:1', '--yes', '--json', '--patience', '0'];
    const { code, stdout } = await place.run(args, { environment });
    expect([code, (JSON.parse(stdout) as View).code]).toEqual([2, 'NO_CORE']);
  });
});

describe('afterwards', () => {
  const long = ['--made-up', '20', '--rate', '4/s', '--for', '1h'] as const;
  const started = async () => {
    const running = place.start(['load', core.url, '--yes', '--json', ...long], { environment });
    await running.said(/\d s: /);
    expect((await apps()).filter((name) => name.startsWith('load-'))).toHaveLength(1);
    return running;
  };

  it('nothing is left after Ctrl-C', async () => {
    const running = await started();
    running.interrupt();
    expect(await running.ended).toMatchObject({ code: 130 });
    expect(await apps()).toEqual(['public']);
  });

  it('--clean removes what a killed client left, and nothing that only looks like it', async () => {
    const running = await started();
    running.kill();
    await running.ended;
    const [left = ''] = (await apps()).filter((name) => name.startsWith('load-'));
    const alike = 'load-20260101t000000-01234567';
    await core.put('/recipe/multitenancy/app/v2', { appId: alike });
    const asked = await place.run(['load', core.url, '--clean', '--json'], { environment });
    expect([asked.code, await apps()]).toMatchObject([2, expect.arrayContaining([left])]);
    const { code, stdout } = await place.run(['load', core.url, '--clean', '--yes', '--json'], {
      environment,
    });
    expect([code, (JSON.parse(stdout) as View).removed]).toEqual([0, [left]]);
    expect(await apps()).toEqual(['public', alike]);
    await core.post('/recipe/multitenancy/app/remove', { appId: alike });
  });
});
