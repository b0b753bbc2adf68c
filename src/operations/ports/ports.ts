/** Interfaces that the store and the pool of threads implement; neither depends on HTTP. */

import type { LoginMethod, Tenant } from '../../domain/model.ts';
import type { CoreConfig, CoreConfigChange } from '../../config/tenant-settings.ts';
import type { ActiveUserStore, HashReportStore, SignInStore } from './passwords.ts';
import type { AuditStore } from '../../domain/access/act.ts';
import type { KeptRestrictions, RestrictionStore } from './restrictions.ts';
import type { ProviderStore, SealedProvider } from './providers.ts';
import type { LinkingStore, TenantUserStore } from './linking.ts';
import type { SealedStore } from './sealed.ts';
import type { DetailsStore } from './details.ts';
import type { GuessStore } from './guesses.ts';
import type { UserStore } from './users.ts';
import type { ExportedDevice, StagedFactor } from './factors.ts';
import type { MappingStore } from './mapping.ts';

export type * from './details.ts';
export type * from './linking.ts';
export type * from './providers.ts';
export type * from './passwords.ts';
export type * from './restrictions.ts';
export type * from './factors.ts';
export type * from './sealed.ts';
export type * from './users.ts';

/** A user id and an email of the caller; the user may be unknown. */
export interface EmailPair {
  readonly userId: string;
  readonly email: string;
}

export interface NewToken {
  readonly tenant: Tenant;
  readonly pair: EmailPair;
  /** SHA-256 of the token, hexadecimal. */
  readonly tokenHash: string;
  /** ms since the epoch */
  readonly expiresAt: number;
}

export interface TokenUse {
  readonly tenant: Tenant;
  readonly tokenHash: string;
  /** ms since the epoch */
  readonly now: number;
}

/** A token for setting a password. */
export interface PasswordReset extends TokenUse {
  readonly passwordHash: string;
  /** Another password ends all sessions of the user. */
  readonly endsSessions: boolean;
}

export interface VerificationStore {
  /** Stores the token unless the pair is already verified. */
  createToken(token: NewToken): Promise<'created' | 'already-verified'>;
  /** Redeems the token, removes all others of its pair, and marks the pair verified; undefined for an invalid token. */
  redeemToken(use: TokenUse): Promise<EmailPair | undefined>;
  isVerified(appNo: number, pair: EmailPair): Promise<boolean>;
  setVerified(appNo: number, pair: EmailPair, verified: boolean): Promise<void>;
  removeTokens(tenant: Tenant, pair: EmailPair): Promise<void>;
}

export interface ResetStore {
  /** False if no user has this id. */
  createToken(token: NewToken): Promise<boolean>;
  /** Redeems the token and removes all others of its user; undefined for an invalid token. */
  consumeToken(use: TokenUse): Promise<EmailPair | undefined>;
  /**
   * Redeems the token and sets the password in one transaction.
   * @returns the login method's id as callers know it; undefined for an invalid token, or a user without a password
   */
  resetPassword(reset: PasswordReset): Promise<string | undefined>;
}

export interface UserRole {
  readonly role: string;
  /** Names of the tenants in which the user has the role; default: the public one. */
  readonly tenantIds?: readonly string[];
}

/** A login method of an export, with its secret. */
export interface StoredMethod extends LoginMethod {
  /** Its own, which is that of the user only for the primary one. */
  readonly externalId?: string;
  /** As stored, with its kind. Absent for other recipes and for users without a password. */
  readonly passwordHash?: string;
}

/** A user of an export, with secrets. */
export interface ExportedUser {
  readonly externalId: string | undefined;
  /** True for a primary user, with several login methods or one. */
  readonly isPrimary: boolean;
  /** The primary one first, then by join date. */
  readonly methods: readonly StoredMethod[];
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  readonly roles: readonly UserRole[] | undefined;
  /** As an import stored them. */
  readonly totpDevices: readonly StagedFactor[] | undefined;
  /** Other verified devices; the one without a name holds the backup codes. */
  readonly sealedDevices: readonly ExportedDevice[];
  readonly restrictions: KeptRestrictions | undefined;
}

export interface ExportedPage {
  readonly users: readonly ExportedUser[];
  /** `after` of the next page; undefined at the end. */
  readonly next: string | undefined;
}

export interface ExportStore {
  /** The app's users by core id. @param after from the previous page; undefined for the first */
  page(appNo: number, after: string | undefined, limit: number): Promise<ExportedPage>;
  /**
   * As `page`, only users who were created or changed here since then, of the next `limit` users, so a page may be empty.
   * @param since ms since the epoch, by the database's clock
   */
  changedPage(appNo: number, after: string | undefined, limit: number, since: number): Promise<ExportedPage>;
  /** Users by the ids of their heads; those who are no longer there are missing. */
  ofHeads(appNo: number, ids: readonly string[]): Promise<ReadonlyMap<string, ExportedUser>>;
  /** Start of the job, ms since the epoch by the database's clock. @returns undefined for an unknown job */
  beginningOf(appNo: number, jobId: string): Promise<number | undefined>;
}

/** Factors by which users of a tenant may sign in; the SDK sets and reads them. */
export interface TenantFactors {
  /** Absent: all that the SDK has configured; empty: none. */
  readonly firstFactors?: readonly string[];
  /** Absent: none. */
  readonly requiredSecondaryFactors?: readonly string[];
}

/** `undefined` keeps the setting, null removes it. */
export interface FactorsChange {
  readonly firstFactors?: readonly string[] | null | undefined;
  readonly requiredSecondaryFactors?: readonly string[] | null | undefined;
}

/** Computes a change from the present factors; called again if the transaction is repeated. */
export type FactorsDecision = (current: TenantFactors) => FactorsChange;

export interface TenantRecord {
  readonly tenantId: string;
  readonly appNo: number;
  readonly tenantNo: number;
  readonly providers: readonly SealedProvider[];
  /** As stored, with secrets in clear. */
  readonly coreConfig: CoreConfig;
  readonly factors: TenantFactors;
}

export interface TenantStore {
  /** Undefined if the app or the tenant does not exist. */
  find(appId: string, tenantId: string): Tenant | undefined | Promise<Tenant | undefined>;
  /**
   * Creates the app with its public tenant, or changes that tenant's settings. Null in `change` removes a key.
   * @param place of a new app, by name; default: the first one. An existing app stays where it is
   */
  putApp(
    appId: string,
    change: CoreConfigChange,
    factors?: FactorsChange,
    place?: string,
  ): Promise<{ created: boolean }>;
  /** A new tenant, other than the public one, has no first factor until some are set. */
  putTenant(
    appId: string,
    tenantId: string,
    change: CoreConfigChange,
    factors?: FactorsChange | FactorsDecision,
  ): Promise<{ created: boolean }>;
  get(appId: string, tenantId: string): Promise<TenantRecord | undefined>;
  listTenants(appId: string): Promise<TenantRecord[]>;
  /** `place`: the name of the app's place, if there are several. */
  listApps(): Promise<{ appId: string; tenants: TenantRecord[]; place?: string }[]>;
  /** Also removes users and tokens that are in no other tenant. False if there was no tenant. */
  removeTenant(appId: string, tenantId: string): Promise<boolean>;
  removeApp(appId: string): Promise<boolean>;
}

export interface Stores {
  /** Tenants of all apps. */
  readonly audit: AuditStore;
  readonly users: UserStore;
  readonly verification: VerificationStore;
  readonly resets: ResetStore;
  readonly mappings: MappingStore;
  readonly tenants: TenantStore;
  readonly signIns: SignInStore;
  readonly guesses: GuessStore;
  readonly activeUsers: ActiveUserStore;
  readonly restrictions: RestrictionStore;
  readonly exports: ExportStore;
  readonly hashReports: HashReportStore;
  readonly providers: ProviderStore;
  readonly linking: LinkingStore;
  readonly tenantUsers: TenantUserStore;
  readonly details: DetailsStore;
  readonly sealed: SealedStore;
}
