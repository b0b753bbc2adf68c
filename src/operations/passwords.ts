import { Refusal } from '../errors.ts';
import type { Tenant, User } from '../model.ts';
import {
  type HashKind,
  hashKindNamed,
  refusalOf,
  requireHash,
  secretProblem,
  storedForm,
} from '../password/formats.ts';
import type { ImportPasswordHashInput, SignInInput, SignUpInput } from '../schema/requests.ts';
import { assembleUser } from '../user.ts';
import { goneTenant, requireUser } from './found.ts';
import type { OperationsContext } from './operations.ts';
import type { NewPasswordUser } from './ports.ts';
import { markSignIn } from './sign-ins.ts';

export interface PasswordOperations {
  importHash(tenant: Tenant, input: ImportPasswordHashInput): Promise<ImportedHash>;
  signUp(tenant: Tenant, input: SignUpInput): Promise<SignedUp | { status: 'EMAIL_ALREADY_EXISTS_ERROR' }>;
  signIn(tenant: Tenant, input: SignInInput): Promise<SignedUp | { status: 'WRONG_CREDENTIALS_ERROR' }>;
}

type NewUser = Omit<NewPasswordUser, 'replace'>;

interface ImportedHash {
  readonly status: 'OK';
  readonly user: User;
  readonly didUserAlreadyExist: boolean;
}

interface SignedUp {
  readonly status: 'OK';
  readonly user: User;
  readonly recipeUserId: string;
}

export function passwordOperations(context: OperationsContext): PasswordOperations {
  const { stores, hasher, now, onImport } = context;
  const { users } = stores;
  const newUser = (tenant: Tenant, email: string, passwordHash: string): NewUser => {
    const timeJoined = now();
    return { tenant, email, passwordHash, timeJoined, userId: context.newUserId(timeJoined) };
  };
  return {
    async importHash(tenant, { email, passwordHash, hashingAlgorithm }) {
      const { kind, stored } = checkHash(tenant, passwordHash, hashingAlgorithm);
      const user = newUser(tenant, email, stored);
      const placed = await users.putPasswordUser({ ...user, replace: true });
      if (placed.outcome === 'tenant-gone') throw goneTenant();
      const didUserAlreadyExist = placed.outcome === 'existing';
      onImport(kind, didUserAlreadyExist ? 'replaced' : 'created');
      return {
        status: 'OK',
        user: didUserAlreadyExist ? await requireUser(users, tenant, placed.userId) : userObject(user),
        didUserAlreadyExist,
      };
    },

    async signUp(tenant, { email, password }) {
      const user = newUser(tenant, email, await hasher.hash(password));
      const placed = await users.putPasswordUser({ ...user, replace: false });
      if (placed.outcome === 'tenant-gone') throw goneTenant();
      if (placed.outcome === 'existing') return { status: 'EMAIL_ALREADY_EXISTS_ERROR' };
      return { status: 'OK', user: userObject(user), recipeUserId: user.userId };
    },

    async signIn(tenant, { email, password }) {
      const credential = await users.findCredential(tenant, email);
      const { signerKey, pepper, hashLimits: limits } = tenant.settings;
      // Whoever asks must not learn from the time whether the email has a password here.
      const isRight = credential
        ? await hasher.verify(password, credential.passwordHash, { signerKey, pepper, limits })
        : await hasher.verifyDecoy(password);
      if (!credential || !isRight) return { status: 'WRONG_CREDENTIALS_ERROR' };
      const [user] = await Promise.all([
        users.findUser(tenant.appNo, credential.userId),
        markSignIn(context, tenant, credential.userId),
      ]);
      if (!user) return { status: 'WRONG_CREDENTIALS_ERROR' };
      return { status: 'OK', user, recipeUserId: recipeUserIdOf(user, tenant, email) };
    },
  };
}

/**
 * @returns the hash's kind, and the hash as it is stored: by itself it tells its kind
 * @throws Refusal when the hash could not be verified at a sign-in
 */
function checkHash(
  { settings }: Tenant,
  passwordHash: string,
  hashingAlgorithm: string | undefined,
): { readonly kind: HashKind; readonly stored: string } {
  const given = hashingAlgorithm === undefined ? undefined : hashKindNamed(hashingAlgorithm);
  if (hashingAlgorithm !== undefined && !given) throw new Refusal('UNSUPPORTED_HASHING_ALGORITHM');
  const parsed = requireHash(passwordHash, given, settings.hashLimits);
  const problem = secretProblem(parsed, settings);
  if (problem) throw refusalOf(problem);
  return { kind: parsed.kind, stored: storedForm(passwordHash, parsed) };
}

function userObject({ tenant, email, userId, timeJoined }: NewUser): User {
  return assembleUser(userId, false, [
    {
      recipeId: 'emailpassword',
      recipeUserId: userId,
      tenantIds: [tenant.tenantId],
      timeJoined,
      verified: false,
      email,
    },
  ]);
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
