import type { Tenant, User } from '../model.ts';
import type { SignInInput } from '../schema/requests.ts';
import type { OperationsContext } from './operations.ts';
import type { Credential } from './ports.ts';
import { markSignIn, noteCheck } from './sign-ins.ts';

export interface SignInOperations {
  signIn(tenant: Tenant, input: SignInInput, caller?: Caller): Promise<SignedIn | WrongCredentials>;
  /** The same check, at the same price; nobody is signed in and no user is changed. */
  checkPassword(
    tenant: Tenant,
    input: SignInInput,
    caller?: Caller,
  ): Promise<{ readonly status: 'OK' } | WrongCredentials>;
}

/** Who asks. */
export interface Caller {
  /** Where the person is, undefined when the backend does not tell. */
  readonly address?: string | undefined;
  /** Aborted when the caller has hung up: a password that has not begun by then is not computed. */
  readonly signal?: AbortSignal | undefined;
}

interface SignedIn {
  readonly status: 'OK';
  readonly user: User;
  readonly recipeUserId: string;
}

interface WrongCredentials {
  readonly status: 'WRONG_CREDENTIALS_ERROR';
}

/** What a password was held against; none for an unknown email and for users without a password. */
interface Verdict {
  readonly credential: Credential | undefined;
  readonly isRight: boolean;
}

const wrongCredentials: WrongCredentials = { status: 'WRONG_CREDENTIALS_ERROR' };

export function signInOperations(context: OperationsContext): SignInOperations {
  const { stores, upgrades } = context;
  return {
    async signIn(tenant, input, caller = {}) {
      const { credential, isRight } = await judge(context, tenant, input, caller);
      if (!credential) return wrongCredentials;
      if (!isRight) {
        noteCheck(context, tenant, credential, false);
        return wrongCredentials;
      }
      const [user] = await Promise.all([
        stores.users.findUser(tenant.appNo, credential.userId),
        markSignIn(context, tenant, credential),
      ]);
      if (!user) return wrongCredentials;
      upgrades?.offer({ tenant, ...credential, password: input.password });
      return { status: 'OK', user, recipeUserId: recipeUserIdOf(user, tenant, input.email) };
    },

    async checkPassword(tenant, input, caller = {}) {
      const { credential, isRight } = await judge(context, tenant, input, caller);
      if (credential) noteCheck(context, tenant, credential, isRight);
      return isRight ? { status: 'OK' } : wrongCredentials;
    },
  };
}

/**
 * Counts the guess before anything is looked up, so that neither a refusal nor its time tells who is known. What could
 * not be computed in time is refused before that: nothing is spent on it.
 */
async function judge(
  context: OperationsContext,
  tenant: Tenant,
  input: SignInInput,
  { address, signal }: Caller,
): Promise<Verdict> {
  context.hasher.requireRoom();
  const account = `${tenant.appNo} ${tenant.tenantNo} ${input.email}`;
  const guess = await context.throttle?.count(account, address);
  try {
    const verdict = await verified(context, tenant, input, signal);
    if (verdict.isRight) guess?.forgive();
    else guess?.stand();
    return verdict;
  } catch (error) {
    guess?.withdraw();
    throw error;
  }
}

/** Whoever asks must not learn from the time whether the email has a password here: see FoundCredential. */
async function verified(
  { stores, hasher }: OperationsContext,
  tenant: Tenant,
  { email, password }: SignInInput,
  signal: AbortSignal | undefined,
): Promise<Verdict> {
  const { signerKey, pepper, hashLimits: limits } = tenant.settings;
  const secrets = { signerKey, pepper, limits };
  const { credential, neighbour } = await stores.users.findCredential(tenant, email);
  const isRight = credential
    ? await hasher.verify(password, credential.passwordHash, secrets, { signal })
    : await hasher.verifyDecoy(password, neighbour, secrets, { signal });
  return { credential, isRight };
}

/** The login method that the password belongs to: a linked user may have several emails and tenants. */
function recipeUserIdOf(user: User, { tenantId }: Tenant, email: string): string {
  const method = user.loginMethods.find(
    (candidate) =>
      candidate.recipeId === 'emailpassword' &&
      candidate.email === email &&
      candidate.tenantIds.includes(tenantId),
  );
  return method?.recipeUserId ?? user.id;
}
