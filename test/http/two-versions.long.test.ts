/**
 * Two apps on one core and one set of users, against a model: one uses 3.1 of the driver interface, as the Go SDK does, the other
 * 5.4, as supertokens-node 24 does. Either may do each step, and both have to see the result afterwards. CARRYOVER_TWO_VERSIONS
 * is the number of random days, CARRYOVER_TWO_VERSIONS_SEED the first.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RecipeId } from '../../src/domain/model.ts';
import { type Answer, startTestCore, type TestCore } from '../helpers/core.ts';
import { newApp, newEmail } from '../helpers/people.ts';
import { pick, type Random, randomOf } from '../helpers/random-records.ts';
import { type Driver, driverOf } from '../helpers/versioned.ts';
import { countOf, longRuns } from '../helpers/long-runs.ts';

const days = countOf(longRuns.twoVersions);
const firstSeed = Number(process.env.CARRYOVER_TWO_VERSIONS_SEED ?? 1);
const stepsEach = 80;

interface Method {
  readonly coreId: string;
  readonly recipeId: RecipeId;
  readonly timeJoined: number;
  readonly thirdPartyUserId?: string;
  email: string;
  externalId?: string;
  password?: string;
  verified: boolean;
  tenantIds: readonly string[];
  /** Login methods of one user share it. */
  user: { head: Method | undefined };
  readonly roles: Set<string>;
  metadata: object;
}

/** The refresh tokens of a session, each with the one that it came from. */
interface Session {
  readonly handle: string;
  readonly method: Method;
  readonly tokens: { readonly refresh: string; access: string; readonly parent: number | undefined }[];
  /** The newest token that was used. */
  current: number;
}

interface SessionAnswer {
  readonly session: { readonly handle: string };
  readonly accessToken: { readonly token: string };
  readonly refreshToken: { readonly token: string };
}

/** Events that need several fitting steps, in all days so far. */
const happened = new Set<string>();

let core: TestCore;
beforeAll(async () => {
  core = await startTestCore();
});
afterAll(() => core.stop());

const isOld = ({ version }: Driver) => version === '3.1';
const idOf = ({ coreId, externalId }: Method) => externalId ?? coreId;
const distinct = <T>(all: readonly T[]) => [...new Set(all)];

/** Ids, emails and tenants of a user are sets: their order has no meaning. */
function unordered(value: unknown): unknown {
  if (Array.isArray(value))
    return value
      .map(unordered)
      .map((each) => JSON.stringify(each))
      .sort();
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, unordered(each)]),
  );
}

class Day {
  readonly #app: string;
  readonly #random: Random;
  readonly #drivers: readonly Driver[];
  readonly #emails = Array.from({ length: 4 }, newEmail);
  #methods: Method[] = [];
  #sessions: Session[] = [];
  readonly log: string[] = [];

  constructor(app: string, random: Random) {
    this.#app = app;
    this.#random = random;
    this.#drivers = [driverOf(core, '3.1'), driverOf(core, '5.4')];
  }

  async play(): Promise<void> {
    const present = driverOf(core, '5.4');
    await present.put(`${this.#app}/recipe/multitenancy/tenant/v2`, { tenantId: 't1', firstFactors: null });
    for (const role of ['admin', 'guest']) await present.put(`${this.#app}/recipe/role`, { role });
    for (let step = 0; step < stepsEach; step++) {
      const what = beginning[step] ?? pick(this.#random, steps);
      this.log.push(what);
      await this[what]();
      await this.#check();
    }
  }

  async signUp(): Promise<void> {
    const [driver, email, password] = [this.#either(), this.#email(), this.#password()];
    const answer = await this.#post(driver, '/recipe/signup', { email, password });
    if (this.#of('emailpassword', email) !== undefined) {
      this.#expect(answer, { status: 'EMAIL_ALREADY_EXISTS_ERROR' });
      return;
    }
    const method = this.#add(driver, answer, { recipeId: 'emailpassword', email, password, verified: false });
    this.#expectUser(driver, answer, method);
  }

  async signIn(): Promise<void> {
    const [driver, email, password] = [this.#either(), this.#email(), this.#password()];
    const tenantId = pick(this.#random, ['public', 't1']);
    const answer = await this.#post(driver, `/${tenantId}/recipe/signin`, { email, password });
    const method = this.#of('emailpassword', email);
    if (method?.password === password && method.tenantIds.includes(tenantId))
      this.#expectUser(driver, answer, method);
    else this.#expect(answer, { status: 'WRONG_CREDENTIALS_ERROR' });
  }

  /** 3.1 ignores whether the provider has verified the email. */
  async signInByProvider(): Promise<void> {
    const [driver, n, isVerified] = [this.#either(), this.#random(3), this.#random(2) === 0];
    const thirdPartyUserId = `g-${n}`;
    const known = this.#methods.find((method) => method.thirdPartyUserId === thirdPartyUserId);
    const email = known?.email ?? this.#email();
    const input = { thirdPartyId: 'google', thirdPartyUserId, email: { id: email, isVerified } };
    const answer = await this.#post(driver, '/recipe/signinup', input);
    const method =
      known ??
      this.#add(driver, answer, { recipeId: 'thirdparty', thirdPartyUserId, email, verified: false });
    if (isVerified && !isOld(driver)) method.verified = true;
    this.#expectUser(driver, answer, method, { createdNewUser: known === undefined });
  }

  /** A code verifies no email in 3.1. */
  async signInByCode(): Promise<void> {
    const [driver, email] = [this.#either(), this.#email()];
    const code = await this.#post(this.#either(), '/recipe/signinup/code', { email });
    const { preAuthSessionId, linkCode } = code.body;
    const answer = await this.#post(driver, '/recipe/signinup/code/consume', { preAuthSessionId, linkCode });
    const known = this.#of('passwordless', email);
    const method = known ?? this.#add(driver, answer, { recipeId: 'passwordless', email, verified: false });
    if (!isOld(driver)) method.verified = true;
    const { consumedDevice, ...body } = answer.body;
    expect(consumedDevice !== undefined).toBe(!isOld(driver));
    this.#expectUser(driver, { ...answer, body }, method, { createdNewUser: known === undefined });
  }

  /** SDKs of 3.x cannot link. The sessions of linked users end. */
  async link(): Promise<void> {
    const head = this.#method();
    if (head === undefined || (head.user.head ?? head) !== head) return;
    const method = this.#method((each) => each.user.head === undefined && each !== head);
    const emails = new Set(
      [...this.#withUserOf(head), ...(method ? [method] : [])].map(({ email }) => email),
    );
    const isTaken = this.#methods.some(
      ({ user, email }) => user.head !== undefined && user !== head.user && emails.has(email),
    );
    if (method === undefined || isTaken) return;
    const path = '/recipe/accountlinking/user';
    const primary = await this.#post(driverOf(core, '5.4'), `${path}/primary`, { recipeUserId: idOf(head) });
    expect(primary.body.status).toBe('OK');
    head.user.head = head;
    const input = { recipeUserId: idOf(method), primaryUserId: idOf(head) };
    const linked = await this.#post(driverOf(core, '5.4'), `${path}/link`, input);
    expect(linked.body.status).toBe('OK');
    method.user = head.user;
    happened.add('linked');
    this.#endSessions((each) => each === method);
  }

  async unlink(): Promise<void> {
    const method = this.#method(({ user, coreId }) => user.head !== undefined && user.head.coreId !== coreId);
    if (method === undefined) return;
    const input = { recipeUserId: idOf(method) };
    const answer = await this.#post(driverOf(core, '5.4'), '/recipe/accountlinking/user/unlink', input);
    this.#expect(answer, { status: 'OK', wasRecipeUserDeleted: false, wasLinked: true });
    method.user = { head: undefined };
    happened.add('unlinked');
    this.#endSessions((each) => each === method);
  }

  async changePassword(): Promise<void> {
    const method = this.#method(({ recipeId }) => recipeId === 'emailpassword');
    if (method === undefined) return;
    const [driver, password] = [this.#either(), this.#password()];
    const answer = await driver.put(`${this.#app}/recipe/user`, { ...this.#named(driver, method), password });
    this.#expect(answer, { status: 'OK' });
    method.password = password;
  }

  async changeEmail(): Promise<void> {
    const method = this.#method(({ recipeId }) => recipeId === 'emailpassword');
    if (method === undefined) return;
    const [driver, email] = [this.#either(), newEmail()];
    const answer = await driver.put(`${this.#app}/recipe/user`, { ...this.#named(driver, method), email });
    this.#expect(answer, { status: 'OK' });
    Object.assign(method, { email, verified: false });
  }

  /** One app may create the token, and the other redeem it. */
  async resetPassword(): Promise<void> {
    const method = this.#method();
    if (method === undefined) return;
    const [maker, redeemer, newPassword] = [this.#either(), this.#either(), this.#password()];
    const { email } = method;
    const userId = idOf(method);
    const path = '/recipe/user/password/reset';
    const made = await this.#post(maker, `${path}/token`, isOld(maker) ? { userId } : { userId, email });
    if (isOld(maker) && this.#withUserOf(method).length > 1) {
      expect([made.http, made.text.trim()]).toEqual([400, 'Please use CDI version >= 4.0']);
      return;
    }
    if (isOld(maker) && method.recipeId !== 'emailpassword') {
      this.#expect(made, { status: 'UNKNOWN_USER_ID_ERROR' });
      return;
    }
    if (method.recipeId !== 'emailpassword') return;
    const { token } = made.body;
    if (isOld(redeemer)) {
      const reset = await this.#post(redeemer, path, { method: 'token', token, newPassword });
      this.#expect(reset, { status: 'OK', userId });
    } else {
      const consumed = await this.#post(redeemer, `${path}/token/consume`, { token });
      this.#expect(consumed, { status: 'OK', userId, email });
      const change = { recipeUserId: userId, password: newPassword };
      this.#expect(await redeemer.put(`${this.#app}/recipe/user`, change), { status: 'OK' });
    }
    method.password = newPassword;
  }

  async verifyEmail(): Promise<void> {
    const method = this.#method();
    if (method === undefined) return;
    const pair = { userId: idOf(method), email: method.email };
    const path = '/recipe/user/email/verify';
    const made = await this.#post(this.#either(), `${path}/token`, pair);
    if (method.verified) {
      this.#expect(made, { status: 'EMAIL_ALREADY_VERIFIED_ERROR' });
      return;
    }
    const verified = await this.#post(this.#either(), path, { method: 'token', token: made.body.token });
    this.#expect(verified, { status: 'OK', ...pair });
    method.verified = true;
    const asked = await this.#either().get(`${this.#app}${path}`, pair);
    this.#expect(asked, { status: 'OK', isVerified: true });
  }

  async find(): Promise<void> {
    const method = this.#method();
    if (method === undefined) return;
    const { recipeId, email } = method;
    const [old, present] = [driverOf(core, '3.1'), driverOf(core, '5.4')];
    const found = await present.get(`${this.#app}/user/id`, { userId: idOf(method) });
    this.#expect(found, { status: 'OK', user: this.#userOf(method) });
    const ofOld = { status: 'OK', user: formerUserOf(method) };
    this.#expect(await old.get(`${this.#app}/recipe/user`, { userId: idOf(method) }, recipeId), ofOld);
    if (recipeId !== 'thirdparty')
      this.#expect(await old.get(`${this.#app}/recipe/user`, { email }, recipeId), ofOld);
  }

  async giveRole(): Promise<void> {
    const method = this.#method();
    if (method === undefined) return;
    const role = pick(this.#random, ['admin', 'guest']);
    const given = await this.#either().put(`${this.#app}/recipe/user/role`, { userId: idOf(method), role });
    this.#expect(given, { status: 'OK', didUserAlreadyHaveRole: method.roles.has(role) });
    method.roles.add(role);
    const roles = await this.#either().get(`${this.#app}/recipe/user/roles`, { userId: idOf(method) });
    this.#expect(roles, { status: 'OK', roles: [...method.roles] });
  }

  async changeMetadata(): Promise<void> {
    const method = this.#method();
    if (method === undefined) return;
    const [path, userId] = [`${this.#app}/recipe/user/metadata`, idOf(method)];
    const metadataUpdate = { [pick(this.#random, ['a', 'b'])]: this.#random(9) };
    method.metadata = { ...method.metadata, ...metadataUpdate };
    const expected = { status: 'OK', metadata: method.metadata };
    this.#expect(await this.#either().put(path, { userId, metadataUpdate }), expected);
    this.#expect(await this.#either().get(path, { userId }), expected);
  }

  async mapId(): Promise<void> {
    const method = this.#method(
      (each) =>
        each.externalId === undefined && this.#sessions.every((session) => session.method.user !== each.user),
    );
    if (method === undefined) return;
    const externalId = `ext-${randomUUID()}`;
    const input = { superTokensUserId: method.coreId, externalUserId: externalId, force: true };
    this.#expect(await this.#post(this.#either(), '/recipe/userid/map', input), { status: 'OK' });
    method.externalId = externalId;
    happened.add('mapped');
  }

  /** One tenant more, or one fewer. */
  async associate(): Promise<void> {
    const method = this.#method();
    if (method === undefined) return;
    const [driver, isThere] = [this.#either(), method.tenantIds.includes('t1')];
    const path = '/t1/recipe/multitenancy/tenant/user';
    const [ending, field] =
      this.#random(2) === 0 ? ['', 'wasAlreadyAssociated'] : ['/remove', 'wasAssociated'];
    const answer = await this.#post(driver, path + ending, this.#named(driver, method));
    this.#expect(answer, { status: 'OK', [field]: isThere });
    method.tenantIds = ending === '' ? ['public', 't1'] : ['public'];
  }

  /** All login methods of the user are removed, whichever was named. */
  async remove(): Promise<void> {
    const method = this.#method();
    if (method === undefined || this.#random(3) > 0) return;
    const { user } = method;
    this.#expect(await this.#post(this.#either(), '/user/remove', { userId: idOf(method) }), {
      status: 'OK',
    });
    this.#endSessions((each) => each.user === user);
    this.#methods = this.#methods.filter((each) => each.user !== user);
  }

  async beginSession(): Promise<void> {
    const method = this.#method();
    if (method === undefined) return;
    const driver = this.#either();
    const { body } = await this.#post(driver, '/recipe/session', {
      userId: idOf(method),
      enableAntiCsrf: false,
      userDataInJWT: {},
      userDataInDatabase: {},
      useDynamicSigningKey: true,
    });
    const { session } = body as unknown as SessionAnswer;
    const begun = { handle: session.handle, method, tokens: [], current: 0 };
    this.#expectSession(driver, begun, body);
    this.#sessions.push(begun);
    this.#give(driver, begun, body);
  }

  /** Any token of a session: only the newest used one and its successors are not theft, in either version. */
  async refresh(): Promise<void> {
    const session = this.#session();
    if (session === undefined) return;
    const driver = this.#either();
    const latest = session.tokens.length - 1;
    const n = this.#random(2) === 0 ? this.#random(session.tokens.length) : latest;
    const token = session.tokens[n];
    const { body } = await this.#post(driver, '/recipe/session/refresh', {
      refreshToken: token?.refresh,
      enableAntiCsrf: false,
      useDynamicSigningKey: true,
    });
    if (n !== session.current && token?.parent !== session.current) {
      expect(body).toMatchObject({ status: 'TOKEN_THEFT_DETECTED', session: { handle: session.handle } });
      happened.add(`theft noticed by ${driver.version ?? ''}`);
      return this.#end(session);
    }
    session.current = n;
    this.#expectSession(driver, session, body);
    this.#give(driver, session, body, n);
  }

  /** The first use of a new token ends the one before. */
  async verifySession(): Promise<void> {
    const session = this.#session();
    const token = session?.tokens.at(-1);
    if (session === undefined || token === undefined) return;
    const driver = this.#either();
    const { body } = await this.#post(driver, '/recipe/session/verify', {
      accessToken: token.access,
      enableAntiCsrf: false,
      doAntiCsrfCheck: false,
      checkDatabase: true,
    });
    this.#expectSession(driver, session, body);
    if (token.parent === session.current) session.current = session.tokens.length - 1;
    const promoted = (body as { accessToken?: { token: string } }).accessToken?.token;
    if (promoted === undefined) return;
    expect(versionOf(promoted)).toBe(versionOf(token.access));
    token.access = promoted;
  }

  async listSessions(): Promise<void> {
    const method = this.#method();
    if (method === undefined) return;
    const own = this.#sessions.filter((session) => session.method.user === method.user);
    const userId = idOf(method.user.head ?? method);
    const answer = await this.#either().get(`${this.#app}/recipe/session/user`, { userId });
    this.#expect(answer, { status: 'OK', sessionHandles: own.map(({ handle }) => handle) });
  }

  async signOut(): Promise<void> {
    const session = this.#session();
    if (session !== undefined) await this.#end(session);
  }

  /** Both apps see every user: one as users of login methods, the other by the oldest of them. */
  async #check(): Promise<void> {
    const [old, present] = [driverOf(core, '3.1'), driverOf(core, '5.4')];
    const heads = this.#methods.filter(
      (method) =>
        method ===
        this.#withUserOf(method).reduce((one, other) => (other.timeJoined < one.timeJoined ? other : one)),
    );
    const path = `${this.#app}/users`;
    const listed = await old.get(path);
    this.#expect(listed, {
      status: 'OK',
      users: heads.map((each) => ({ recipeId: each.recipeId, user: formerUserOf(each) })),
    });
    this.#expect(await present.get(path), { status: 'OK', users: heads.map((each) => this.#userOf(each)) });
    this.#expect(await this.#either().get(`${path}/count`), { status: 'OK', count: heads.length });
  }

  #either(): Driver {
    const driver = pick(this.#random, this.#drivers);
    this.log.push(`  by ${driver.version ?? ''}`);
    return driver;
  }

  #email(): string {
    return pick(this.#random, distinct([...this.#emails, ...this.#methods.map(({ email }) => email)]));
  }

  #password(): string {
    return pick(this.#random, ['one', 'two']);
  }

  #method(fits: (method: Method) => boolean = () => true): Method | undefined {
    const fitting = this.#methods.filter(fits);
    return fitting.length === 0 ? undefined : pick(this.#random, fitting);
  }

  #session(): Session | undefined {
    return this.#sessions.length === 0 ? undefined : pick(this.#random, this.#sessions);
  }

  #of(recipeId: RecipeId, email: string): Method | undefined {
    return this.#methods.find((method) => method.recipeId === recipeId && method.email === email);
  }

  #withUserOf({ user }: Method): readonly Method[] {
    return this.#methods.filter((method) => method.user === user);
  }

  #named(driver: Driver, method: Method): object {
    return isOld(driver) ? { userId: idOf(method) } : { recipeUserId: idOf(method) };
  }

  #post(driver: Driver, path: string, input: object): Promise<Answer> {
    return driver.post(this.#app + path, input);
  }

  #add(
    driver: Driver,
    { text, body }: Answer,
    stated: Pick<Method, 'recipeId' | 'email' | 'verified'> & Partial<Method>,
  ): Method {
    expect(body.status, text).toBe('OK');
    const user = body.user as { id: string; timeJoined: number };
    const method: Method = {
      coreId: isOld(driver) ? user.id : (body.recipeUserId as string),
      timeJoined: user.timeJoined,
      tenantIds: ['public'],
      user: { head: undefined },
      roles: new Set<string>(),
      metadata: {},
      ...stated,
    };
    this.#methods.push(method);
    return method;
  }

  #userOf(method: Method): object {
    const all = this.#withUserOf(method);
    const { head } = method.user;
    return {
      id: idOf(head ?? method),
      isPrimaryUser: head !== undefined,
      tenantIds: distinct(all.flatMap(({ tenantIds }) => tenantIds)),
      timeJoined: Math.min(...all.map(({ timeJoined }) => timeJoined)),
      emails: distinct(all.map(({ email }) => email)),
      phoneNumbers: [],
      thirdParty: all.flatMap((each) => thirdPartyOf(each) ?? []),
      webauthn: { credentialIds: [] },
      loginMethods: all.map((each) => {
        const { id: recipeUserId, ...shared } = formerUserOf(each);
        return { ...shared, recipeUserId, recipeId: each.recipeId, verified: each.verified };
      }),
    };
  }

  #expect({ http, body, text }: Answer, expected: object): void {
    expect(http === 200 ? unordered(body) : [http, text]).toEqual(unordered(expected));
  }

  #expectUser(driver: Driver, answer: Answer, method: Method, more: object = {}): void {
    const user = isOld(driver)
      ? { user: formerUserOf(method) }
      : { user: this.#userOf(method), recipeUserId: idOf(method) };
    this.#expect(answer, { status: 'OK', ...user, ...more });
  }

  #expectSession(driver: Driver, { handle, method }: Session, { status, session }: Answer['body']): void {
    expect([status, session]).toEqual([
      'OK',
      {
        handle,
        userDataInJWT: {},
        tenantId: 'public',
        userId: idOf(method.user.head ?? method),
        ...(!isOld(driver) && { recipeUserId: idOf(method) }),
      },
    ]);
  }

  #give(driver: Driver, session: Session, body: Answer['body'], parent?: number): void {
    const { accessToken, refreshToken } = body as unknown as SessionAnswer;
    expect(versionOf(accessToken.token)).toBe(isOld(driver) ? '4' : '5');
    session.tokens.push({ refresh: refreshToken.token, access: accessToken.token, parent });
  }

  async #end(session: Session): Promise<void> {
    const input = { sessionHandles: [session.handle] };
    const answer = await this.#post(this.#either(), '/recipe/session/remove', input);
    this.#expect(answer, { status: 'OK', sessionHandlesRevoked: [session.handle] });
    this.#sessions = this.#sessions.filter((each) => each !== session);
  }

  #endSessions(ofMethod: (method: Method) => boolean): void {
    this.#sessions = this.#sessions.filter(({ method }) => !ofMethod(method));
  }
}

/** Without users there is little to do. */
const beginning = ['signUp', 'signInByProvider', 'signUp', 'signInByCode', 'beginSession'] as const;

const steps = [
  'signUp',
  'signIn',
  'signInByProvider',
  'signInByCode',
  'link',
  'unlink',
  'changePassword',
  'changeEmail',
  'resetPassword',
  'verifyEmail',
  'find',
  'giveRole',
  'changeMetadata',
  'mapId',
  'associate',
  'remove',
  'beginSession',
  'refresh',
  'refresh',
  'refresh',
  'verifySession',
  'listSessions',
  'signOut',
] as const;

function thirdPartyOf({ thirdPartyUserId }: Method): { id: string; userId: string } | undefined {
  return thirdPartyUserId === undefined ? undefined : { id: 'google', userId: thirdPartyUserId };
}

/** The login method as a user of 3.1. */
function formerUserOf(method: Method) {
  const { timeJoined, tenantIds, email } = method;
  return { id: idOf(method), timeJoined, tenantIds, email, thirdParty: thirdPartyOf(method) };
}

function versionOf(accessToken: string): unknown {
  const [header = ''] = accessToken.split('.');
  return (JSON.parse(Buffer.from(header, 'base64url').toString()) as { version: unknown }).version;
}

test.each(Array.from({ length: days }, (_, n) => firstSeed + n))(
  'an app of 3.1 and one of 5.4 share users and sessions, on day %i',
  async (seed) => {
    const day = new Day(await newApp(core), randomOf(seed));
    try {
      await day.play();
    } catch (error) {
      throw new Error(`day ${seed}:\n${day.log.join('\n')}`, { cause: error });
    }
  },
);

test.runIf(days >= 8)('the days had what needs several steps', () => {
  expect([...happened].sort()).toEqual([
    'linked',
    'mapped',
    'theft noticed by 3.1',
    'theft noticed by 5.4',
    'unlinked',
  ]);
});
