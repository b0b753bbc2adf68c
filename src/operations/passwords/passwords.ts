import { identityKey } from '../../domain/identity.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Tenant, User } from '../../domain/model.ts';
import { acceptHash } from '../../hashes/accept.ts';
import type { AcceptedHash } from '../../hashes/accept.ts';
import { refusalOf } from '../../hashes/recognise.ts';
import { asTyped, statedBeside } from '../../hashes/transforms/transforms.ts';
import type { ImportPasswordHashInput, SignUpInput } from '../../schema/requests.ts';
import { assembleUser } from '../../domain/user.ts';
import { goneTenant, untilFound } from '../users/removals.ts';
import type { OperationsContext } from '../context.ts';
import type { NewPasswordUser } from '../ports/ports.ts';

export interface PasswordOperations {
  importHash(tenant: Tenant, input: ImportPasswordHashInput): Promise<ImportedHash>;
  /** @param signal aborted when the caller hangs up; nothing is done if the password is not computed yet */
  signUp(
    tenant: Tenant,
    input: SignUpInput,
    signal?: AbortSignal,
  ): Promise<SignedUp | { status: 'EMAIL_ALREADY_EXISTS_ERROR' }>;
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
    return {
      tenant,
      email,
      passwordHash,
      timeJoined,
      userId: context.newUserId(timeJoined, identityKey(email)),
    };
  };
  return {
    async importHash(tenant, { email, passwordHash, hashingAlgorithm, passwordTransforms = asTyped }) {
      const hash = requireStated(passwordHash, passwordTransforms);
      const { kind, stored } = requireHash(tenant, hash, hashingAlgorithm);
      const imported = await untilFound(() => place(tenant, email, stored));
      onImport(kind, imported.didUserAlreadyExist ? 'replaced' : 'created');
      return { status: 'OK', ...imported };
    },

    async signUp(tenant, { email, password }, signal) {
      const user = newUser(tenant, email, await hasher.hash(password, { signal, party: tenant.appNo }));
      const placed = await users.putPasswordUser({ ...user, replace: false });
      if (placed.outcome === 'tenant-gone') throw goneTenant();
      if (placed.outcome === 'existing') return { status: 'EMAIL_ALREADY_EXISTS_ERROR' };
      context.activity.touch(tenant, user.userId);
      return { status: 'OK', user: userObject(user), recipeUserId: user.userId };
    },
  };

  async function place(
    tenant: Tenant,
    email: string,
    passwordHash: string,
  ): Promise<Omit<ImportedHash, 'status'> | undefined> {
    const user = newUser(tenant, email, passwordHash);
    const placed = await users.putPasswordUser({ ...user, replace: true });
    if (placed.outcome === 'tenant-gone') throw goneTenant();
    if (placed.outcome === 'created') return { user: userObject(user), didUserAlreadyExist: false };
    const found = await users.findUser(tenant.appNo, placed.userId);
    return found && { user: found, didUserAlreadyExist: true };
  }
}

/** @throws Refusal INVALID_FIELD for unknown transforms */
function requireStated(hash: string, transforms: string): string {
  const stated = statedBeside(hash, transforms);
  if (typeof stated === 'string') return stated;
  throw new Refusal(
    'INVALID_FIELD',
    `Field name 'passwordTransforms' is invalid in JSON input: ${stated.message}`,
  );
}

/** @throws Refusal if the hash could not be verified at a sign-in */
function requireHash({ settings }: Tenant, hash: string, hashingAlgorithm: string | undefined): AcceptedHash {
  const { hashLimits: limits, signerKey, pepper } = settings;
  const accepted = acceptHash(hash, hashingAlgorithm, { limits, signerKey, pepper });
  if (!accepted.ok) throw refusalOf(accepted);
  return accepted;
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
