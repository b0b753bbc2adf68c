/**
 * Random days of two equal apps on one core: each request is sent to one in an older version of the interface, and to the other
 * in 5.4. The answer of 5.4, shown as in the older version, has to equal the older one's answer; and after each step 5.4 shows
 * the same users and tenants in both. CARRYOVER_RANDOM_VERSIONS is the number of days of each version,
 * CARRYOVER_RANDOM_VERSIONS_SEED chooses them.
 */
import { createHmac, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LoginMethod, User } from '../../src/domain/model.ts';
import { type Answer, startTestCore, type TestCore } from '../helpers/core.ts';
import {
  formerAnswer,
  formerTenant,
  isBefore,
  isOn,
  isRefusal,
  type Kind,
  methodAsUser,
  openToken,
  presentTenantRequest,
  type Recipe,
  type Shown,
  type Tenant,
  without,
} from '../helpers/former-view.ts';
import { newOldKey, signOld, soon } from '../helpers/old-tokens.ts';
import { knownHash, newApp, newEmail } from '../helpers/people.ts';
import { type Driver, driverOf } from '../helpers/versioned.ts';

const days = Number(process.env.CARRYOVER_RANDOM_VERSIONS ?? 3);
const seed = Number(process.env.CARRYOVER_RANDOM_VERSIONS_SEED ?? 40);
const stepsADay = 90;
/** The users and tenants of both apps are compared after this number of steps. */
const stepsToState = 3;

/** A value for the app that is called in the older version, and one for the app that is called in 5.4. */
type Both<T> = readonly [former: T, present: T];
type Side = 0 | 1;

const oldKey = newOldKey('old');
const issuer = 'https://old.example/';
const source = {
  name: 'old',
  speaks: 'jwt',
  issuer,
  audience: 'app',
  algorithms: ['ES256'],
  keys: [oldKey.jwk],
  until: soon(),
};

let core: TestCore;
beforeAll(async () => {
  core = await startTestCore({
    settings: { REVEAL_RESTRICTIONS: 'true', GUESSES_PER_ACCOUNT: '0', GUESSES_PER_ADDRESS: '0' },
  });
});
afterAll(() => core.stop());

interface Choice {
  readonly what: StepName;
  readonly who: number;
  readonly which: number;
  readonly more: number;
  readonly tenantId: 'public' | 't1';
  /** The tenant is in the path of a route of the app. */
  readonly isMisplaced: boolean;
}

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly fields?: object;
  readonly rid?: string | undefined;
}

interface Code {
  readonly preAuthSessionId: string;
  readonly deviceId: string;
  readonly codeId: string;
  readonly linkCode: string;
  readonly userInputCode: string;
}

interface Session {
  readonly handle: string;
  access: string;
  readonly refresh: string[];
}

interface Known {
  readonly recipeId: string;
  ids: Both<string>;
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** Secrets and times: only their presence is compared. */
const changing = [
  'timeJoined',
  'createdTime',
  'expiry',
  'timeCreated',
  'retryAfterMs',
  'iat',
  'exp',
  'authTime',
  'codeId',
  'deviceId',
  'preAuthSessionId',
  'linkCode',
  'userInputCode',
  'token',
  'secret',
  'antiCsrfToken',
  'refreshTokenHash1',
  'parentRefreshTokenHash1',
  'nextPaginationToken',
];
const sets = ['firstFactors', 'requiredSecondaryFactors', 'tenantIds'];

class Day {
  readonly log: string[] = [];
  readonly #version: string;
  readonly #apps: Both<string>;
  readonly #drivers: Both<Driver>;
  /** Names that both have, by the ids of each app. */
  readonly #labels: Both<Map<string, string>> = [new Map(), new Map()];
  readonly #emails = Array.from({ length: 3 }, newEmail);
  readonly #suffix = randomUUID().slice(0, 8);
  readonly #known: Known[] = [];
  readonly #codes: Both<Code>[] = [];
  readonly #sessions: Both<Session>[] = [];
  readonly #resetTokens: Both<string>[] = [];
  #count = 0;
  #step = '';

  constructor(version: string, apps: Both<string>) {
    this.#version = version;
    this.#apps = apps;
    this.#drivers = [driverOf(core, version), driverOf(core, '5.4')];
  }

  async play(choices: readonly Choice[]): Promise<void> {
    await this.#present('PUT', '/recipe/multitenancy/tenant/v2', { tenantId: 't1', firstFactors: null });
    await this.#present('POST', '/recipe/totp/device/import', device);
    for (const [n, choice] of [...beginning, ...choices].entries()) {
      this.log.push(JSON.stringify(choice));
      this.#step = choice.what;
      await this[choice.what](choice);
      if (n % stepsToState === 0) await this.#compareStates();
    }
    await this.#compareStates();
  }

  async signUp({ who, which, tenantId }: Choice): Promise<void> {
    const fields = { email: this.#email(who), password: passwordOf(which) };
    await this.#signIn('emailPassword', tenantId, { path: '/recipe/signup', fields });
  }

  async signIn({ who, which, tenantId }: Choice): Promise<void> {
    const fields = { email: this.#email(who), password: passwordOf(which) };
    const kind: Kind = { statuses: { SIGN_IN_RESTRICTED_ERROR: 'WRONG_CREDENTIALS_ERROR' } };
    await this.#signIn('emailPassword', tenantId, { path: '/recipe/signin', fields, kind });
  }

  async importHash({ who, tenantId }: Choice): Promise<void> {
    const email = this.#email(who);
    const fits = ({ recipeId, email: own, tenantIds }: LoginMethod) =>
      recipeId === 'emailpassword' && own === email && tenantIds.includes(tenantId);
    await this.#signIn('emailPassword', tenantId, {
      path: '/recipe/user/passwordhash/import',
      fields: { email, passwordHash: knownHash },
      kind: { shows: fits },
    });
  }

  /** Before 4.0 it does not matter whether the provider has verified the email. */
  async signInUp({ who, which, more, tenantId }: Choice): Promise<void> {
    const isVerified = more % 2 === 0;
    const fieldsOf = (side: Side) => ({
      thirdPartyId: 'google',
      thirdPartyUserId: `g-${which % 2}-${this.#suffix}`,
      email: { id: this.#email(who), isVerified: isVerified && (side === 0 || !this.#isBefore('4.0')) },
    });
    const statuses = { EMAIL_CHANGE_NOT_ALLOWED_ERROR: '400', SIGN_IN_UP_NOT_ALLOWED: '400' };
    await this.#signIn('thirdParty', tenantId, {
      path: '/recipe/signinup',
      fields: fieldsOf,
      kind: { statuses },
    });
  }

  async makeCode({ who, more, tenantId }: Choice): Promise<void> {
    const fields = more % 3 === 0 ? { phoneNumber: phoneOf(who) } : { email: this.#email(who) };
    if (await this.#isRefused('passwordless', tenantId, { path: '/recipe/signinup/code', fields })) return;
    const made = await this.#ask({ method: 'POST', path: `/${tenantId}/recipe/signinup/code`, fields });
    this.#compare(made);
    if (made[1].body.status === 'OK')
      this.#codes.push([made[0].body as unknown as Code, made[1].body as unknown as Code]);
  }

  /** Before 4.0 a code verifies no email: the other app undoes that. */
  async consumeCode(choice: Choice): Promise<void> {
    const code = this.#pick(this.#codes, choice.who);
    if (code === undefined) return;
    const { tenantId } = choice;
    const answers = await this.#signIn('passwordless', tenantId, {
      path: '/recipe/signinup/code/consume',
      fields: (side) => useOf(code[side], choice),
      kind: { since50: ['consumedDevice'], statuses: { SIGN_IN_NOT_ALLOWED: 'RESTART_FLOW_ERROR' } },
    });
    const { user, recipeUserId } = (answers?.[1].body ?? {}) as { user?: User; recipeUserId?: string };
    const email = user?.loginMethods.find((method) => method.recipeUserId === recipeUserId)?.email;
    if (!this.#isBefore('4.0') || email === undefined) return;
    const path = `${this.#apps[1]}/recipe/user/email/verify/remove`;
    await driverOf(core, '5.4').post(path, { userId: recipeUserId, email });
  }

  async checkCode(choice: Choice): Promise<void> {
    const code = this.#pick(this.#codes, choice.who);
    if (code === undefined) return;
    const call = {
      path: '/recipe/signinup/code/check',
      fields: (side: Side) => useOf(code[side], choice),
    };
    if (await this.#isRefused('passwordless', choice.tenantId, { ...call, fields: call.fields(0) })) return;
    this.#compare(
      await this.#ask((side) => ({
        method: 'POST',
        path: `/${choice.tenantId}${call.path}`,
        fields: call.fields(side),
      })),
    );
  }

  /** Before 5.0 not by the device. */
  async removeCode({ who, more, tenantId }: Choice): Promise<void> {
    const code = this.#pick(this.#codes, who);
    if (code === undefined) return;
    const path = `/${tenantId}/recipe/signinup/code/remove`;
    const byDevice = more % 2 === 0;
    if (byDevice && this.#isBefore('5.0')) {
      const { preAuthSessionId } = code[0];
      const refused = await this.#askOne(0, { method: 'POST', path, fields: { preAuthSessionId } });
      expect(this.#shown(0, refused)).toEqual([400, "Field name 'codeId' is invalid in JSON input"]);
      return;
    }
    const fieldsOf = ({ codeId, preAuthSessionId }: Code) =>
      byDevice ? { preAuthSessionId } : { codeId, ...(this.#isBefore('5.0') && { preAuthSessionId: 'x' }) };
    const presentOf = ({ codeId, preAuthSessionId }: Code) => (byDevice ? { preAuthSessionId } : { codeId });
    this.#compare(
      await this.#ask((side) => ({
        method: 'POST',
        path,
        fields: side === 0 ? fieldsOf(code[0]) : presentOf(code[1]),
      })),
    );
  }

  /** By its own id or a contact, and its recipe. From 4.0 on, users are found by another route. */
  async findMethod({ who, which, more, tenantId }: Choice): Promise<void> {
    const path = `/${tenantId}/recipe/user`;
    const recipeId = recipeIds[which % 3];
    if (!this.#isBefore('4.0')) {
      const [answer] = await this.#ask({ method: 'GET', path, fields: { userId: 'u' }, rid: recipeId });
      expect(answer.http).toBe(405);
      return;
    }
    const known = this.#pick(this.#known, who);
    if (more % 2 === 0 && known !== undefined) await this.#findById(path, known, recipeId);
    else await this.#findByContact(path, { who, recipeId, tenantId });
  }

  async #findById(path: string, { ids }: Known, recipeId: string | undefined): Promise<void> {
    const found = await this.#askOne(1, { method: 'GET', path: '/user/id', fields: { userId: ids[1] } });
    const { user } = found.body as { user?: User };
    const method = user?.loginMethods.find(
      (each) => each.recipeUserId === ids[1] && each.recipeId === recipeId,
    );
    const call = { method: 'GET', path, fields: { userId: ids[0] }, rid: recipeId } as const;
    this.#expect(
      await this.#askOne(0, call),
      method === undefined
        ? { status: 'UNKNOWN_USER_ID_ERROR' }
        : { status: 'OK', user: methodAsUser(method) },
    );
  }

  async #findByContact(
    path: string,
    { who, recipeId, tenantId }: { who: number; recipeId: string | undefined; tenantId: string },
  ): Promise<void> {
    const contacts = {
      emailpassword: { email: this.#email(who) },
      passwordless: who % 3 === 0 ? { phoneNumber: phoneOf(who) } : { email: this.#email(who) },
      thirdparty: { thirdPartyId: 'google', thirdPartyUserId: `g-${who % 2}-${this.#suffix}` },
    };
    const contact: Record<string, string> = contacts[recipeId as keyof typeof contacts];
    const status =
      recipeId === 'thirdparty'
        ? 'UNKNOWN_THIRD_PARTY_USER_ERROR'
        : `UNKNOWN_${'email' in contact ? 'EMAIL' : 'PHONE_NUMBER'}_ERROR`;
    const [method] = await this.#methodsBy(contact, recipeId, tenantId);
    this.#expect(
      await this.#askOne(0, { method: 'GET', path, fields: contact, rid: recipeId }),
      method === undefined ? { status } : { status: 'OK', user: methodAsUser(method) },
    );
  }

  async findByEmail({ who, tenantId }: Choice): Promise<void> {
    const contact = { email: this.#email(who) };
    const call = { method: 'GET', path: `/${tenantId}/recipe/users/by-email`, fields: contact } as const;
    const found = await this.#askOne(0, call);
    if (!this.#isBefore('4.0')) {
      expect(found.http).toBe(404);
      return;
    }
    const methods = await this.#methodsBy(contact, 'thirdparty', tenantId);
    this.#expect(found, { status: 'OK', users: methods.map(methodAsUser) });
  }

  /** In the app of 5.4, which has no such route. */
  async #methodsBy(
    contact: Record<string, string>,
    recipeId: string | undefined,
    tenantId: string,
  ): Promise<LoginMethod[]> {
    const call = { method: 'GET', path: `/${tenantId}/users/by-accountinfo`, fields: contact } as const;
    const { users } = (await this.#askOne(1, call)).body as unknown as { users: readonly User[] };
    return users
      .flatMap(({ loginMethods }) => loginMethods)
      .filter(
        ({ email, phoneNumber, thirdParty, ...method }) =>
          method.recipeId === recipeId &&
          method.tenantIds.includes(tenantId) &&
          [email, phoneNumber, thirdParty?.userId].includes(Object.values(contact).at(-1)),
      );
  }

  async listUsers({ which, tenantId }: Choice): Promise<void> {
    const order = which % 2 === 0 ? 'ASC' : 'DESC';
    const fields = { limit: String(1 + which), timeJoinedOrder: order };
    this.#compare(await this.#ask({ method: 'GET', path: `/${tenantId}/users`, fields }), { shows: 'list' });
  }

  async countUsers({ tenantId }: Choice): Promise<void> {
    this.#compare(await this.#ask({ method: 'GET', path: `/${tenantId}/users/count` }));
  }

  async findUser(choice: Choice): Promise<void> {
    const known = this.#pick(this.#known, choice.who);
    if (known === undefined) return;
    const call = (side: Side) => ({ method: 'GET', path: '/user/id', fields: { userId: known.ids[side] } });
    this.#compare(await this.#askApp(choice, call as CallOf), { shows: 'whole' });
    const path = `/${choice.tenantId}/users/by-accountinfo`;
    const fields = { email: this.#email(choice.who) };
    this.#compare(await this.#ask({ method: 'GET', path, fields }), { shows: 'whole' });
  }

  /** Each version ignores the other's field. */
  async changeUser(choice: Choice): Promise<void> {
    const { who, which, more } = choice;
    const known = this.#pick(this.#known, who);
    if (known === undefined) return;
    const isOfCodes = known.recipeId === 'passwordless';
    const contacts = [{ email: this.#email(which) }, { phoneNumber: phoneOf(which) }, { email: null }];
    const passwords = [{ password: passwordOf(which) }, { email: this.#email(which) }];
    const change = isOfCodes ? contacts[more % 3] : passwords[more % 2];
    const statuses = {
      EMAIL_CHANGE_NOT_ALLOWED_ERROR: 'EMAIL_ALREADY_EXISTS_ERROR',
      PHONE_NUMBER_CHANGE_NOT_ALLOWED_ERROR: 'PHONE_NUMBER_ALREADY_EXISTS_ERROR',
    };
    const call = (side: Side): Call => ({
      method: 'PUT',
      path: '/recipe/user',
      rid: isOfCodes ? 'passwordless' : 'emailpassword',
      fields: { ...this.#named(side, known, more), ...change },
    });
    this.#compare(await this.#askApp(choice, call), { statuses });
  }

  async associate({ who, which, more, tenantId }: Choice): Promise<void> {
    const known = this.#pick(this.#known, who);
    if (known === undefined) return;
    const ending = which % 3 === 0 ? '/remove' : '';
    const path = `/${tenantId}/recipe/multitenancy/tenant/user${ending}`;
    const answers = await this.#ask((side) => ({
      method: 'POST',
      path,
      fields: this.#named(side, known, more),
    }));
    const { status, reason } = answers[1].body as { status?: string; reason?: string };
    const what = ['phone number', 'third party'].find((each) => reason?.includes(each) === true);
    const former =
      what === undefined
        ? 'EMAIL_ALREADY_EXISTS_ERROR'
        : `${what.toUpperCase().replace(' ', '_')}${what === 'third party' ? '_USER' : ''}_ALREADY_EXISTS_ERROR`;
    const isShared = status === 'ASSOCIATION_NOT_ALLOWED_ERROR';
    this.#compare(answers, { ...(isShared && { statuses: { ASSOCIATION_NOT_ALLOWED_ERROR: former } }) });
  }

  async link(choice: Choice): Promise<void> {
    const [head, other] = [this.#pick(this.#known, choice.who), this.#pick(this.#known, choice.which)];
    if (head === undefined || other === undefined) return;
    const path = '/recipe/accountlinking/user';
    const primary = (side: Side): Call => ({
      method: 'POST',
      path: `${path}/primary`,
      fields: { recipeUserId: head.ids[side] },
    });
    this.#compare(await this.#askApp(choice, primary), { shows: 'whole' });
    const link = (side: Side): Call => ({
      method: 'POST',
      path: `${path}/link`,
      fields: { recipeUserId: other.ids[side], primaryUserId: head.ids[side] },
    });
    this.#compare(await this.#askApp(choice, link), { shows: 'whole' });
  }

  async unlink(choice: Choice): Promise<void> {
    const known = this.#pick(this.#known, choice.who);
    if (known === undefined || choice.more % 2 === 0) return;
    const path = '/recipe/accountlinking/user/unlink';
    const call = (side: Side): Call => ({
      method: 'POST',
      path,
      fields: { recipeUserId: known.ids[side] },
    });
    this.#compare(await this.#askApp(choice, call));
  }

  async mapId({ who }: Choice): Promise<void> {
    const known = this.#pick(this.#known, who);
    if (known === undefined) return;
    const externalUserId = `ext-${this.#count++}-${this.#suffix}`;
    const answers = await this.#ask((side) => ({
      method: 'POST',
      path: '/recipe/userid/map',
      fields: { superTokensUserId: known.ids[side], externalUserId, force: true },
    }));
    this.#compare(answers);
    if (answers[1].body.status === 'OK') known.ids = [externalUserId, externalUserId];
  }

  /** From 4.0 on the answer states why a user with restrictions may not sign in. */
  async restrict({ who, more }: Choice): Promise<void> {
    const known = this.#pick(this.#known, who);
    if (known === undefined) return;
    const isDisabled = more % 2 === 0;
    this.#compare(
      await this.#ask((side) => ({
        method: 'PUT',
        path: '/user/restrictions',
        fields: { userId: known.ids[side], isDisabled },
      })),
    );
  }

  async removeUser(choice: Choice): Promise<void> {
    const known = this.#pick(this.#known, choice.who);
    if (known === undefined || choice.more % 3 > 0) return;
    const call = (side: Side): Call => ({
      method: 'POST',
      path: '/user/remove',
      fields: { userId: known.ids[side] },
    });
    this.#compare(await this.#askApp(choice, call));
  }

  /** Before 4.0 the user's own email is used, whatever the request contains, for a user with one login method. */
  async makeResetToken({ who, which, more, tenantId }: Choice): Promise<void> {
    const known = this.#pick(this.#known, who);
    if (known === undefined) return;
    const isOld = this.#isBefore('4.0');
    const path = `/${tenantId}/recipe/user/password/reset/token`;
    const found = await this.#askOne(1, {
      method: 'GET',
      path: '/user/id',
      fields: { userId: known.ids[1] },
    });
    const [method, another] = (found.body as { user?: User }).user?.loginMethods ?? [];
    const stated = more % 4 === 0 ? {} : { email: more % 4 === 1 ? this.#email(which) : method?.email };
    const fieldsOf = (side: Side) => ({
      userId: known.ids[side],
      ...(side === 1 && isOld ? { email: method?.email } : stated),
    });
    if (
      await this.#isRefused('emailPassword', tenantId, {
        path: path.slice(tenantId.length + 1),
        fields: fieldsOf(0),
      })
    )
      return;
    const call = (side: Side): Call => ({ method: 'POST', path, fields: fieldsOf(side) });
    if (isOld && (another !== undefined || method?.recipeId !== 'emailpassword')) {
      const refused =
        another === undefined
          ? { status: 'UNKNOWN_USER_ID_ERROR' }
          : ([400, 'Please use CDI version >= 4.0'] as const);
      this.#expect(await this.#askOne(0, call(0)), refused);
      return;
    }
    const answers = await this.#ask(call);
    this.#compare(answers);
    if (answers[1].body.status === 'OK')
      this.#resetTokens.push([String(answers[0].body.token), String(answers[1].body.token)]);
  }

  /** Before 4.0 in one request; later in two. */
  async resetPassword({ who, which, tenantId }: Choice): Promise<void> {
    const token = this.#pick(this.#resetTokens, who);
    if (token === undefined) return;
    const path = `/${tenantId}/recipe/user/password/reset`;
    const newPassword = passwordOf(which);
    const former = {
      method: 'POST',
      path,
      fields: { method: 'token', token: token[0], newPassword },
    } as const;
    if (!this.#isBefore('4.0')) {
      expect((await this.#askOne(0, former)).http).toBe(404);
      this.#compare(
        await this.#ask((side) => ({
          method: 'POST',
          path: `${path}/token/consume`,
          fields: { token: token[side] },
        })),
      );
      return;
    }
    const consume = { method: 'POST', path: `${path}/token/consume`, fields: { token: token[1] } } as const;
    const [older, newer] = [await this.#askOne(0, former), await this.#askOne(1, consume)];
    const { userId } = newer.body;
    if (userId !== undefined) {
      const fields = { recipeUserId: userId, password: newPassword };
      await this.#askOne(1, { method: 'PUT', path: '/recipe/user', fields });
    }
    this.#expect(older, without(newer.body, 'email'));
  }

  async beginSession({ who, more, tenantId }: Choice): Promise<void> {
    const known = this.#pick(this.#known, who);
    if (known === undefined) return;
    await this.#begin((side) => ({
      method: 'POST',
      path: `/${tenantId}/recipe/session`,
      fields: {
        userId: known.ids[side],
        enableAntiCsrf: more % 3 === 0,
        userDataInDatabase: { a: 1 },
        userDataInJWT: claimsOf(more),
        useDynamicSigningKey: more % 2 === 0,
      },
    }));
  }

  /** With a token of the system before, for a user by the id that is mapped. */
  async carrySession({ who, more, tenantId }: Choice): Promise<void> {
    const known = this.#pick(this.#known, who);
    if (known === undefined) return;
    const iat = Math.floor(Date.now() / 1000) - 60;
    const times = { iat, exp: iat + 3600, jti: randomUUID() };
    const token = await signOld(oldKey, { iss: issuer, aud: 'app', sub: known.ids[0], ...times });
    const fields = {
      source: 'old',
      token,
      userDataInJWT: claimsOf(more),
      useDynamicSigningKey: more % 2 === 0,
    };
    await this.#begin(() => ({ method: 'POST', path: `/${tenantId}/recipe/session/carry`, fields }));
  }

  /** A claim `rsub` is the session's own from 4.0 on: before, it is one of the app's. */
  async #begin(call: CallOf): Promise<void> {
    const answers = await this.#ask(call);
    if (this.#isOfApp(answers)) {
      const [older] = answers;
      const other = call(1);
      const newer = await this.#askOne(1, { ...other, fields: { ...other.fields, userDataInJWT: {} } });
      if (older.body.status === 'OK') await this.#endAlike([older, newer]);
      else this.#compare([older, newer]);
      return;
    }
    this.#compare(answers);
    if (answers[1].body.status === 'OK') this.#sessions.push([sessionIn(answers[0]), sessionIn(answers[1])]);
  }

  /** True if 5.4 refuses a claim that is the app's before 4.0. */
  #isOfApp(answers: Both<Answer>): boolean {
    const [isFormer, isPresent] = answers.map(({ text }) => text.trim() === protectedClaim);
    return this.#isBefore('4.0') && isPresent === true && isFormer === false;
  }

  /** Sessions of which only the older one has the claim. */
  async #endAlike(answers: Both<Answer>): Promise<void> {
    const { session } = answers[0].body as { session: { userDataInJWT: { rsub?: string } } };
    expect([session.userDataInJWT.rsub, answers[1].body.status]).toEqual(['mine', 'OK']);
    const call = (side: Side): Call => ({
      method: 'POST',
      path: '/recipe/session/remove',
      fields: { sessionHandles: [sessionIn(answers[side]).handle] },
    });
    this.#compare(await this.#ask(call));
  }

  /** Before 5.0 a session keeps its kind of key if the request names none. */
  async refreshSession(choice: Choice): Promise<void> {
    const session = this.#pick(this.#sessions, choice.who);
    if (session === undefined) return;
    const { which, more } = choice;
    const namesKey = more % 3 > 0;
    const isDynamic = openToken(session[1].access).key === 'd-';
    const call = (side: Side): Call => ({
      method: 'POST',
      path: '/recipe/session/refresh',
      fields: {
        refreshToken: session[side].refresh.at(-1 - which) ?? session[side].refresh.at(-1),
        enableAntiCsrf: more % 3 === 0,
        ...(namesKey && { useDynamicSigningKey: more % 2 === 0 }),
        ...(!namesKey && side === 1 && this.#isBefore('5.0') && { useDynamicSigningKey: isDynamic }),
      },
    });
    const answers = await this.#askApp(choice, call);
    this.#compare(answers);
    if (answers[1].body.status === 'OK')
      for (const side of [0, 1] as const) this.#take(session[side], answers[side]);
  }

  async verifySession(choice: Choice): Promise<void> {
    const session = this.#pick(this.#sessions, choice.who);
    if (session === undefined) return;
    const checkDatabase = choice.more % 2 === 0;
    const call = (side: Side): Call => ({
      method: 'POST',
      path: '/recipe/session/verify',
      fields: {
        accessToken: session[side].access,
        checkDatabase,
        doAntiCsrfCheck: false,
        enableAntiCsrf: false,
      },
    });
    const answers = await this.#askApp(choice, call);
    this.#compare(answers);
    for (const side of [0, 1] as const) this.#take(session[side], answers[side]);
  }

  async regenerateSession(choice: Choice): Promise<void> {
    const session = this.#pick(this.#sessions, choice.who);
    if (session === undefined) return;
    const { path, claims } = { path: '/recipe/session/regenerate', claims: claimsOf(choice.more) };
    const call = (side: Side): Call => ({
      method: 'POST',
      path,
      fields: { accessToken: session[side].access, userDataInJWT: claims },
    });
    const answers = await this.#claimed(choice, call, { accessToken: session[0].access });
    for (const side of [0, 1] as const) if (answers !== undefined) this.#take(session[side], answers[side]);
  }

  async changeClaims(choice: Choice): Promise<void> {
    const session = this.#pick(this.#sessions, choice.who);
    if (session === undefined) return;
    const call = (side: Side): Call => ({
      method: 'PUT',
      path: '/recipe/jwt/data',
      fields: { sessionHandle: session[side].handle, userDataInJWT: claimsOf(choice.more) },
    });
    await this.#claimed(choice, call, { sessionHandle: session[0].handle });
  }

  /** If 5.4 refuses a claim that the app may have before 4.0, it is removed again. @returns undefined then */
  async #claimed(choice: Choice, call: CallOf, of: object): Promise<Both<Answer> | undefined> {
    const answers = await this.#askApp(choice, call);
    if (!this.#isOfApp(answers)) {
      this.#compare(answers);
      return answers;
    }
    expect(['OK', 'UNAUTHORISED']).toContain(answers[0].body.status);
    const { method, path } = call(0);
    const [older, newer] = await this.#ask((side) => ({
      method,
      path,
      fields: side === 0 ? { ...of, userDataInJWT: {} } : { ...call(1).fields, userDataInJWT: {} },
    }));
    this.#compare([older, newer]);
    return [older, newer];
  }

  async findSession(choice: Choice): Promise<void> {
    const session = this.#pick(this.#sessions, choice.who);
    if (session === undefined) return;
    const call = (side: Side): Call => ({
      method: 'GET',
      path: '/recipe/session',
      fields: { sessionHandle: session[side].handle },
    });
    const [older, newer] = await this.#askApp(choice, call);
    if (!this.#isBefore('4.0') || newer.http !== 200) this.#compare([older, newer]);
    else this.#expect(older, without(newer.body, 'recipeUserId'));
  }

  async verifyTotp(choice: Choice): Promise<void> {
    const { which, more, tenantId } = choice;
    const path = `/${tenantId}/recipe/totp${more % 2 === 0 ? '/verify' : '/device/verify'}`;
    const name = more % 2 === 0 ? {} : { deviceName: which === 0 ? 'other' : device.deviceName };
    const code = totpOf(which === 1 ? 0 : 1);
    const fields = { userId: 'u', totp: code, ...name };
    const since50 = ['currentNumberOfFailedAttempts', 'maxNumberOfFailedAttempts'];
    this.#compare(await this.#ask({ method: 'POST', path, fields }), { since50 });
  }

  async putTenant(choice: Choice): Promise<void> {
    const { who, which, more } = choice;
    const tenantId = ['t1', 't1', 't2'][who % 3] ?? 't1';
    const path = '/recipe/multitenancy/tenant';
    if (!this.#isBefore('5.1') || more % 4 === 0) {
      const crossed = more % 8 === 0 && { emailPasswordEnabled: true };
      const fields = { tenantId, firstFactors: factorLists[which + more], ...crossed };
      this.#compare(await this.#askApp(choice, () => ({ method: 'PUT', path: `${path}/v2`, fields })));
      return;
    }
    const bit = (n: number) => ((which * 7 + more) >> n) % 3;
    const switches = Object.fromEntries(
      recipes.flatMap((recipe, n) => (bit(n) === 2 ? [] : [[recipe, bit(n) === 1] as const])),
    );
    const more50 = {
      ...(more % 5 === 1 && { firstFactors: factorLists[which + more] }),
      ...(more % 5 === 2 && { requiredSecondaryFactors: factorLists[which + more] }),
    };
    const now = await this.#tenant(tenantId);
    const request = presentTenantRequest(this.#version, now, { switches, ...more50 });
    const flags = Object.entries(switches).map(([recipe, on]) => [`${recipe}Enabled`, on]);
    const fields = { tenantId, ...(Object.fromEntries(flags) as object), ...more50 };
    const older = await this.#askOne(0, { method: 'PUT', path, fields });
    if (typeof request === 'string') this.#expect(older, [400, request]);
    else {
      const present = { tenantId, ...request };
      const newer = await this.#askOne(1, { method: 'PUT', path: `${path}/v2`, fields: present });
      this.#compare([older, newer]);
    }
  }

  async showTenant(choice: Choice): Promise<void> {
    const tenantId = ['public', 't1', 't2'][choice.who % 3] ?? 't1';
    const path = '/recipe/multitenancy/tenant';
    const older = await this.#askOne(0, { method: 'GET', path: `/${tenantId}${path}` });
    const listed = await this.#askOne(0, { method: 'GET', path: `${path}/list` });
    if (!this.#isBefore('5.1')) {
      expect([older.http, listed.http]).toEqual([404, 404]);
      this.#compare(await this.#ask({ method: 'GET', path: `/${tenantId}${path}/v2` }));
      return;
    }
    const newer = await this.#askOne(1, { method: 'GET', path: `/${tenantId}${path}/v2` });
    const tenant = newer.body as Tenant;
    this.#expect(older, tenant.status === 'OK' ? formerTenant(this.#version, tenant) : tenant);
    const all = await this.#askOne(1, { method: 'GET', path: `${path}/list/v2` });
    const tenants = (all.body.tenants as Tenant[]).map((each) => formerTenant(this.#version, each));
    this.#expect(listed, { status: 'OK', tenants });
    const elsewhere = await this.#askOne(0, { method: 'GET', path: `/t1${path}/list` });
    const text = 'Only the public tenantId is allowed to list all tenants associated with this app';
    this.#expect(elsewhere, [403, text]);
  }

  /** A request by which users sign in. @returns undefined if the recipe is off in the tenant, and that was refused */
  async #signIn(
    recipe: Recipe,
    tenantId: string,
    { path, fields, kind }: { path: string; fields: object | ((side: Side) => object); kind?: Kind },
  ): Promise<Both<Answer> | undefined> {
    const fieldsOf = (side: Side) =>
      typeof fields === 'function' ? (fields as (side: Side) => object)(side) : fields;
    if (await this.#isRefused(recipe, tenantId, { path, fields: fieldsOf(0) })) return undefined;
    const answers = await this.#ask((side) => ({
      method: 'POST',
      path: `/${tenantId}${path}`,
      fields: fieldsOf(side),
    }));
    this.#compare(answers, kind);
    this.#learn(answers);
    return answers;
  }

  /** True if the version refuses the tenant because the recipe is off: 5.4 is not called then. */
  async #isRefused(
    recipe: Recipe,
    tenantId: string,
    { path, fields }: { path: string; fields: object },
  ): Promise<boolean> {
    if (!this.#isBefore('5.1')) return false;
    const tenant = await this.#tenant(tenantId);
    if (tenant === undefined || isOn(this.#version, tenant, recipe)) return false;
    const refused = await this.#askOne(0, { method: 'POST', path: `/${tenantId}${path}`, fields });
    const names = { emailPassword: 'Email password', thirdParty: 'ThirdParty', passwordless: 'Passwordless' };
    this.#expect(refused, [403, `${names[recipe]} login not enabled for tenant`]);
    return true;
  }

  /** As 5.4 shows it. */
  async #tenant(tenantId: string): Promise<Tenant | undefined> {
    const path = `/${tenantId}/recipe/multitenancy/tenant/v2`;
    const { body } = await this.#askOne(1, { method: 'GET', path });
    return body.status === 'OK' ? body : undefined;
  }

  #learn([older, newer]: Both<Answer>): void {
    const { user, recipeUserId } = newer.body as { user?: User; recipeUserId?: string };
    if (user === undefined || older.http !== 200) return;
    const former = older.body as { user: { id: string }; recipeUserId?: string };
    const formerId = this.#isBefore('4.0') ? former.user.id : former.recipeUserId;
    const found =
      recipeUserId === undefined
        ? user.loginMethods[0]
        : user.loginMethods.find((each) => each.recipeUserId === recipeUserId);
    if (found === undefined || formerId === undefined) return;
    const ids = [formerId, found.recipeUserId] as const;
    if (this.#known.every((known) => known.ids[1] !== ids[1]))
      this.#known.push({ recipeId: found.recipeId, ids });
  }

  #take(session: Session, answer: Answer): void {
    const { accessToken, refreshToken } = answer.body as { accessToken?: Token; refreshToken?: Token };
    if (accessToken !== undefined) session.access = accessToken.token;
    if (refreshToken !== undefined) session.refresh.push(refreshToken.token);
  }

  /** The login method by the field of the version, next to another value in the other's field; every fifth time by that alone. */
  #named(side: Side, known: Known, more: number): object {
    const isOld = side === 0 && this.#isBefore('4.0');
    const [name, other] = isOld ? ['userId', 'recipeUserId'] : ['recipeUserId', 'userId'];
    if (more % 5 === 0) return { [other]: known.ids[side] };
    return { [name]: known.ids[side], ...(more % 2 === 0 && { [other]: 'unknown' }) };
  }

  #email(n: number): string {
    return this.#emails[n % this.#emails.length] ?? '';
  }

  #pick<T>(all: readonly T[], n: number): T | undefined {
    return all[n % Math.max(all.length, 1)];
  }

  #isBefore(limit: string): boolean {
    return isBefore(this.#version, limit);
  }

  /** A route of the app: with a tenant in its path it is refused from 5.0 on, and before that the tenant is ignored. */
  async #askApp({ isMisplaced }: Choice, call: CallOf): Promise<Both<Answer>> {
    if (!isMisplaced) return this.#ask(call);
    const below = (side: Side): Call => ({ ...call(side), path: `/t1${call(side).path}` });
    if (this.#isBefore('5.0')) return Promise.all([this.#askOne(0, below(0)), this.#askOne(1, call(1))]);
    const refused = await this.#ask(below);
    const text = 'Only public tenantId can call this app specific API';
    expect(this.#shown(0, refused[0])).toEqual([403, text]);
    return refused;
  }

  #ask(call: Call | CallOf): Promise<Both<Answer>> {
    const of = typeof call === 'function' ? call : () => call;
    return Promise.all([this.#askOne(0, of(0)), this.#askOne(1, of(1))]);
  }

  async #askOne(side: Side, call: Call): Promise<Answer> {
    return send(this.#drivers[side], this.#apps[side], call);
  }

  /** In both apps by 5.4. */
  #present(method: Call['method'], path: string, fields?: object): Promise<Both<Answer>> {
    const call: Call = { method, path, ...(fields !== undefined && { fields }) };
    const driver = driverOf(core, '5.4');
    return Promise.all([send(driver, this.#apps[0], call), send(driver, this.#apps[1], call)]);
  }

  #compare([older, newer]: Both<Answer>, kind: Kind = {}): void {
    this.#expect(older, formerAnswer(this.#version, opened(newer), kind));
    this.#happened(newer.body.status ?? newer.http);
  }

  /** @param expected with the ids of the app of 5.4 */
  #expect(older: Answer, expected: Shown): void {
    const shown = [this.#shown(0, older), this.#comparable(1, expected)];
    this.log.push(`  ${JSON.stringify(shown[1]).slice(0, 300)}`);
    expect(shown[0]).toEqual(shown[1]);
    this.#happened(isRefusal(expected) ? expected[0] : expected.status);
  }

  #happened(status: unknown): void {
    const counts = seen.get(this.#version);
    const what = `${this.#step} ${String(status)}`;
    counts?.set(what, (counts.get(what) ?? 0) + 1);
  }

  async #compareStates(): Promise<void> {
    for (const path of ['/users', '/recipe/multitenancy/tenant/list/v2', '/t1/users']) {
      const [former, present] = await this.#present('GET', path);
      expect(this.#shown(0, former)).toEqual(this.#shown(1, present));
    }
  }

  #shown(side: Side, answer: Answer): unknown {
    return this.#comparable(side, opened(answer));
  }

  /** Equal for both apps, if the answers are: names instead of ids, nothing instead of changing values. */
  #comparable(side: Side, shown: Shown): unknown {
    const labels = this.#labels[side];
    const text = JSON.stringify(masked(shown)).replaceAll(uuid, (id) => {
      const label = labels.get(id) ?? `id ${labels.size}`;
      labels.set(id, label);
      return label;
    });
    return JSON.parse(text);
  }
}

type CallOf = (side: Side) => Call;
interface Token {
  readonly token: string;
}

const steps = [
  'signUp',
  'signIn',
  'importHash',
  'signInUp',
  'makeCode',
  'consumeCode',
  'checkCode',
  'removeCode',
  'findMethod',
  'findByEmail',
  'listUsers',
  'countUsers',
  'findUser',
  'changeUser',
  'associate',
  'link',
  'unlink',
  'mapId',
  'restrict',
  'removeUser',
  'makeResetToken',
  'resetPassword',
  'beginSession',
  'carrySession',
  'refreshSession',
  'verifySession',
  'regenerateSession',
  'changeClaims',
  'findSession',
  'verifyTotp',
  'putTenant',
  'showTenant',
] as const;
type StepName = (typeof steps)[number];
/** Steps that need others before them, or have several forms. */
const oftenSteps = [
  'signIn',
  'signIn',
  'makeCode',
  'consumeCode',
  'link',
  'mapId',
  'makeResetToken',
  'putTenant',
  'resetPassword',
  'carrySession',
  'refreshSession',
  'refreshSession',
  'verifySession',
  'verifyTotp',
] as const;

const recipes = ['emailPassword', 'thirdParty', 'passwordless'] as const;
const recipeIds = ['emailpassword', 'thirdparty', 'passwordless'];
const factorLists = [
  null,
  ['emailpassword'],
  ['otp-email', 'thirdparty'],
  ['emailpassword', 'thirdparty'],
  ['otp-phone'],
  [],
  ['otp-phone', 'otp-email', 'link-phone', 'link-email'],
  ['link-email', 'emailpassword'],
  null,
  ['thirdparty'],
  null,
  ['emailpassword'],
  ['otp-email', 'emailpassword', 'thirdparty'],
];
const protectedClaim = 'The user payload contains protected field';
const device = {
  userId: 'u',
  deviceName: 'phone',
  skew: 0,
  period: 86_400,
  secretKey: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
};

function phoneOf(n: number): string {
  return `+4179000000${n % 3}`;
}

function passwordOf(n: number): string {
  return n % 2 === 0 ? 'one' : 'two';
}

function claimsOf(more: number): object {
  return [{}, { a: more }, { rsub: 'mine' }, { sub: 'mine' }][more % 4] ?? {};
}

/** By link, or by a code that is right or wrong. */
function useOf({ preAuthSessionId, deviceId, linkCode, userInputCode }: Code, { more }: Choice): object {
  if (more % 3 === 0) return { preAuthSessionId, linkCode };
  return { preAuthSessionId, deviceId, userInputCode: more % 3 === 1 ? userInputCode : 'wrong' };
}

function sessionIn({ body }: Answer): Session {
  const { session, accessToken, refreshToken } = body as unknown as {
    session: { handle: string };
    accessToken: Token;
    refreshToken: Token;
  };
  return { handle: session.handle, access: accessToken.token, refresh: [refreshToken.token] };
}

/** Written from RFC 4226 and 6238. @param more 1 gives a wrong code */
function totpOf(more: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1000 / device.period)));
  const mac = createHmac('sha1', '12345678901234567890').update(counter).digest();
  const code = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String((code + more) % 1_000_000).padStart(6, '0');
}

async function send(driver: Driver, app: string, { method, path, fields, rid }: Call): Promise<Answer> {
  const at = app + path;
  if (method === 'GET') return driver.get(at, fields as Record<string, string> | undefined, rid);
  return method === 'PUT' ? driver.put(at, fields, rid) : driver.post(at, fields, rid);
}

/** Access tokens are read. */
function opened({ http, body, text }: Answer): Shown {
  if (http !== 200) return [http, text.trim()];
  const { accessToken } = body as { accessToken?: Token };
  if (accessToken === undefined) return body;
  return { ...body, accessToken: { ...accessToken, token: openToken(accessToken.token) } };
}

function masked(value: unknown, name = ''): unknown {
  if (changing.includes(name) && typeof value !== 'object') return typeof value;
  if (Array.isArray(value)) {
    const all = value.map((each) => masked(each));
    return sets.includes(name) ? all.sort() : all;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  entries.sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, masked(each, key)]));
}

const versions = ['3.0', '3.1', '4.0', '5.0', '5.1', '5.2', '5.3', '5.4'];
/** By version the steps and their answers, in all days so far. */
const seen = new Map(versions.map((version) => [version, new Map<string, number>()]));

const common = { which: 0, more: 0, tenantId: 'public', isMisplaced: false } as const;
/** Without users there is little to do. */
const beginning: readonly Choice[] = [
  { ...common, what: 'signUp', who: 0 },
  { ...common, what: 'signUp', who: 1 },
  { ...common, what: 'signInUp', who: 1 },
  { ...common, what: 'signInUp', who: 2, which: 1 },
  { ...common, what: 'makeCode', who: 0 },
  { ...common, what: 'consumeCode', who: 0 },
  { ...common, what: 'beginSession', who: 0 },
  { ...common, what: 'mapId', who: 1 },
  { ...common, what: 'carrySession', who: 1 },
  { ...common, what: 'link', who: 0, which: 2 },
  { ...common, what: 'findUser', who: 0 },
  // A refresh token is used up, and repeated.
  { ...common, what: 'beginSession', who: 3 },
  { ...common, what: 'refreshSession', who: 2, more: 1 },
  { ...common, what: 'refreshSession', who: 2, more: 1 },
  { ...common, what: 'refreshSession', who: 2, which: 2, more: 1 },
  // A user who may not sign in, for a while.
  { ...common, what: 'restrict', who: 3 },
  { ...common, what: 'signInUp', who: 2, which: 1 },
  { ...common, what: 'restrict', who: 3, more: 1 },
  // Before 5.1: email and password off, then on and the others off.
  { ...common, what: 'putTenant', who: 0, more: 3 },
  { ...common, what: 'signUp', who: 0, tenantId: 't1' },
  { ...common, what: 'makeCode', who: 0, tenantId: 't1' },
  { ...common, what: 'putTenant', who: 0, more: 1 },
  { ...common, what: 'signInUp', who: 0, tenantId: 't1' },
];

const choices = fc.array(
  fc.record<Choice>({
    what: fc.constantFrom(...steps, ...oftenSteps),
    who: fc.nat(11),
    which: fc.nat(2),
    more: fc.nat(9),
    tenantId: fc.constantFrom('public', 't1'),
    isMisplaced: fc.nat(9).map((n) => n === 0),
  }),
  { minLength: stepsADay, maxLength: stepsADay },
);

describe('random requests of each version', () => {
  test.each(versions)(
    'of %s are answered as those of 5.4, but for what that version does not have',
    async (version) => {
      await fc.assert(
        fc.asyncProperty(choices, async (chosen) => {
          const settings = { session_sources: [source], totp_max_attempts: 2 };
          const apps = [await newApp(core, settings), await newApp(core, settings)] as const;
          const day = new Day(version, apps);
          try {
            await day.play(chosen);
          } catch (error) {
            throw new Error(`a day of ${version}:\n${day.log.join('\n')}`, { cause: error });
          }
        }),
        { numRuns: days, seed, endOnFailure: true },
      );
    },
  );
});

test.runIf(days >= 3).each(versions)('the days of %s had each step, and what is refused', (version) => {
  const ofAll = steps
    .filter((step) => !['findMethod', 'findByEmail'].includes(step))
    .map((step) => `${step} OK`);
  const ofSome = ['refreshSession TOKEN_THEFT_DETECTED', 'verifyTotp LIMIT_REACHED_ERROR'];
  const before40 = ['findMethod OK', 'findByEmail OK', 'signInUp 400'];
  const before51 = ['signUp 403', 'signInUp 403', 'makeCode 403', 'showTenant 403'];
  const from50 = ['refreshSession 400', 'refreshSession 403'];
  const wanted = [
    ...ofAll,
    ...ofSome,
    ...(isBefore(version, '4.0') ? before40 : []),
    ...(isBefore(version, '5.1') ? before51 : []),
    ...(isBefore(version, '5.0') ? [] : from50),
  ];
  const had = seen.get(version) ?? new Map<string, number>();
  expect(wanted.filter((what) => !had.has(what))).toEqual([]);
});
