import { markedSource } from '../../config/legacy/mark.ts';
import type { Tenant, User } from '../../domain/model.ts';
import type { SignInInput } from '../../schema/requests.ts';
import type { OperationsContext } from '../context.ts';
import type { Credential, Restriction } from '../ports/ports.ts';
import { markSignIn, noteCheck } from './notes.ts';

export interface SignInOperations {
  signIn(
    tenant: Tenant,
    input: SignInInput,
    caller?: Caller,
  ): Promise<SignedIn | WrongCredentials | SignInRestricted>;
  /** The same check, at the same price; nobody is signed in and no user is changed. */
  checkPassword(
    tenant: Tenant,
    input: SignInInput,
    caller?: Caller,
  ): Promise<{ readonly status: 'OK' } | WrongCredentials | SignInRestricted>;
}

/** Who asks. */
export interface Caller {
  /** Where the person is, undefined when the backend does not report it. */
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

/** The password was right. Told only where `reveal_restrictions` allows it, else it is as a wrong one. */
interface SignInRestricted {
  readonly status: 'SIGN_IN_RESTRICTED_ERROR';
  readonly reason: Restriction;
}

/** What a password was held against; none for an unknown email and for users without a password. */
interface Verdict {
  readonly credential: Credential | undefined;
  readonly isRight: boolean;
  /** Why the user is refused even if it is right. */
  readonly restriction: Restriction | undefined;
}

const wrongCredentials: WrongCredentials = { status: 'WRONG_CREDENTIALS_ERROR' };

export function signInOperations(context: OperationsContext): SignInOperations {
  const { stores, upgrades } = context;
  /** A right password is noted as right: what is refused is the person, and reports of hashes should not blame the hash. */
  const refuse = (tenant: Tenant, { credential, isRight, restriction }: Verdict) => {
    if (credential && hashOf(credential.passwordHash) !== undefined)
      noteCheck(context, tenant, credential, isRight);
    const isTold = isRight && restriction !== undefined && context.revealRestrictions === true;
    return isTold ? ({ status: 'SIGN_IN_RESTRICTED_ERROR', reason: restriction } as const) : wrongCredentials;
  };
  return {
    async signIn(tenant, input, caller = {}) {
      const verdict = await judge(context, tenant, input, caller);
      const { credential } = verdict;
      if (!credential || !mayEnter(verdict)) return refuse(tenant, verdict);
      const [user] = await Promise.all([
        stores.users.findUser(tenant.appNo, credential.userId),
        markSignIn(context, tenant, credential),
      ]);
      if (!user) return wrongCredentials;
      upgrades?.offer({ tenant, ...credential, password: input.password });
      return { status: 'OK', user, recipeUserId: recipeUserIdOf(user, tenant, input.email) };
    },

    async checkPassword(tenant, input, caller = {}) {
      const verdict = await judge(context, tenant, input, caller);
      if (!verdict.credential || !mayEnter(verdict)) return refuse(tenant, verdict);
      noteCheck(context, tenant, verdict.credential, true);
      return { status: 'OK' };
    },
  };
}

/**
 * Counts the guess before anything is looked up, so that neither a refusal nor its time shows which emails are known. What could
 * not be computed in time is refused before that: nothing is spent on it. Who may not sign in counts as a wrong password: a
 * guess that is given back would let a guesser distinguish the two.
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
    if (mayEnter(verdict)) guess?.succeeded();
    else guess?.failed();
    return verdict;
  } catch (error) {
    guess?.cancelled();
    throw error;
  }
}

/**
 * Whoever asks must not learn from the time whether the email has a password here, or whether its user may sign in: see
 * FoundCredential. The hash is verified before anybody looks at the restriction.
 */
async function verified(
  { stores, hasher }: OperationsContext,
  tenant: Tenant,
  { email, password }: SignInInput,
  signal: AbortSignal | undefined,
): Promise<Verdict> {
  const { signerKey, pepper, hashLimits: limits } = tenant.settings;
  const secrets = { signerKey, pepper, limits };
  const { credential, restriction, neighbour } = await stores.users.findCredential(tenant, email);
  const hash = hashOf(credential?.passwordHash);
  const isRight =
    hash === undefined
      ? await hasher.verifyDecoy(password, credential ? undefined : hashOf(neighbour), secrets, { signal })
      : await hasher.verify(password, hash, secrets, { signal });
  return { credential, isRight, restriction };
}

/** What stands for a password of an old system is no hash. */
function hashOf(stored: string | undefined): string | undefined {
  return markedSource(stored) === undefined ? stored : undefined;
}

function mayEnter({ isRight, restriction }: Verdict): boolean {
  return isRight && restriction === undefined;
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
