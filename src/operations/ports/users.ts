/** What operations on users need of the store. */

import type { RecipeId, Tenant, User } from '../../domain/model.ts';
import type { GuessKeys } from './guesses.ts';
import type { FoundCredential, HashUpgrade } from './passwords.ts';
import type { Restriction } from './restrictions.ts';

export interface NewPasswordUser {
  readonly tenant: Tenant;
  readonly email: string;
  readonly passwordHash: string;
  /** The id to give when the user is new: a UUIDv7 of `timeJoined`. */
  readonly userId: string;
  /** ms since the epoch */
  readonly timeJoined: number;
  /** Whether an existing user's hash is replaced; otherwise an existing user is left alone. */
  readonly replace: boolean;
}

export interface NewThirdPartyUser {
  readonly tenant: Tenant;
  readonly thirdPartyId: string;
  readonly thirdPartyUserId: string;
  readonly email: string;
  readonly isVerified: boolean;
  readonly userId: string;
  readonly timeJoined: number;
}

/** `tenant-gone`: removed by another request since this one found it. */
export type Placed =
  | { readonly outcome: 'created' }
  | { readonly outcome: 'existing'; readonly userId: string }
  | { readonly outcome: 'tenant-gone' };

/** As Placed; an existing social user comes with what is stored, so that only changes are written. */
export type PlacedThirdParty =
  | Exclude<Placed, { outcome: 'existing' }>
  | {
      readonly outcome: 'existing';
      readonly userId: string;
      readonly email: string;
      readonly isVerified: boolean;
      readonly restriction?: Restriction;
    };

export interface UserChange {
  readonly appNo: number;
  /** The core's own id. */
  readonly userId: string;
  readonly email?: string;
  readonly passwordHash?: string;
  /** Whether another password ends all sessions of the user. */
  readonly endsSessions?: boolean;
}

export type ChangeOutcome = 'changed' | 'unknown-user' | 'email-taken' | 'email-of-other-primary-user';

export interface AccountInfo {
  readonly email?: string;
  readonly phoneNumber?: string;
  readonly thirdParty?: { readonly id: string; readonly userId: string };
}

export interface UserPage {
  readonly tenant: Tenant;
  readonly limit: number;
  readonly order: 'ASC' | 'DESC';
  readonly recipes: readonly RecipeId[];
  /** The core's id of the first user of this page; the page begins at the very first user without it. */
  readonly from?: string | undefined;
}

/** Texts that begin an email or its domain, a phone number, a provider's id: one of each kind that there is, of one login method. */
export interface UserSearch {
  readonly tenant: Tenant;
  readonly order: 'ASC' | 'DESC';
  readonly recipes: readonly RecipeId[];
  readonly emails?: readonly string[];
  readonly phones?: readonly string[];
  readonly providers?: readonly string[];
}

/** Whose id it is. */
export interface MethodId {
  /** The core's own. */
  readonly userId: string;
  /** As callers know it: the external one where there is one. */
  readonly shownId: string;
  readonly recipeId: RecipeId;
}

export interface UserStore {
  putPasswordUser(user: NewPasswordUser): Promise<Placed>;
  putThirdPartyUser(user: NewThirdPartyUser): Promise<PlacedThirdParty>;
  /**
   * The same look-ups whether the email is known or not.
   * @param guesses buckets whose state is looked up along with it
   */
  findCredential(tenant: Tenant, email: string, guesses?: GuessKeys): Promise<FoundCredential>;
  /** Replaces a hash if it is still the one that was verified. Resolves after the commit. */
  upgradeHash(upgrade: HashUpgrade): Promise<boolean>;
  /** By any id the caller may know the user by. */
  findUser(appNo: number, userId: string): Promise<User | undefined>;
  /** The login method with this id, external or the core's own. */
  findLoginMethod(appNo: number, id: string): Promise<MethodId | undefined>;
  /** Users of the tenant that match all of `info`, or any of it with `union`. */
  findUsersByAccountInfo(tenant: Tenant, info: AccountInfo, union: boolean): Promise<User[]>;
  listUsers(page: UserPage): Promise<{ users: User[]; nextFrom: string | undefined }>;
  /** At most the first 1000. @param signal aborted when the caller has hung up */
  searchUsers(search: UserSearch, signal?: AbortSignal): Promise<User[]>;
  countUsers(tenant: Tenant, recipes: readonly RecipeId[], allTenants: boolean): Promise<number>;
  changeUser(change: UserChange): Promise<ChangeOutcome>;
  removeUser(appNo: number, userId: string, allLinkedAccounts: boolean): Promise<void>;
}
