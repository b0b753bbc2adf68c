/** The table of docs/guide/security.md, row by row: the effect of the next event on each part of an account. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppClient, oldHash } from '../helpers/accounts.ts';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { knows, type OldSystem, ownSource, startOldSystem } from '../helpers/old-system.ts';
import { newApp } from '../helpers/people.ts';

let core: TestCore;
let old: OldSystem;
beforeAll(async () => {
  [core, old] = await Promise.all([startTestCore(), startOldSystem(knows('own'))]);
});
afterAll(() => Promise.all([core.stop(), old.close()]));

const email = 'ada@example.com';
const google = 'google-of-ada';
const job = 'source=old';

const recordOf = (password: string, isVerified: boolean, externalUserId = 'ada', more: object[] = []) => ({
  externalUserId,
  loginMethods: [
    { recipeId: 'emailpassword', email, isVerified, isPrimary: more.length > 0, ...oldHash(password) },
    ...more,
  ],
});
const other = {
  externalUserId: 'other',
  loginMethods: [{ ...recordOf('x', true).loginMethods[0], email: 'o@x.com' }],
};
const googleOfStranger = {
  recipeId: 'thirdparty',
  thirdPartyId: 'google',
  thirdPartyUserId: 'google-of-stranger',
  email: 'stranger@provider.example',
  isVerified: true,
};

/** The account before the event; its password is `own`. */
interface Account {
  readonly methodId: string;
  readonly jobId?: string;
  /** The last step, once the user has all of it. */
  readonly finish?: () => Promise<unknown>;
}

async function signedUp(app: AppClient): Promise<Account> {
  return { methodId: (await app.signUp(email, 'own')) ?? '' };
}

async function imported(app: AppClient, record: object): Promise<Account> {
  const { id } = await app.runJob([record, other], job);
  return { methodId: 'ada', jobId: id };
}

const stages: Readonly<Record<string, (app: AppClient) => Promise<Account>>> = {
  'signed up here': signedUp,
  'signed up and linked to a user of a provider': async (app) => {
    const { methodId } = await signedUp(app);
    const head = await app.viaProvider(google);
    await app.post('/recipe/accountlinking/user/primary', { recipeUserId: head?.id });
    const input = { primaryUserId: head?.id, recipeUserId: methodId };
    expect(await app.post('/recipe/accountlinking/user/link', input)).toMatchObject({ status: 'OK' });
    return { methodId };
  },
  'verified here': async (app) => {
    const account = await signedUp(app);
    await app.verify(account.methodId, email);
    return account;
  },
  'reset link followed here': async (app) => {
    const methodId = (await app.signUp(email, 'typed')) ?? '';
    await app.reset(methodId, email, 'own');
    return { methodId };
  },
  'imported, verified': (app) => imported(app, recordOf('own', true)),
  'imported, not verified': (app) => imported(app, recordOf('own', false)),
  'imported, not verified, reset link followed here': async (app) => {
    const account = await imported(app, recordOf('typed', false));
    await app.reset('ada', email, 'own');
    return account;
  },
  'moved by its old system': async (app) => {
    const method = { recipeId: 'emailpassword', email, isVerified: true, legacy: 'old' };
    const account = await imported(app, { externalUserId: 'ada', loginMethods: [method] });
    expect(await app.signIn(email, 'own')).toBeDefined();
    return account;
  },
  'disabled as absent': async (app) => {
    const finish = () => app.runJob([other], `${job}&absent=disable&absentYes=true`);
    return { ...(await imported(app, recordOf('own', true))), finish };
  },
  'taken over by a record, undone': async (app) => {
    const account = await signedUp(app);
    const { id } = await app.runJob([recordOf('record', true)], job);
    await app.undo(id);
    return account;
  },
};

const run =
  (record: object, query = '') =>
  async (app: AppClient) => {
    await app.runJob([record, other], `${job}${query}`);
  };

const events: Readonly<Record<string, (app: AppClient, account: Account) => Promise<void>>> = {
  'a record, verified': run(recordOf('record', true)),
  'a record, not verified': run(recordOf('record', false)),
  "another id's record, not verified": run(recordOf('record', false, 'stranger', [googleOfStranger])),
  'absent, `disable`': async (app) => {
    await app.runJob([other], `${job}&absent=disable&absentYes=true`);
  },
  'absent, `remove`': async (app) => {
    await app.runJob([other], `${job}&absent=remove&absentYes=true`);
  },
  'undo, forced': async (app, { jobId }) => {
    if (jobId !== undefined) await app.undo(jobId, true);
  },
};

interface Things {
  readonly session: string;
  readonly resetToken: string;
  readonly googleId: string;
}

/** Everything that a user may have in addition to the password. */
async function furnish(app: AppClient, { methodId }: Account): Promise<Things> {
  const linked = await app.viaProvider(google);
  const now = (await app.get(`/user/id?userId=${methodId}`)).user as { id: string } | undefined;
  if (linked?.id !== now?.id) await app.link(methodId, google);
  await app.put('/recipe/user/metadata', { userId: methodId, metadataUpdate: { plan: 'pro' } });
  await app.put('/recipe/role', { role: 'editor', permissions: [] });
  await app.put('/recipe/user/role', { userId: methodId, role: 'editor' });
  await app.post('/recipe/totp/device', { userId: methodId, deviceName: 'd', skew: 1, period: 30 });
  const session = await app.beginSession(methodId);
  return { session, googleId: linked?.recipeUserId ?? '', resetToken: await app.resetToken(methodId, email) };
}

const columns = [
  'password',
  'linked login method',
  'sessions',
  'factors, roles, metadata',
  'reset link',
] as const;
type Outcome = Readonly<Record<(typeof columns)[number], string>>;

async function observe(app: AppClient, { session, resetToken, googleId }: Things): Promise<Outcome> {
  const methodId = await app.passwordMethodOf(email);
  const { user } = await app.get(`/user/id?userId=${methodId ?? 'none'}`);
  const id = (user as { id: string } | undefined)?.id;
  const sessions = (await app.refresh(session)) === undefined ? 'end' : 'stay';
  const details = await detailsOf(app, methodId);
  const password = await passwordNow(app);
  return {
    password,
    'linked login method': await linkNow(app, googleId, { id, isTaken: password === "the record's" }),
    sessions,
    'factors, roles, metadata': details,
    'reset link': (await app.followReset(resetToken)) ? 'stays' : 'ends',
  };
}

async function passwordNow(app: AppClient): Promise<string> {
  const works = await Promise.all(['own', 'record', 'typed'].map((each) => app.signIn(email, each)));
  const words = ['stays', "the record's", 'the former one'].filter((_, n) => works[n] !== undefined);
  return words.join(' and ') || 'does not sign in';
}

/** @param account whether it is the record's by now: then its other login methods belong to it */
async function linkNow(
  app: AppClient,
  googleId: string,
  { id, isTaken }: { readonly id: string | undefined; readonly isTaken: boolean },
): Promise<string> {
  const stranger = await app.viaProvider('google-of-stranger');
  if (!isTaken) expect(stranger?.id, 'the stranger is let in').not.toBe(id);
  const now = await app.viaProvider(google);
  if (now === undefined) return 'does not sign in';
  if (now.id === id) return 'stays';
  return now.recipeUserId === googleId ? 'its own user' : 'goes';
}

async function detailsOf(app: AppClient, userId = 'none'): Promise<string> {
  const { metadata } = await app.get(`/recipe/user/metadata?userId=${userId}`);
  const { roles } = await app.get(`/recipe/user/roles?userId=${userId}`);
  const { devices } = await app.get(`/recipe/totp/device/list?userId=${userId}`);
  const kept = [
    Object.keys(metadata as object).length > 0,
    (roles as unknown[]).length > 0,
    ((devices ?? []) as unknown[]).length > 0,
  ];
  if (kept.every(Boolean)) return 'stay';
  return kept.some(Boolean) ? `stay in part: ${kept.join(' ')}` : 'go';
}

type Row = readonly [stage: string, event: string, outcome: Outcome];

/** The rows of the page, one for each stage and event that it names together. */
function rowsOfPage(): Row[] {
  const page = readFileSync(new URL('../../docs/guide/security.md', import.meta.url), 'utf8');
  const section = page.split('## Who holds an account')[1]?.split('\n## ')[0] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).flatMap((line) => {
    const [stage = '', event = '', ...cells] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    const outcome = Object.fromEntries(columns.map((name, n) => [name, cells[n] ?? ''])) as Outcome;
    return stage.split('; ').flatMap((each) => event.split('; ').map((next): Row => [each, next, outcome]));
  });
}

const all = Object.keys(stages).flatMap((stage) => Object.keys(events).map((event) => `${stage} | ${event}`));

async function outcomeOf(stage: string, event: string): Promise<Outcome> {
  const app = new AppClient(core, await newApp(core, { legacy_sources: [ownSource(old.url)] }));
  const account = await stages[stage]?.(app);
  if (!account) throw new Error(`no stage ${stage}`);
  const things = await furnish(app, account);
  await account.finish?.();
  await events[event]?.(app, account);
  return observe(app, things);
}

describe('the table of who holds an account', () => {
  const rows = rowsOfPage();

  test('has each stage with each event, once', () => {
    expect(rows.map(([stage, event]) => `${stage} | ${event}`).sort()).toEqual([...all].sort());
  });

  test.each(rows)('%s, then %s', async (stage, event, outcome) => {
    expect(await outcomeOf(stage, event)).toEqual(outcome);
  });
});
