import { markedSource } from '../../domain/legacy-mark.ts';
import type { Tenant, User } from '../../domain/model.ts';
import type { SignInInput } from '../../schema/requests.ts';
import type { OperationsContext } from '../context.ts';
import type { OldSystems, Way } from '../ports/old-systems.ts';
import type { Credential, FoundCredential, Restriction } from '../ports/ports.ts';
import { markSignIn, noteCheck } from './notes.ts';
import { countedGuess, type Guess } from './guess.ts';

export interface SignInOperations {
  signIn(
    tenant: Tenant,
    input: SignInInput,
    caller?: Caller,
  ): Promise<SignedIn | WrongCredentials | SignInRestricted>;
  /** The same check, at the same price; no user is signed in or changed. */
  checkPassword(
    tenant: Tenant,
    input: SignInInput,
    caller?: Caller,
  ): Promise<{ readonly status: 'OK' } | WrongCredentials | SignInRestricted>;
}

/** The client of a request. */
export interface Caller {
  /** Where the person is, undefined when the backend does not report it. */
  readonly address?: string | undefined;
  /** Aborted when the caller has hung up: a password that has not begun by then is not computed. */
  readonly signal?: AbortSignal | undefined;
  /** Called with what an old system said, where one decides. */
  readonly onOldSystem?: ((isRight: boolean) => void) | undefined;
}

interface SignedIn {
  readonly status: 'OK';
  readonly user: User;
  readonly recipeUserId: string;
}

interface WrongCredentials {
  readonly status: 'WRONG_CREDENTIALS_ERROR';
}

/** The password was right. Reported only where `reveal_restrictions` allows it, else it is as a wrong one. */
interface SignInRestricted {
  readonly status: 'SIGN_IN_RESTRICTED_ERROR';
  readonly reason: Restriction;
}

/** What a password was checked against; empty for an unknown email and for users without a password. */
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
    const isStated = isRight && restriction !== undefined && context.revealRestrictions === true;
    return isStated
      ? ({ status: 'SIGN_IN_RESTRICTED_ERROR', reason: restriction } as const)
      : wrongCredentials;
  };
  return {
    async signIn(tenant, input, caller = {}) {
      const verdict = await judge(context, tenant, input, { ...caller, moves: true });
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
      const verdict = await judge(context, tenant, input, { ...caller, moves: false });
      const { credential } = verdict;
      if (!mayEnter(verdict)) return refuse(tenant, verdict);
      if (credential && hashOf(credential.passwordHash) !== undefined)
        noteCheck(context, tenant, credential, true);
      return { status: 'OK' };
    },
  };
}

/**
 * A password that could not be computed in time is refused before its guess is counted. A user who may not sign in counts as a wrong
 * password: a guess that is given back would let a guesser distinguish the two.
 */
async function judge(
  context: OperationsContext,
  tenant: Tenant,
  input: SignInInput,
  { address, signal, onOldSystem, moves }: Caller & Pick<Asking, 'moves'>,
): Promise<Verdict> {
  context.hasher.requireRoom({ party: tenant.appNo });
  const account = `${tenant.appNo} ${tenant.tenantNo} ${input.email}`;
  const verify = (guess: Guess | undefined) =>
    verified(context, tenant, input, { address, signal, onOldSystem, moves, guess });
  return countedGuess(context.throttle, { appNo: tenant.appNo, account, address }, verify, mayEnter);
}

/**
 * The client must not learn from the time whether the email has a password here, or whether its user may sign in: see
 * FoundCredential. The hash is verified before the restriction is looked at.
 */
async function verified(
  context: OperationsContext,
  tenant: Tenant,
  input: SignInInput,
  { guess, ...asking }: Asking & { readonly guess: Guess | undefined },
): Promise<Verdict> {
  const found = await context.stores.users.findCredential(tenant, input.email, guess?.keys);
  await guess?.learn(found.guesses);
  const { oldSystems } = context;
  const way = oldSystems?.wayFor(tenant, found);
  if (oldSystems === undefined || way === undefined)
    return byHash(context, tenant, input, { found, ...asking });
  return byOldSystem(oldSystems, way, { context, tenant, input, found, ...asking });
}

interface Asking {
  readonly address: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onOldSystem: Caller['onOldSystem'];
  /** Whether a password that an old system calls right is kept here. */
  readonly moves: boolean;
}

async function byHash(
  { hasher }: OperationsContext,
  tenant: Tenant,
  { password }: SignInInput,
  { found, signal }: { readonly found: FoundCredential; readonly signal: AbortSignal | undefined },
): Promise<Verdict> {
  const { signerKey, pepper, hashLimits: limits } = tenant.settings;
  const secrets = { signerKey, pepper, limits };
  const behalf = { signal, party: tenant.appNo };
  const { credential, restriction, neighbour } = found;
  const hash = hashOf(credential?.passwordHash);
  const isRight =
    hash === undefined
      ? await hasher.verifyDecoy(password, credential ? undefined : hashOf(neighbour), secrets, behalf)
      : await hasher.verify(password, hash, secrets, behalf);
  return { credential, isRight, restriction };
}

interface OldSystemGuess extends Asking {
  readonly context: OperationsContext;
  readonly tenant: Tenant;
  readonly input: SignInInput;
  readonly found: FoundCredential;
}

/**
 * A moved user is looked up again: signing in may be forbidden now, and another password may have been set here since.
 * A password that is only checked was right for nothing that is stored here.
 */
async function byOldSystem(
  oldSystems: OldSystems,
  { source, is }: Way,
  guess: OldSystemGuess,
): Promise<Verdict> {
  const { context, tenant, input, found, signal, address, moves, onOldSystem } = guess;
  const { credential, restriction } = found;
  const refused = { credential, isRight: false, restriction };
  if (is === 'decoy') return { ...refused, isRight: await oldSystems.pretend(tenant, source, signal) };
  const isRight = await oldSystems.isRight(
    source,
    { tenant, ...input, address, signal, moves },
    credential?.userId,
  );
  onOldSystem?.(isRight);
  if (!isRight || !moves) return { ...refused, isRight };
  const now = await context.stores.users.findCredential(tenant, input.email);
  if (hashOf(now.credential?.passwordHash) === undefined) return refused;
  return byHash(context, tenant, input, { found: now, signal });
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
