import type { Tenant } from '../../domain/model.ts';
import type { PasswordlessInputs } from './schema.ts';
import type { PasswordlessContext } from './context.ts';
import type { ContactOutcome } from './model.ts';
import { invalid, isGiven } from './inputs.ts';
import { spellPhone } from '../../operations/users/phone.ts';

export interface ContactOperations {
  updateContacts(tenant: Tenant, input: PasswordlessInputs['updatePasswordless']): Promise<ContactsUpdated>;
}

export type ContactsUpdated = (typeof replies)[Exclude<ContactOutcome, 'no-contact'>];

const replies = {
  changed: { status: 'OK' },
  'unknown-user': { status: 'UNKNOWN_USER_ID_ERROR' },
  'email-taken': { status: 'EMAIL_ALREADY_EXISTS_ERROR' },
  'phone-taken': { status: 'PHONE_NUMBER_ALREADY_EXISTS_ERROR' },
  'email-of-other-primary-user': {
    status: 'EMAIL_CHANGE_NOT_ALLOWED_ERROR',
    reason: 'New email is associated with another primary user ID',
  },
  'phone-of-other-primary-user': {
    status: 'PHONE_NUMBER_CHANGE_NOT_ALLOWED_ERROR',
    reason: 'New phone number is associated with another primary user ID',
  },
} as const satisfies Record<Exclude<ContactOutcome, 'no-contact'>, object>;

export function contactOperations({
  stores: { users },
  passwordless,
}: PasswordlessContext): ContactOperations {
  return {
    async updateContacts({ appNo }, { recipeUserId, email, phoneNumber }) {
      const method = await users.findLoginMethod(appNo, recipeUserId);
      if (method?.recipeId !== 'passwordless') return replies['unknown-user'];
      const outcome = await passwordless.changeContacts({
        appNo,
        userId: method.userId,
        email,
        phoneNumber: isGiven(phoneNumber) ? spellPhone(phoneNumber) : phoneNumber,
      });
      if (outcome === 'no-contact') throw invalid('You cannot clear both email and phone number of a user');
      return replies[outcome];
    },
  };
}
