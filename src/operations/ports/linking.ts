import type { Tenant } from '../../domain/model.ts';

/** Identities that two primary users must not share in a tenant, as answers name them. */
export type SharedInfo = 'email' | 'phone number' | 'third party login';

/** User ids are those that callers know. */
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
  /** The method was the user's head; the user continues with the others. */
  readonly wasRemoved: boolean;
}

/** Core ids or external ids. */
export interface Linking {
  readonly appNo: number;
  readonly recipeUserId: string;
  readonly primaryUserId: string;
}

export interface LinkingStore {
  makePrimary(appNo: number, recipeUserId: string): Promise<PrimaryOutcome>;
  /** What `makePrimary` would return now. */
  mayBePrimary(appNo: number, recipeUserId: string): Promise<PrimaryOutcome>;
  link(linking: Linking): Promise<LinkOutcome>;
  /** What `link` would return now. */
  mayLink(linking: Linking): Promise<LinkOutcome>;
  /** @returns undefined if no user has the id */
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

/** Tenants of login methods. */
export interface TenantUserStore {
  add(user: TenantUser): Promise<TenantUserAdded>;
  /** Also removes its sessions, tokens and roles there. A login method without tenants stays and cannot sign in. */
  remove(user: TenantUser): Promise<'removed' | 'was-not-there' | 'unknown-user'>;
}
