import type { Tenant } from '../../domain/model.ts';

/** What two primary users must not share in one tenant, as it is called in answers. */
export type SharedInfo = 'email' | 'phone number' | 'third party login';

/** Ids of users are as callers know them. */
export type PrimaryOutcome =
  | { readonly outcome: 'primary'; readonly wasPrimary: boolean }
  | { readonly outcome: 'unknown-user' }
  | { readonly outcome: 'linked'; readonly primaryUserId: string }
  | InfoTaken;

export type LinkOutcome =
  | { readonly outcome: 'linked'; readonly wasLinked: boolean; readonly primaryUserId: string }
  | { readonly outcome: 'unknown-user' | 'not-primary' }
  | { readonly outcome: 'linked-to-another'; readonly primaryUserId: string }
  | InfoTaken;

interface InfoTaken {
  readonly outcome: 'info-taken';
  readonly primaryUserId: string;
  readonly info: SharedInfo;
}

export interface Unlinked {
  readonly wasLinked: boolean;
  /** It was the user's head: the user lives on with the others. */
  readonly wasRemoved: boolean;
}

/** Any ids of the core or external ones. */
export interface Linking {
  readonly appNo: number;
  readonly recipeUserId: string;
  readonly primaryUserId: string;
}

export interface LinkingStore {
  makePrimary(appNo: number, recipeUserId: string): Promise<PrimaryOutcome>;
  /** What `makePrimary` would say now. */
  mayBePrimary(appNo: number, recipeUserId: string): Promise<PrimaryOutcome>;
  link(linking: Linking): Promise<LinkOutcome>;
  /** What `link` would say now. */
  mayLink(linking: Linking): Promise<LinkOutcome>;
  /** @returns undefined when no user has the id */
  unlink(appNo: number, recipeUserId: string): Promise<Unlinked | undefined>;
}

export interface TenantUser {
  readonly tenant: Tenant;
  /** Any id of a login method. */
  readonly recipeUserId: string;
}

export type TenantUserAdded =
  | { readonly outcome: 'added'; readonly wasThere: boolean }
  | { readonly outcome: 'unknown-user' | 'tenant-gone' | 'email-taken' | 'phone-taken' | 'third-party-taken' }
  | { readonly outcome: 'info-taken'; readonly info: SharedInfo };

/** In which tenants login methods are. */
export interface TenantUserStore {
  add(user: TenantUser): Promise<TenantUserAdded>;
  /** With its sessions, tokens and roles there. A login method that is in no tenant stays, and cannot sign in. */
  remove(user: TenantUser): Promise<'removed' | 'was-not-there' | 'unknown-user'>;
}
