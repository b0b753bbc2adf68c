/** Sign-ins without a password. Digests are hexadecimal, times ms since the epoch. */

import type { Tenant } from '../../domain/model.ts';
import type { Restriction } from '../../operations/ports/restrictions.ts';

/** Where codes are sent to: one of the two, as it is stored. */
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

/** What never changes of a device. */
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
  /** In the order in which they were made. */
  readonly codes: readonly { readonly codeId: string; readonly createdAt: number }[];
}

/** A code that was presented. */
export interface CodeUse {
  readonly tenant: Tenant;
  readonly device: StoredDevice;
  readonly linkHash: string;
  /** Codes from before are too old. */
  readonly freshFrom: number;
  readonly maxAttempts: number;
  /** Whether a wrong one counts: links cannot be guessed. */
  readonly isTyped: boolean;
  /** Whether a right one is spent, with all codes of its contact. */
  readonly consumes: boolean;
}

/** `restart`: the device is gone, now or before. `failed`: wrong codes so far, this one included. */
export interface UsedCode {
  readonly outcome: 'right' | 'wrong' | 'expired' | 'restart';
  readonly failed: number;
}

export interface NewPasswordlessUser {
  readonly tenant: Tenant;
  readonly contact: Contact;
  /** The id to give when the user is new: a UUIDv7 of `timeJoined`. */
  readonly userId: string;
  readonly timeJoined: number;
  /** Whether the code proves the email; clients of before 4.0 verify it themselves. */
  readonly verifiesEmail: boolean;
}

/** As Placed of ports.ts; an existing user comes with what a sign-in needs. */
export type PlacedPasswordless =
  | { readonly outcome: 'created' | 'tenant-gone' }
  | {
      readonly outcome: 'existing';
      readonly userId: string;
      readonly isVerified: boolean;
      readonly restriction?: Restriction;
    };

/** Absent leaves what is there, null removes it. */
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
  /** `taken`: the device has this very code already. */
  addCode(code: NewSentCode): Promise<'added' | 'taken' | 'unknown-device'>;
  findDevice(tenant: Tenant, deviceHash: string): Promise<StoredDevice | undefined>;
  /** The device of a code that is not too old. */
  findDeviceByLink(tenant: Tenant, linkHash: string, freshFrom: number): Promise<StoredDevice | undefined>;
  useCode(use: CodeUse): Promise<UsedCode>;
  list(tenant: Tenant, search: DeviceSearch): Promise<ListedDevice[]>;
  /** With its device, when it was the last. */
  removeCode(tenant: Tenant, codeId: string): Promise<void>;
  removeDevices(tenant: Tenant, search: DeviceSearch): Promise<void>;
  putUser(user: NewPasswordlessUser): Promise<PlacedPasswordless>;
  /** Codes for the contacts before and after are removed with it. */
  changeContacts(change: ContactChange): Promise<ContactOutcome>;
}
