/** The store's part for operations on users. */

import type { RecipeId, Tenant, User } from '../../domain/model.ts';
import type { GuessKeys } from './guesses.ts';
import type { FoundCredential, HashUpgrade } from './passwords.ts';
import type { Restriction } from './restrictions.ts';

export interface NewPasswordUser {
  readonly tenant: Tenant;
  readonly email: string;
  readonly passwordHash: string;
  /** Id for a new user: a UUIDv7 of `timeJoined`. */
  readonly userId: string;
  /** ms since the epoch */
  readonly timeJoined: number;
  /** Replaces the hash of an existing user; otherwise an existing user is not changed. */
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

/** `tenant-gone`: another request removed the tenant meanwhile. */
export type Placed =
  | { readonly outcome: 'created' }
  | { readonly outcome: 'existing'; readonly userId: string }
  | { readonly outcome: 'tenant-gone' };

/** As Placed; for an existing social user with the stored values, so that only changes are written. */
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
  /** Another password ends all sessions of the user. */
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
  /** Core id of the page's first user; without it the first page. */
  readonly from?: string | undefined;
}

/** Prefixes of an email or its domain, a phone number, a provider's id. One login method must match one of each given kind. */
export interface UserSearch {
  readonly tenant: Tenant;
  readonly order: 'ASC' | 'DESC';
  readonly recipes: readonly RecipeId[];
  readonly emails?: readonly string[];
  readonly phones?: readonly string[];
  readonly providers?: readonly string[];
}

/** The owner of an id. */
export interface MethodId {
  /** The core's own. */
  readonly userId: string;
  /** As callers know it: the external id if there is one. */
  readonly shownId: string;
  readonly recipeId: RecipeId;
}

export interface UserStore {
  putPasswordUser(user: NewPasswordUser): Promise<Placed>;
  putThirdPartyUser(user: NewThirdPartyUser): Promise<PlacedThirdParty>;
  /**
   * Performs the same look-ups for known and unknown emails.
   * @param guesses buckets whose state is looked up by the same statement
   */
  findCredential(tenant: Tenant, email: string, guesses?: GuessKeys): Promise<FoundCredential>;
  /** Replaces a hash if it is still the one that was verified. Resolves after the commit. */
  upgradeHash(upgrade: HashUpgrade): Promise<boolean>;
  /** By any id of the user. */
  findUser(appNo: number, userId: string): Promise<User | undefined>;
  /** The login method with this external or core id. */
  findLoginMethod(appNo: number, id: string): Promise<MethodId | undefined>;
  /** Users of the tenant that match all of `info`, or any of it with `union`. */
  findUsersByAccountInfo(tenant: Tenant, info: AccountInfo, union: boolean): Promise<User[]>;
  listUsers(page: UserPage): Promise<{ users: User[]; nextFrom: string | undefined }>;
  /** At most the first 1000. @param signal aborted when the caller hangs up */
  searchUsers(search: UserSearch, signal?: AbortSignal): Promise<User[]>;
  countUsers(tenant: Tenant, recipes: readonly RecipeId[], allTenants: boolean): Promise<number>;
  changeUser(change: UserChange): Promise<ChangeOutcome>;
  removeUser(appNo: number, userId: string, allLinkedAccounts: boolean): Promise<void>;
}
