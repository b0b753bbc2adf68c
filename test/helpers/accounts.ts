/** Actions of users on accounts of one app, by requests as a backend sends them. Each guess comes from a different address. */
import { pbkdf2Sync, randomInt } from 'node:crypto';
import { testApiKey, type TestCore } from './core.ts';

type Body = Record<string, unknown>;

export interface LinkedThere {
  readonly id: string;
  readonly recipeUserId: string;
}

export interface JobSeen {
  readonly id: string;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  readonly conflicts: number;
}

/** A hash of the old system, as Django writes it. */
export function oldHash(password: string): { readonly passwordHash: string } {
  const digest = pbkdf2Sync(password, 'salt', 1000, 32, 'sha256').toString('base64');
  return { passwordHash: `pbkdf2_sha256$1000$salt$${digest}` };
}

export class AppClient {
  readonly core: TestCore;
  readonly app: string;

  constructor(core: TestCore, app: string) {
    this.core = core;
    this.app = app;
  }

  async send(method: string, path: string, input?: object): Promise<Body> {
    const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
    const response = await fetch(`${this.core.url}${this.app}${path}`, {
      method,
      headers: { 'api-key': testApiKey, 'carryover-client-address': address },
      ...(input && { body: JSON.stringify(input) }),
    });
    return (await response.json()) as Body;
  }

  post = (path: string, input: object): Promise<Body> => this.send('POST', path, input);
  put = (path: string, input: object): Promise<Body> => this.send('PUT', path, input);
  get = (path: string): Promise<Body> => this.send('GET', path);

  /** @returns the id of the login method, undefined if the email is taken */
  async signUp(email: string, password: string): Promise<string | undefined> {
    const { status, recipeUserId } = await this.post('/recipe/signup', { email, password });
    return status === 'OK' ? (recipeUserId as string) : undefined;
  }

  /** @returns the ids of users that the password signs in */
  async signIn(email: string, password: string): Promise<LinkedThere | undefined> {
    const { status, user, recipeUserId } = await this.post('/recipe/signin', { email, password });
    if (status !== 'OK') return undefined;
    return { id: (user as { id: string }).id, recipeUserId: recipeUserId as string };
  }

  /** Signs in, or up, with an account at a provider. */
  async viaProvider(thirdPartyUserId: string): Promise<LinkedThere | undefined> {
    const email = { id: `${thirdPartyUserId}@provider.example`, isVerified: true };
    const input = { thirdPartyId: 'google', thirdPartyUserId, email };
    const { status, user, recipeUserId } = await this.post('/recipe/signinup', input);
    if (status !== 'OK') return undefined;
    return { id: (user as { id: string }).id, recipeUserId: recipeUserId as string };
  }

  /**
   * Signs in, or up, with the code that is sent to a mailbox.
   * @returns the ids of the user that the code signs in
   */
  async viaCode(email: string): Promise<LinkedThere | undefined> {
    const { preAuthSessionId, linkCode } = await this.post('/recipe/signinup/code', { email });
    const consumed = await this.post('/recipe/signinup/code/consume', { preAuthSessionId, linkCode });
    if (consumed.status !== 'OK') return undefined;
    return { id: (consumed.user as { id: string }).id, recipeUserId: consumed.recipeUserId as string };
  }

  /** @returns the id of the login method with the email and a password */
  async passwordMethodOf(email: string): Promise<string | undefined> {
    const { users } = await this.get(`/users/by-accountinfo?email=${encodeURIComponent(email)}`);
    const methods = (users as { loginMethods: Record<string, string>[] }[]).flatMap(
      (user) => user.loginMethods,
    );
    return methods.find((each) => each.recipeId === 'emailpassword' && each.email === email)?.recipeUserId;
  }

  async verify(userId: string, email: string): Promise<void> {
    const { token } = await this.post('/recipe/user/email/verify/token', { userId, email });
    if (token !== undefined) await this.post('/recipe/user/email/verify', { method: 'token', token });
  }

  async resetToken(userId: string, email: string): Promise<string> {
    return (await this.post('/recipe/user/password/reset/token', { userId, email })).token as string;
  }

  async followReset(token: string): Promise<boolean> {
    const input = { method: 'token', token };
    return (await this.post('/recipe/user/password/reset/token/consume', input)).status === 'OK';
  }

  /** As an app does: the link verifies the mailbox, the password is set, and all sessions end. */
  async reset(userId: string, email: string, password: string): Promise<void> {
    await this.followReset(await this.resetToken(userId, email));
    await this.put('/recipe/user', { recipeUserId: userId, password });
    await this.post('/recipe/session/remove', { userId });
  }

  /** Links an account at a provider to a user, who becomes primary. */
  async link(userId: string, thirdPartyUserId: string): Promise<boolean> {
    const other = await this.viaProvider(thirdPartyUserId);
    await this.post('/recipe/accountlinking/user/primary', { recipeUserId: userId });
    const input = { primaryUserId: userId, recipeUserId: other?.recipeUserId };
    return (await this.post('/recipe/accountlinking/user/link', input)).status === 'OK';
  }

  async beginSession(userId: string): Promise<string> {
    const input = { userId, userDataInJWT: {}, userDataInDatabase: {}, enableAntiCsrf: false };
    return ((await this.post('/recipe/session', input)).refreshToken as { token: string }).token;
  }

  /** @returns the next token, undefined if the session has ended */
  async refresh(refreshToken: string): Promise<string | undefined> {
    const input = { refreshToken, enableAntiCsrf: false, useDynamicSigningKey: true };
    const { status, refreshToken: next } = await this.post('/recipe/session/refresh', input);
    return status === 'OK' ? (next as { token: string }).token : undefined;
  }

  async runJob(records: readonly object[], query = ''): Promise<JobSeen> {
    const response = await fetch(`${this.core.url}${this.app}/bulk-import/jobs?${query}`, {
      method: 'PUT',
      headers: { 'api-key': testApiKey },
      body: records.map((record) => `${JSON.stringify(record)}\n`).join(''),
    });
    const body = (await response.json()) as { job?: JobSeen };
    if (!body.job) throw new Error(JSON.stringify(body));
    return body.job;
  }

  /** Through the import queue, until it has no entry of this app. */
  async queue(record: object): Promise<void> {
    const { status } = await this.post('/bulk-import/users', { users: [record] });
    if (status !== 'OK') throw new Error(JSON.stringify(status));
    const waiting = async (state: string): Promise<boolean> =>
      (await this.get(`/bulk-import/users/count?status=${state}`)).count !== 0;
    while ((await waiting('NEW')) || (await waiting('PROCESSING')));
  }

  async undo(jobId: string, force = false): Promise<Body> {
    return this.post(`/bulk-import/jobs/${jobId}/undo`, { force });
  }
}
