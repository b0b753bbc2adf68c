/**
 * The supertokens-node SDK as its users install it, over HTTP to a core of the test. The SDK stores its configuration in module
 * state, so it is started once a process: a test file, which Vitest runs in a separate process, has one.
 */
import { convertToRecipeUserId, init } from 'supertokens-node';
import EmailPassword from 'supertokens-node/recipe/emailpassword/index.js';
import EmailVerification from 'supertokens-node/recipe/emailverification/index.js';
import Multitenancy from 'supertokens-node/recipe/multitenancy/index.js';
import Passwordless from 'supertokens-node/recipe/passwordless/index.js';
import Session from 'supertokens-node/recipe/session/index.js';
import ThirdParty from 'supertokens-node/recipe/thirdparty/index.js';
import UserMetadata from 'supertokens-node/recipe/usermetadata/index.js';
import UserRoles from 'supertokens-node/recipe/userroles/index.js';
import { expect } from 'vitest';
import { type Answer, startTestCore, type TestCore } from './core.ts';
import { readVectors, scryptVariantString, type Vector } from './vectors.ts';

export interface SdkCore extends TestCore {
  /** Precedes a path of the app that the SDK uses: empty for the public one. */
  readonly app: string;
}

export interface SdkCoreOptions {
  /** The app in the SDK's connection URI; created first. */
  readonly appId?: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** In addition to those of every test. */
  readonly recipes?: Parameters<typeof init>[0]['recipeList'];
}

/** A password hash that another system made, with its password. */
export interface ForeignHash {
  readonly kind: string;
  readonly password: string;
  readonly passwordHash: string;
  readonly hashingAlgorithm: string;
}

/** Starts a core whose setting has the signer key of `foreignHashes.scryptVariant`, and the SDK for it. */
export async function startCoreWithSdk({
  appId,
  settings,
  recipes = [],
}: SdkCoreOptions = {}): Promise<SdkCore> {
  const core = await startTestCore({
    settings: { PROVIDER_PASSWORD_HASHING_SIGNER_KEY: signerKey, ...settings },
  });
  const app = appId === undefined ? '' : `/appid-${appId}`;
  if (appId !== undefined) {
    const made = await core.put('/recipe/multitenancy/app/v2', { appId });
    expect(made.body).toEqual({ status: 'OK', createdNew: true });
  }
  init({
    telemetry: false,
    appInfo: {
      appName: 'carryover tests',
      apiDomain: 'https://api.example.test',
      websiteDomain: 'https://example.test',
    },
    supertokens: { connectionURI: `${core.url}${app}`, apiKey: core.apiKey },
    recipeList: [
      EmailPassword.init(),
      ThirdParty.init(),
      Passwordless.init({ contactMethod: 'EMAIL_OR_PHONE', flowType: 'USER_INPUT_CODE_AND_MAGIC_LINK' }),
      EmailVerification.init({ mode: 'OPTIONAL' }),
      Multitenancy.init(),
      UserMetadata.init(),
      UserRoles.init(),
      // Email verification requires it at start; no test makes a session.
      Session.init(),
      ...recipes,
    ],
  });
  return { ...core, app };
}

/** Narrows an answer of the SDK to its good outcome; the test fails with the whole answer on any other. */
export function ok<A extends { status: string }>(answer: A): Extract<A, { status: 'OK' }> {
  expect(answer).toMatchObject({ status: 'OK' });
  return answer as Extract<A, { status: 'OK' }>;
}

/** The SDK's user as JSON, absent fields left out: the form in which the core sent it. */
export function plain(user: { toJson(): unknown } | undefined): unknown {
  return user === undefined ? undefined : (JSON.parse(JSON.stringify(user.toJson())) as unknown);
}

export const recipeId = (userId: string): ReturnType<typeof convertToRecipeUserId> =>
  convertToRecipeUserId(userId);

/** The pair of a redeemed verification token; the test fails when it was not redeemed. */
export function redeemedPair(answer: Awaited<ReturnType<typeof EmailVerification.verifyEmailUsingToken>>): {
  userId: string;
  email: string;
} {
  const { recipeUserId, email } = ok(answer).user;
  return { userId: recipeUserId.getAsString(), email };
}

/** Signs up by the SDK. @returns the new user's id */
export async function signUp(tenantId: string, email: string, password = 'correct horse 1'): Promise<string> {
  return ok(await EmailPassword.signUp(tenantId, email, password)).user.id;
}

/** Creates a social user by the SDK. @returns the new user's id */
export async function signUpSocially(tenantId: string, userId: string, email: string): Promise<string> {
  const made = ok(await ThirdParty.manuallyCreateOrUpdateUser(tenantId, 'google', userId, email, false));
  expect(made.createdNewRecipeUser).toBe(true);
  return made.user.id;
}

/** Imports a user as a migration script does: over HTTP, without the SDK, which has no function for it. */
export async function importUser(
  core: SdkCore,
  tenantId: string,
  email: string,
  hash: ForeignHash,
): Promise<Answer> {
  const { passwordHash, hashingAlgorithm } = hash;
  const path = `${core.app}/${tenantId}/recipe/user/passwordhash/import`;
  return core.post(path, { email, passwordHash, hashingAlgorithm });
}

const vectors = readVectors();

function vector(id: string): Vector {
  const found = vectors.find((each) => each.id === id);
  if (!found) throw new Error(`test/vectors/vectors.json has no vector ${id}`);
  return found;
}

function foreignHash(id: string, kind: string, hashingAlgorithm: string): ForeignHash {
  const known = vector(id);
  const passwordHash = known.signerKey === undefined ? known.hash : scryptVariantString(known);
  return { kind, hashingAlgorithm, passwordHash, password: known.password ?? '' };
}

const scryptVectorId = '149';
const signerKey = vector(scryptVectorId).signerKey ?? '';

export const foreignHashes = {
  bcrypt: foreignHash('046', 'bcrypt $2y$', 'bcrypt'),
  argon2id: foreignHash('109', 'argon2id', 'argon2'),
  scryptVariant: foreignHash(scryptVectorId, 'scrypt variant', 'firebase_scrypt'),
} as const;

/** The scrypt variant of another project, and that project's key: the core's own does not match it. */
export const otherProject = {
  hash: foreignHash('142', 'scrypt variant', 'provider_scrypt'),
  signerKey: vector('142').signerKey ?? '',
};
