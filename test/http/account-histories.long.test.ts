/**
 * Random histories of three users and an attacker around a cut-over, against a model of access to accounts. Every person uses
 * what a person has: passwords that they chose, a mailbox and the codes sent to it, an account at a provider, and sessions that
 * they began here or in the old system. CARRYOVER_HISTORIES is the number, CARRYOVER_HISTORY_SEED the first.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppClient, oldHash } from '../helpers/accounts.ts';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { type OldSystem, ownSource, startOldSystem } from '../helpers/old-system.ts';
import { carryFrom, newOldKey, signOld, soon } from '../helpers/old-tokens.ts';
import { newApp } from '../helpers/people.ts';
import { pick, type Random, randomOf } from '../helpers/random-records.ts';
import { countOf, longRuns } from '../helpers/long-runs.ts';

const histories = countOf(longRuns.accountHistories);
const firstSeed = Number(process.env.CARRYOVER_HISTORY_SEED ?? 1);
const stepsEach = 12;
const atOnce = 10;

let core: TestCore;
let old: OldSystem;
const key = newOldKey('old');
const issuer = 'https://old.example/';
/** Signs the sessions of the old system. */
const sessionSource = {
  name: 'old',
  speaks: 'jwt',
  issuer,
  audience: 'app',
  algorithms: [key.alg],
  keys: [key.jwk],
  until: soon(),
};
/** Passwords of the old system by email, of all histories. */
const oldPasswords = new Map<string, string>();

beforeAll(async () => {
  old = await startOldSystem(({ body }) => {
    const { email, password } = JSON.parse(body) as { readonly email: string; readonly password: string };
    return oldPasswords.get(email) === password
      ? { status: 200, json: { loginMethods: [] } }
      : { status: 403 };
  });
  core = await startTestCore();
});
afterAll(() => Promise.all([core.stop(), old.close()]));

type Who = 'owner' | 'attacker';

/**
 * An account by the rules of docs/guide/security.md. `proven` is its proven owner; until then it belongs to the person who came
 * last. An operator may have closed it.
 */
interface Account {
  /** Another account with the same email has another number; 0 means no account. */
  readonly number: number;
  readonly exists: boolean;
  readonly proven: Who | undefined;
  readonly isClosed: boolean;
}

const nothing: Account = { number: 0, exists: false, proven: undefined, isClosed: false };

interface Victim {
  readonly email: string;
  readonly oldId: string;
  /** The person who registered with the email in the old system, and whether it verified it, which it does only for owners. */
  readonly registrant: Who;
  readonly isVerifiedThere: boolean;
  /** Passwords that each has chosen, anywhere. */
  readonly passwords: Record<Who, Set<string>>;
  readonly google: Record<Who, string>;
  readonly sessions: { readonly of: Who; readonly methodId: string; token: string }[];
  account: Account;
  /** The login method to which the codes in the mailbox lead, once one was used. */
  codeMethodId: string | undefined;
  /** The app has assigned the old id to a user, and so states the owner of the old system's sessions. */
  isMappedHere: boolean;
}

interface JobDone {
  readonly id: string;
  readonly before: readonly Account[];
}

class History {
  readonly #app: AppClient;
  readonly #random: Random;
  readonly #victims: readonly Victim[];
  readonly #jobs: JobDone[] = [];
  readonly log: string[] = [];
  #accounts = 0;

  constructor(app: AppClient, random: Random, victims: readonly Victim[]) {
    this.#app = app;
    this.#random = random;
    this.#victims = victims;
  }

  /** Mostly about one of them: interesting states take several steps of one account. */
  async play(): Promise<void> {
    for (let step = 0; step < stepsEach; step++) {
      const [first] = this.#victims;
      const victim = first && this.#random(4) > 0 ? first : pick(this.#random, this.#victims);
      const what = pick(this.#random, steps);
      this.log.push(`${what} ${victim.email}`);
      await this[what](victim);
      const isAll = what === 'absent' || what === 'undo';
      for (const each of isAll ? this.#victims : [victim]) await this.#check(each);
    }
  }

  async signUp(victim: Victim): Promise<void> {
    const who = this.#either();
    const password = this.#newPassword(victim, who);
    this.log.push(`  by the ${who}`);
    const made = await this.#app.signUp(victim.email, password);
    if (made !== undefined) victim.account = { ...nothing, number: ++this.#accounts, exists: true };
  }

  /** The link is sent to the mailbox: the owner follows it for an account that the owner has entered. */
  async verify(victim: Victim): Promise<void> {
    const methodId = await this.#enter(victim, 'owner');
    if (methodId === undefined) return;
    await this.#app.verify(methodId, victim.email);
    victim.account = { ...victim.account, proven: 'owner' };
  }

  /** SDKs send no link for an account to which another person may have linked a login method. */
  async reset(victim: Victim): Promise<void> {
    const methodId = await this.#app.passwordMethodOf(victim.email);
    if (methodId === undefined || victim.account.isClosed) return;
    if (victim.account.proven === undefined && (await this.#isLinked(methodId))) return;
    await this.#app.reset(methodId, victim.email, this.#newPassword(victim, 'owner'));
    victim.account = { ...victim.account, proven: 'owner' };
  }

  /** Each may link their own account at a provider to an account that they can enter. */
  async link(victim: Victim): Promise<void> {
    const who = this.#either();
    const methodId = await this.#enter(victim, who);
    if (methodId === undefined) return;
    this.log.push(`  by the ${who}`);
    await this.#app.link(methodId, victim.google[who]);
  }

  async beginSession(victim: Victim): Promise<void> {
    const who = this.#either();
    const methodId = await this.#enter(victim, who);
    if (methodId === undefined) return;
    victim.sessions.push({ of: who, methodId, token: await this.#app.beginSession(methodId) });
  }

  /** The code is sent to the owner. It leads to a separate user, or to the one that a record has made of both. */
  async code(victim: Victim): Promise<void> {
    victim.codeMethodId = (await this.#app.viaCode(victim.email))?.recipeUserId ?? victim.codeMethodId;
  }

  /** A session that the registrant began in the old system just now. */
  async carry(victim: Victim): Promise<void> {
    if (victim.isMappedHere) return;
    const iat = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, aud: 'app', sub: victim.oldId, iat, exp: iat + 3600, jti: randomUUID() };
    const input = { source: 'old', token: await signOld(key, claims) };
    const { body } = await carryFrom(core, this.#app.app, input, `10.1.${randomInt(256)}.${randomInt(256)}`);
    this.log.push(`  ${String(body.status)} ${String(body.reason)}`);
    if (body.status !== 'OK') return;
    const { recipeUserId: methodId } = body.session as { readonly recipeUserId: string };
    const { token } = body.refreshToken as { readonly token: string };
    victim.sessions.push({ of: victim.registrant, methodId, token });
  }

  /** An app that assigns its own ids, even to a squatter. */
  async map(victim: Victim): Promise<void> {
    const methodId = await this.#app.passwordMethodOf(victim.email);
    if (methodId === undefined) return;
    const externalUserId = pick(this.#random, [`app-${victim.email}`, victim.oldId]);
    if (externalUserId === victim.oldId) victim.isMappedHere = true;
    await this.#app.post('/recipe/userid/map', { superTokensUserId: methodId, externalUserId });
  }

  async import(victim: Victim): Promise<void> {
    await this.#bring(victim, oldHash(this.#oldPassword(victim)));
  }

  /** By the mark of the old system, which the first sign-in asks. */
  async door(victim: Victim): Promise<void> {
    const password = this.#oldPassword(victim);
    oldPasswords.set(victim.email, password);
    await this.#bring(victim, { legacy: 'old' });
    await this.#app.signIn(victim.email, password);
  }

  async #bring(victim: Victim, secret: object): Promise<void> {
    const { registrant, isVerifiedThere } = victim;
    const method = { recipeId: 'emailpassword', email: victim.email, isVerified: isVerifiedThere, ...secret };
    const google = {
      recipeId: 'thirdparty',
      thirdPartyId: 'google',
      thirdPartyUserId: victim.google[registrant],
      email: `${victim.google[registrant]}@provider.example`,
      isVerified: true,
    };
    const code = { recipeId: 'passwordless', email: victim.email };
    const others = [
      ...(this.#random(2) === 0 ? [google] : []),
      // The source's knowledge of the mailbox: only its owner has verified it.
      ...(isVerifiedThere && this.#random(3) === 0 ? [code] : []),
    ];
    const hasId = this.#random(4) > 0;
    const record = {
      ...(hasId && { externalUserId: victim.oldId }),
      loginMethods: others.length > 0 ? [{ ...method, isPrimary: true }, ...others] : [method],
    };
    const way = pick(this.#random, ['job', 'job', 'single', 'queue', 'queue beside a sign-up'] as const);
    const onConflict = pick(this.#random, rules);
    this.log.push(`  ${way} ${onConflict} ${JSON.stringify(record)}`);
    if (way === 'single') await this.#app.post('/bulk-import/import', record);
    else if (way === 'queue') await this.#app.queue(record);
    else if (way === 'queue beside a sign-up')
      await Promise.all([this.#app.queue(record), this.signUp(victim)]);
    else {
      const before = this.#victims.map(({ account }) => account);
      const { id } = await this.#app.runJob([record], `source=old&onConflict=${onConflict}`);
      this.#jobs.push({ id, before });
    }
    await this.#learn(victim);
  }

  /** The outcome for the account, from the present state; its owner follows from the rules. */
  async #learn(victim: Victim): Promise<void> {
    const methodId = await this.#app.passwordMethodOf(victim.email);
    if (methodId === undefined) return;
    const { account, isVerifiedThere, registrant } = victim;
    const works = await this.#worksOf(victim, registrant);
    const isVerified = isVerifiedThere && works;
    const proven = account.proven ?? (isVerified ? registrant : undefined);
    const number = account.exists ? account.number : ++this.#accounts;
    victim.account = { number, exists: true, proven, isClosed: account.isClosed && !works };
  }

  async #worksOf(victim: Victim, who: Who): Promise<boolean> {
    return (await this.#enter(victim, who)) !== undefined;
  }

  async absent(): Promise<void> {
    const what = pick(this.#random, ['disable', 'remove'] as const);
    const before = this.#victims.map(({ account }) => account);
    const another = {
      externalUserId: 'another',
      loginMethods: [{ recipeId: 'emailpassword', email: 'another@example.com', ...oldHash('x') }],
    };
    this.log.push(`  ${what}`);
    const { id } = await this.#app.runJob([another], `source=old&absent=${what}&absentYes=true`);
    this.#jobs.push({ id, before });
    // For all of them: the file has none of their records.
    for (const each of this.#victims) {
      const methodId = await this.#app.passwordMethodOf(each.email);
      const works = (await this.#worksOf(each, 'owner')) || (await this.#worksOf(each, 'attacker'));
      if (methodId === undefined) each.account = nothing;
      else if (!works) each.account = { ...each.account, isClosed: true };
    }
  }

  async undo(): Promise<void> {
    const job = this.#jobs.pop();
    if (job === undefined) return;
    await this.#app.undo(job.id, this.#random(2) === 0);
    for (const [n, victim] of this.#victims.entries()) {
      const methodId = await this.#app.passwordMethodOf(victim.email);
      if (methodId === undefined) victim.account = nothing;
      else {
        const before = job.before[n] ?? nothing;
        const works = (await this.#worksOf(victim, 'owner')) || (await this.#worksOf(victim, 'attacker'));
        const { proven } = victim.account;
        // A proof made here remains; a proof by the record alone ends with it.
        const isShown = before.proven === proven || !(await this.#isUnprovenNow(victim));
        const isAnother = victim.account.exists && victim.account.number !== before.number;
        const known = isAnother || (proven !== undefined && isShown) ? proven : before.proven;
        const { number } = victim.account.exists ? victim.account : before;
        victim.account = { number, exists: true, proven: known, isClosed: !works };
      }
    }
  }

  async #isUnprovenNow({ email }: Victim): Promise<boolean> {
    const { users } = await this.#app.get(`/users/by-accountinfo?email=${encodeURIComponent(email)}`);
    const methods = (users as { loginMethods: Record<string, unknown>[] }[]).flatMap(
      (user) => user.loginMethods,
    );
    return !methods.some((each) => each.recipeId === 'emailpassword' && each.verified === true);
  }

  /** No state in which another person enters a proven account, or its owner does not. */
  async #check(victim: Victim): Promise<void> {
    const { account, google, codeMethodId } = victim;
    const { proven, isClosed } = account;
    const byCode = codeMethodId === undefined ? undefined : await this.#userOf(codeMethodId);
    if (byCode !== undefined) {
      await this.#checkStranger(victim, 'attacker', byCode);
      const methodId = await this.#enter(victim, 'attacker');
      if (methodId) expect(await this.#userOf(methodId), 'a password of the attacker').not.toBe(byCode);
    }
    if (proven === undefined) return;
    const methodId = await this.#app.passwordMethodOf(victim.email);
    const id = await this.#userOf(methodId);
    const stranger = proven === 'owner' ? 'attacker' : 'owner';
    expect(await this.#enter(victim, stranger), `a password of the ${stranger}`).toBeUndefined();
    await this.#checkStranger(victim, stranger, id);
    if (isClosed) return;
    expect(id, 'the account is gone').toBeDefined();
    const enters =
      (await this.#worksOf(victim, proven)) || (await this.#app.viaProvider(google[proven]))?.id === id;
    expect(enters, `the ${proven} is locked out`).toBe(true);
  }

  async #checkStranger(victim: Victim, stranger: Who, id: string | undefined): Promise<void> {
    const there = await this.#app.viaProvider(victim.google[stranger]);
    if (there) expect(there.id, `the provider of the ${stranger}`).not.toBe(id);
    for (const session of victim.sessions.filter(({ of }) => of === stranger)) {
      const next = await this.#app.refresh(session.token);
      if (next === undefined) continue;
      session.token = next;
      expect(await this.#userOf(session.methodId), `a session of the ${stranger}`).not.toBe(id);
    }
  }

  async #userOf(methodId = 'none'): Promise<string | undefined> {
    const { user } = await this.#app.get(`/user/id?userId=${methodId}`);
    return (user as { id: string } | undefined)?.id;
  }

  async #enter(victim: Victim, who: Who): Promise<string | undefined> {
    for (const password of [...victim.passwords[who]].reverse()) {
      const found = await this.#app.signIn(victim.email, password);
      if (found) return found.recipeUserId;
    }
    return undefined;
  }

  async #isLinked(methodId: string): Promise<boolean> {
    const { user } = await this.#app.get(`/user/id?userId=${methodId}`);
    return (user as { loginMethods: unknown[] }).loginMethods.length > 1;
  }

  #either(): Who {
    return pick(this.#random, ['owner', 'attacker'] as const);
  }

  #newPassword(victim: Victim, who: Who): string {
    const password = `${who}-here-${this.#random(2)}`;
    victim.passwords[who].add(password);
    return password;
  }

  /** Sometimes another one than at the last import. */
  #oldPassword(victim: Victim): string {
    const password = `${victim.registrant}-there-${this.#random(2)}`;
    victim.passwords[victim.registrant].add(password);
    return password;
  }
}

const rules = ['update', 'update', 'theirs', 'theirs', 'ours', 'skip', 'reject'] as const;

const steps = [
  ...([
    'signUp',
    'signUp',
    'verify',
    'verify',
    'reset',
    'reset',
    'link',
    'link',
    'link',
    'beginSession',
    'map',
    'code',
    'carry',
    'carry',
  ] as const),
  ...(['import', 'import', 'import', 'import', 'import', 'door', 'absent', 'undo'] as const),
] as const;

function victimOf(random: Random, seed: number, name: string): Victim {
  const registrant = pick(random, ['owner', 'owner', 'attacker'] as const);
  const email = `${name}-${seed}@example.com`;
  return {
    email,
    oldId: `old-${name}`,
    registrant,
    isVerifiedThere: registrant === 'owner' && random(3) > 0,
    passwords: { owner: new Set(), attacker: new Set() },
    google: { owner: `google-${name}`, attacker: `google-attacker-${name}` },
    sessions: [],
    account: nothing,
    codeMethodId: undefined,
    isMappedHere: false,
  };
}

async function play(seed: number): Promise<void> {
  const random = randomOf(seed);
  const settings = { legacy_sources: [ownSource(old.url)], session_sources: [sessionSource] };
  const app = new AppClient(core, await newApp(core, settings));
  const history = new History(
    app,
    random,
    ['ada', 'bob', 'eve'].map((name) => victimOf(random, seed, name)),
  );
  try {
    await history.play();
  } catch (error) {
    throw new Error(`CARRYOVER_HISTORY_SEED=${seed} CARRYOVER_HISTORIES=1:\n${history.log.join('\n')}`, {
      cause: error,
    });
  }
}

test(
  `no stranger enters an account, and no owner loses one, in ${histories} random histories`,
  async () => {
    const seeds = Array.from({ length: histories }, (_, n) => firstSeed + n).values();
    const worker = async (): Promise<void> => {
      for (const seed of seeds) await play(seed);
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  },
  Math.max(300_000, histories * 10_000),
);
