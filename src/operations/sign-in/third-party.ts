import { thirdPartyKey } from '../../domain/identity.ts';
import type { Tenant, User } from '../../domain/model.ts';
import type { SignInUpInput } from '../../schema/requests.ts';
import { assembleUser } from '../../domain/user.ts';
import { goneTenant, untilFound } from '../users/removals.ts';
import type { OperationsContext } from '../context.ts';
import type { NewThirdPartyUser, PlacedThirdParty, Restriction } from '../ports/ports.ts';
import { markSignIn } from './notes.ts';

export interface ThirdPartyOperations {
  signInUp(tenant: Tenant, input: SignInUpInput): Promise<SignedInUp | EmailChangeRefused | SignInUpRefused>;
}

interface SignedInUp {
  readonly status: 'OK';
  readonly createdNewUser: boolean;
  readonly user: User;
  readonly recipeUserId: string;
}

export interface EmailChangeRefused {
  readonly status: 'EMAIL_CHANGE_NOT_ALLOWED_ERROR';
  readonly reason: string;
}

/** As the SDKs know it. */
export interface SignInUpRefused {
  readonly status: 'SIGN_IN_UP_NOT_ALLOWED';
  readonly reason: string;
}

/** Two primary users must not share an email. */
export const emailChangeRefused: EmailChangeRefused = {
  status: 'EMAIL_CHANGE_NOT_ALLOWED_ERROR',
  reason: 'Email already associated with another primary user.',
};

export function thirdPartyOperations(context: OperationsContext): ThirdPartyOperations {
  const { stores, now, newUserId, onImport } = context;
  return { signInUp: (tenant, input) => untilFound(() => place(tenant, input)) };

  async function place(
    tenant: Tenant,
    { thirdPartyId, thirdPartyUserId, email }: SignInUpInput,
  ): Promise<SignedInUp | EmailChangeRefused | SignInUpRefused | undefined> {
    const timeJoined = now();
    const user: NewThirdPartyUser = {
      tenant,
      thirdPartyId,
      thirdPartyUserId,
      email: email.id,
      isVerified: email.isVerified ?? false,
      userId: newUserId(timeJoined, thirdPartyKey(thirdPartyId, thirdPartyUserId)),
      timeJoined,
    };
    const placed = await stores.users.putThirdPartyUser(user);
    if (placed.outcome === 'tenant-gone') throw goneTenant();
    // The user stays unchanged, as after a wrong password.
    if (placed.outcome === 'existing' && placed.restriction !== undefined) return refused(placed.restriction);
    if (placed.outcome === 'existing') return signIn(user, placed);
    onImport('thirdparty', 'created');
    context.activity.touch(tenant, user.userId);
    return { status: 'OK', createdNewUser: true, user: userObject(user), recipeUserId: user.userId };
  }

  function refused(restriction: Restriction): SignInUpRefused {
    const reason = context.revealRestrictions === true ? restriction : 'The sign-in was refused';
    return { status: 'SIGN_IN_UP_NOT_ALLOWED', reason };
  }

  async function signIn(
    { tenant, email, isVerified, thirdPartyId, thirdPartyUserId }: NewThirdPartyUser,
    stored: Extract<PlacedThirdParty, { outcome: 'existing' }>,
  ): Promise<SignedInUp | EmailChangeRefused | undefined> {
    const { users, verification } = stores;
    const { appNo } = tenant;
    if (email !== stored.email) {
      const outcome = await users.changeUser({ appNo, userId: stored.userId, email });
      if (outcome === 'email-of-other-primary-user') return emailChangeRefused;
    }
    if (isVerified && !(stored.isVerified && email === stored.email)) {
      await verification.setVerified(appNo, { userId: stored.userId, email }, true);
    }
    const [user] = await Promise.all([
      users.findUser(appNo, stored.userId),
      markSignIn(context, tenant, { userId: stored.userId }),
    ]);
    if (!user) return undefined;
    const method = user.loginMethods.find(
      ({ thirdParty, tenantIds }) =>
        thirdParty?.id === thirdPartyId &&
        thirdParty.userId === thirdPartyUserId &&
        tenantIds.includes(tenant.tenantId),
    );
    return { status: 'OK', createdNewUser: false, user, recipeUserId: method?.recipeUserId ?? user.id };
  }
}

function userObject(user: NewThirdPartyUser): User {
  return assembleUser(user.userId, false, [
    {
      recipeId: 'thirdparty',
      recipeUserId: user.userId,
      tenantIds: [user.tenant.tenantId],
      timeJoined: user.timeJoined,
      verified: user.isVerified,
      email: user.email,
      thirdParty: { id: user.thirdPartyId, userId: user.thirdPartyUserId },
    },
  ]);
}
