import EmailPassword from 'supertokens-node/recipe/emailpassword/index.js';
import Session from 'supertokens-node/recipe/session/index.js';
import UserRoles from 'supertokens-node/recipe/userroles/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  foreignHashes,
  importUser,
  ok,
  recipeId,
  type SdkCore,
  signUp,
  startCoreWithSdk,
} from '../helpers/sdk.ts';

let core: SdkCore;

beforeAll(async () => {
  core = await startCoreWithSdk();
});
afterAll(() => core.stop());

type Made = Awaited<ReturnType<typeof newSession>>;

async function newSession(userId: string, payload: Record<string, unknown> = {}) {
  return Session.createNewSessionWithoutRequestResponse('public', recipeId(userId), payload, {}, true);
}

const tokensOf = (session: Made) => session.getAllSessionTokensDangerously();

describe('an application with the SDK', () => {
  it('signs in with the password of an import and has a session that verifies by the published keys', async () => {
    const { passwordHash, password } = foreignHashes.bcrypt;
    await importUser(core, 'public', 'moved@session.test', foreignHashes.bcrypt);
    expect(passwordHash).toMatch(/^\$2y\$/);
    const { user } = ok(await EmailPassword.signIn('public', 'moved@session.test', password));
    const session = await newSession(user.id, { role: 'admin' });
    const { accessToken } = tokensOf(session);
    const verified = await Session.getSessionWithoutRequestResponse(accessToken);
    expect([verified.getUserId(), verified.getHandle()]).toEqual([user.id, session.getHandle()]);
    expect(verified.getAccessTokenPayload()).toMatchObject({
      role: 'admin',
      iss: expect.any(String) as string,
    });
    const inDatabase = await Session.getSessionWithoutRequestResponse(accessToken, undefined, {
      checkDatabase: true,
    });
    expect(inDatabase.getUserId()).toBe(user.id);
  });

  it('refreshes, and sees a token that is used a second time as theft', async () => {
    const userId = await signUp('public', 'refresh@session.test');
    const first = tokensOf(await newSession(userId));
    const second = await Session.refreshSessionWithoutRequestResponse(first.refreshToken ?? '', true);
    const { accessToken, refreshToken } = tokensOf(second);
    const used = await Session.getSessionWithoutRequestResponse(accessToken);
    expect(used.getUserId()).toBe(userId);
    await expect(
      Session.refreshSessionWithoutRequestResponse(first.refreshToken ?? '', true),
    ).rejects.toMatchObject({ type: 'TOKEN_THEFT_DETECTED' });
    const third = await Session.refreshSessionWithoutRequestResponse(refreshToken ?? '', true);
    expect(third.getHandle()).toBe(second.getHandle());
  });

  it('changes claims and data of a session, lists and ends it', async () => {
    const userId = await signUp('public', 'claims@session.test');
    const session = await newSession(userId);
    await session.mergeIntoAccessTokenPayload({ plan: 'pro', gone: null });
    expect(session.getAccessTokenPayload()).toMatchObject({ plan: 'pro' });
    const verified = await Session.getSessionWithoutRequestResponse(tokensOf(session).accessToken);
    expect(verified.getAccessTokenPayload()).toMatchObject({ plan: 'pro' });
    await session.updateSessionDataInDatabase({ cart: [1, 2] });
    expect(await session.getSessionDataFromDatabase()).toEqual({ cart: [1, 2] });
    expect(await Session.getAllSessionHandlesForUser(userId)).toEqual([session.getHandle()]);
    const about = await Session.getSessionInformation(session.getHandle());
    expect(about).toMatchObject({ userId, tenantId: 'public' });
    expect(await Session.revokeAllSessionsForUser(userId)).toEqual([session.getHandle()]);
    await expect(
      Session.getSessionWithoutRequestResponse(tokensOf(session).accessToken, undefined, {
        checkDatabase: true,
      }),
    ).rejects.toMatchObject({ type: 'UNAUTHORISED' });
  });

  it('puts the roles of an imported user into the session', async () => {
    const userId = await signUp('public', 'roles@session.test');
    const session = await newSession(userId);
    await session.fetchAndSetClaim(UserRoles.UserRoleClaim);
    expect(await session.getClaimValue(UserRoles.UserRoleClaim)).toEqual([]);
  });

  it('signs JWTs that others verify', async () => {
    const made = await Session.createJWT({ service: 'billing' }, 60);
    const { jwt } = ok(made);
    const { keys } = await Session.getJWKS();
    const kid = (JSON.parse(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString()) as { kid: string })
      .kid;
    expect(keys.map((key) => key.kid)).toContain(kid);
  });
});
