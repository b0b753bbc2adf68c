/** Sign-ins without a password. Digests are hexadecimal, times ms since the epoch. */

import type { Tenant } from '../../domain/model.ts';
import type { Restriction } from '../../operations/ports/restrictions.ts';

/** The destination of codes: one of the two, as it is stored. */
export type Contact =
  | { readonly email: string; readonly phoneNumber?: undefined }
  | { readonly phoneNumber: string; readonly email?: undefined };

export interface NewSentCode {
  readonly tenant: Tenant;
  readonly deviceHash: string;
  readonly codeId: string;
  readonly linkHash: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface NewCodeDevice extends NewSentCode {
  readonly contact: Contact;
  readonly salt: Buffer;
}

/** The constant part of a device. */
export interface StoredDevice {
  readonly deviceHash: string;
  readonly contact: Contact;
  readonly salt: Buffer;
}

export type DeviceSearch = Contact | { readonly deviceHash: string };

export interface ListedDevice {
  readonly deviceHash: string;
  readonly contact: Contact;
  readonly failed: number;
  /** In the order in which they were created. */
  readonly codes: readonly { readonly codeId: string; readonly createdAt: number }[];
}

/** A code that was presented. */
export interface CodeUse {
  readonly tenant: Tenant;
  readonly device: StoredDevice;
  readonly linkHash: string;
  /** The creation time from which codes are valid. */
  readonly freshFrom: number;
  readonly maxAttempts: number;
  /** Whether a wrong one counts: links cannot be guessed. */
  readonly isTyped: boolean;
  /** Whether a right one is consumed, with all codes of its contact. */
  readonly consumes: boolean;
}

/** `restart`: the device does not exist, now or before. `failed`: wrong codes so far, including this one. */
export interface UsedCode {
  readonly outcome: 'right' | 'wrong' | 'expired' | 'restart';
  readonly failed: number;
}

export interface NewPasswordlessUser {
  readonly tenant: Tenant;
  readonly contact: Contact;
  /** The id for a new user: a UUIDv7 of `timeJoined`. */
  readonly userId: string;
  readonly timeJoined: number;
  /** Whether the code verifies the email; clients before 4.0 verify it themselves. */
  readonly verifiesEmail: boolean;
}

/** As Placed of ports.ts; an existing user is returned with the data that a sign-in needs. */
export type PlacedPasswordless =
  | { readonly outcome: 'created' | 'tenant-gone' }
  | {
      readonly outcome: 'existing';
      readonly userId: string;
      readonly isVerified: boolean;
      readonly restriction?: Restriction;
    };

/** Absent does not change the value, null removes it. */
export interface ContactChange {
  readonly appNo: number;
  /** The core's own id of a passwordless login method. */
  readonly userId: string;
  readonly email: string | null | undefined;
  readonly phoneNumber: string | null | undefined;
}

export type ContactOutcome =
  | 'changed'
  | 'unknown-user'
  | 'no-contact'
  | 'email-taken'
  | 'phone-taken'
  | 'email-of-other-primary-user'
  | 'phone-of-other-primary-user';

export interface PasswordlessStore {
  createDevice(device: NewCodeDevice): Promise<'created' | 'tenant-gone'>;
  /** `taken`: the device has the same code already. */
  addCode(code: NewSentCode): Promise<'added' | 'taken' | 'unknown-device'>;
  findDevice(tenant: Tenant, deviceHash: string): Promise<StoredDevice | undefined>;
  /** The device of a code that has not expired. */
  findDeviceByLink(tenant: Tenant, linkHash: string, freshFrom: number): Promise<StoredDevice | undefined>;
  useCode(use: CodeUse): Promise<UsedCode>;
  list(tenant: Tenant, search: DeviceSearch): Promise<ListedDevice[]>;
  /** Removes its device too, when it was the last. */
  removeCode(tenant: Tenant, codeId: string): Promise<void>;
  removeDevices(tenant: Tenant, search: DeviceSearch): Promise<void>;
  putUser(user: NewPasswordlessUser): Promise<PlacedPasswordless>;
  /** Codes for the former and the new contacts are removed with it. */
  changeContacts(change: ContactChange): Promise<ContactOutcome>;
}
