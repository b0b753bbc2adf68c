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
  /** The same check at the same cost; no user is signed in or changed. */
  checkPassword(
    tenant: Tenant,
    input: SignInInput,
    caller?: Caller,
  ): Promise<{ readonly status: 'OK' } | WrongCredentials | SignInRestricted>;
}

/** The client of a request. */
export interface Caller {
  /** Address of the user; undefined if the backend does not report it. */
  readonly address?: string | undefined;
  /** Aborted when the caller hangs up; a password that still waits is not computed then. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the verdict of an old system, if one decides. */
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

/** The password was right. Returned only if `reveal_restrictions` is set; otherwise the answer is that of a wrong password. */
interface SignInRestricted {
  readonly status: 'SIGN_IN_RESTRICTED_ERROR';
  readonly reason: Restriction;
}

/** The outcome of a check; without a credential for an unknown email and for users without a password. */
interface Verdict {
  readonly credential: Credential | undefined;
  readonly isRight: boolean;
  /** Refuses the user even if the password is right. */
  readonly restriction: Restriction | undefined;
}

const wrongCredentials: WrongCredentials = { status: 'WRONG_CREDENTIALS_ERROR' };

export function signInOperations(context: OperationsContext): SignInOperations {
  const { stores, upgrades, mayUpgrade } = context;
  /** A right password of a refused user is noted as right, because reports of hashes count it. */
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
      const { credential, isRight } = verdict;
      if (credential && hashOf(credential.passwordHash) !== undefined)
        context.onPassword?.({ tenant, userId: credential.userId, isRight });
      if (!credential || !mayEnter(verdict)) return refuse(tenant, verdict);
      const [user] = await Promise.all([
        stores.users.findUser(tenant.appNo, credential.userId),
        markSignIn(context, tenant, credential),
      ]);
      if (!user) return wrongCredentials;
      upgrades?.offer({
        tenant,
        ...credential,
        password: input.password,
        mayUpgrade: mayUpgrade && (() => mayUpgrade(tenant)),
      });
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
 * A password that could not be computed in time is refused before its guess is counted. A restricted user counts as a wrong password,
 * or the returned token would reveal that the password was right.
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
 * The time must not show whether the email has a password here, or whether its user may sign in; see FoundCredential. The hash is
 * verified before the restriction is checked.
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
  /** Stores a password that an old system accepts. */
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
 * Looks a moved user up again, because a restriction or another password may have been set meanwhile. A password that is only checked
 * does not match anything stored here.
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

/** The mark for a password of an old system is not a hash. */
function hashOf(stored: string | undefined): string | undefined {
  return markedSource(stored) === undefined ? stored : undefined;
}

function mayEnter({ isRight, restriction }: Verdict): boolean {
  return isRight && restriction === undefined;
}

/** The login method with the password; a linked user may have several emails and tenants. */
function recipeUserIdOf(user: User, { tenantId }: Tenant, email: string): string {
  const method = user.loginMethods.find(
    (candidate) =>
      candidate.recipeId === 'emailpassword' &&
      candidate.email === email &&
      candidate.tenantIds.includes(tenantId),
  );
  return method?.recipeUserId ?? user.id;
}
