import { identityKey } from '../../domain/identity.ts';
import type { LoginMethod, Tenant, User } from '../../domain/model.ts';
import { assembleUser } from '../../domain/user.ts';
import type { PasswordlessContext } from './context.ts';
import type { Restriction } from '../../operations/ports/ports.ts';
import type { Contact, NewPasswordlessUser, PlacedPasswordless } from './model.ts';
import { markSignIn } from '../../operations/sign-in/notes.ts';
import { goneTenant, untilFound } from '../../operations/users/removals.ts';
import {
  type CodeUsage,
  type ConsumedDevice,
  type RefusedCode,
  useCode,
  type UseCodeInput,
  type UsedDevice,
} from './use.ts';

export interface ConsumeOperations {
  /** Whether a code is right, without consuming it; a wrong one counts. */
  checkCode(tenant: Tenant, input: UseCodeInput, at: CodeAddress): Promise<UsedDevice>;
  /**
   * Signs in, or creates, the user of the contact that the code was sent to.
   * @param verifiesEmail whether the code verifies an email, true by default
   */
  consumeCode(
    tenant: Tenant,
    input: UseCodeInput,
    at: CodeAddress,
    verifiesEmail?: boolean,
  ): Promise<Consumed | SignInRefused | RefusedCode>;
}

type CodeAddress = Pick<CodeUsage, 'address'>;

interface SignedInUp {
  readonly status: 'OK';
  readonly createdNewUser: boolean;
  readonly user: User;
  readonly recipeUserId: string;
}

type Consumed = SignedInUp & { readonly consumedDevice: ConsumedDevice };

/** As the SDKs know it: they answer with their own text, and not with an error. */
interface SignInRefused {
  readonly status: 'SIGN_IN_NOT_ALLOWED';
  readonly reason: string;
}

export function consumeOperations(context: PasswordlessContext): ConsumeOperations {
  const { stores, passwordless, now, newUserId } = context;
  return {
    checkCode: (tenant, input, at) => useCode(context, tenant, input, { ...at, consumes: false }),

    async consumeCode(tenant, input, at, verifiesEmail = true) {
      const used = await useCode(context, tenant, input, { ...at, consumes: true });
      if (used.status !== 'OK') return used;
      const { consumedDevice } = used;
      const signedIn = await untilFound(() => place(tenant, contactIn(consumedDevice), verifiesEmail));
      return signedIn.status === 'OK' ? { ...signedIn, consumedDevice } : signedIn;
    },
  };

  async function place(
    tenant: Tenant,
    contact: Contact,
    verifiesEmail: boolean,
  ): Promise<SignedInUp | SignInRefused | undefined> {
    const timeJoined = now();
    const userId = newUserId(timeJoined, identityKey(contact.email ?? contact.phoneNumber));
    const user = { tenant, contact, userId, timeJoined, verifiesEmail };
    const placed = await passwordless.putUser(user);
    if (placed.outcome === 'tenant-gone') throw goneTenant();
    if (placed.outcome === 'existing') return signIn(user, placed);
    context.activity.touch(tenant, userId);
    return { status: 'OK', createdNewUser: true, user: userObject(user), recipeUserId: userId };
  }

  async function signIn(
    { tenant, contact, verifiesEmail }: NewPasswordlessUser,
    { userId, isVerified, restriction }: Extract<PlacedPasswordless, { outcome: 'existing' }>,
  ): Promise<SignedInUp | SignInRefused | undefined> {
    if (restriction !== undefined) return refused(restriction);
    const { appNo } = tenant;
    if (verifiesEmail && contact.email !== undefined && !isVerified)
      await stores.verification.setVerified(appNo, { userId, email: contact.email }, true);
    const [user] = await Promise.all([
      stores.users.findUser(appNo, userId),
      markSignIn(context, tenant, { userId }),
    ]);
    if (!user) return undefined;
    const method = user.loginMethods.find((each) => isOf(each, tenant, contact));
    if (method) await removeOtherCodes(tenant, method, contact);
    return { status: 'OK', createdNewUser: false, user, recipeUserId: method?.recipeUserId ?? user.id };
  }

  /** The user has both contacts and is signed in: a code sent to the other one is useless now. */
  async function removeOtherCodes(
    tenant: Tenant,
    { email, phoneNumber }: LoginMethod,
    contact: Contact,
  ): Promise<void> {
    if (contact.email === undefined && email !== undefined)
      await passwordless.removeDevices(tenant, { email });
    if (contact.phoneNumber === undefined && phoneNumber !== undefined)
      await passwordless.removeDevices(tenant, { phoneNumber });
  }

  function refused(restriction: Restriction): SignInRefused {
    const reason = context.revealRestrictions === true ? restriction : 'The sign-in was refused';
    return { status: 'SIGN_IN_NOT_ALLOWED', reason };
  }
}

function contactIn({ email, phoneNumber }: ConsumedDevice): Contact {
  return email === undefined ? { phoneNumber } : { email };
}

function isOf(method: LoginMethod, { tenantId }: Tenant, { email, phoneNumber }: Contact): boolean {
  return (
    method.recipeId === 'passwordless' &&
    method.tenantIds.includes(tenantId) &&
    (email === undefined ? method.phoneNumber === phoneNumber : method.email === email)
  );
}

function userObject({ tenant, contact, userId, timeJoined, verifiesEmail }: NewPasswordlessUser): User {
  return assembleUser(userId, false, [
    {
      recipeId: 'passwordless',
      recipeUserId: userId,
      tenantIds: [tenant.tenantId],
      timeJoined,
      verified: verifiesEmail || contact.email === undefined,
      ...(contact.email === undefined ? { phoneNumber: contact.phoneNumber } : { email: contact.email }),
    },
  ]);
}
