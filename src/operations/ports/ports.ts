/** What the operations need from the outside. The store and the pool implement these and know nothing of HTTP. */

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

/** A user id and an email as the caller passed them; the user need not exist. */
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

/** A token that is spent for another password. */
export interface PasswordReset extends TokenUse {
  readonly passwordHash: string;
  /** Whether another password ends all sessions of the user. */
  readonly endsSessions: boolean;
}

export interface VerificationStore {
  /** Keeps the token unless the pair is verified already. */
  createToken(token: NewToken): Promise<'created' | 'already-verified'>;
  /** Spends the token and every other one of its pair, and marks the pair verified; undefined when it is not good. */
  redeemToken(use: TokenUse): Promise<EmailPair | undefined>;
  isVerified(appNo: number, pair: EmailPair): Promise<boolean>;
  setVerified(appNo: number, pair: EmailPair, verified: boolean): Promise<void>;
  removeTokens(tenant: Tenant, pair: EmailPair): Promise<void>;
}

export interface ResetStore {
  /** False when no user has this id. */
  createToken(token: NewToken): Promise<boolean>;
  /** Spends the token and every other one of its user; undefined when it is not good. */
  consumeToken(use: TokenUse): Promise<EmailPair | undefined>;
  /**
   * Spends the token and sets the password in one transaction.
   * @returns the id of the login method as callers know it; undefined when the token is not good, or the user has no password
   */
  resetPassword(reset: PasswordReset): Promise<string | undefined>;
}

export interface UserRole {
  readonly role: string;
  /** The names of the tenants where the user has it; only the public one when left out. */
  readonly tenantIds?: readonly string[];
}

/** A login method as an export carries it, with its secret. */
export interface StoredMethod extends Omit<LoginMethod, 'recipeUserId'> {
  /** As it is stored: it shows its kind. Absent for other recipes, and for a user who never had one. */
  readonly passwordHash?: string;
}

/** A whole user as an export carries it, secrets included. */
export interface ExportedUser {
  readonly externalId: string | undefined;
  /** Whether it is a primary user, with several login methods or one. */
  readonly isPrimary: boolean;
  /** The primary one first, then by their join dates. */
  readonly methods: readonly StoredMethod[];
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  readonly roles: readonly UserRole[] | undefined;
  /** As an import left them. */
  readonly totpDevices: readonly StagedFactor[] | undefined;
  /** The others that are verified; the one without a name is the backup codes. */
  readonly sealedDevices: readonly ExportedDevice[];
  readonly restrictions: KeptRestrictions | undefined;
}

export interface ExportedPage {
  readonly users: readonly ExportedUser[];
  /** What the next page is `after`; undefined at the end. */
  readonly next: string | undefined;
}

export interface ExportStore {
  /** The app's users in the order of their core ids. @param after as the page before says; undefined for the first */
  page(appNo: number, after: string | undefined, limit: number): Promise<ExportedPage>;
  /**
   * As page, of users who were made or changed here since then: some of the next `limit` users, so that a page may have none.
   * @param since ms since the epoch, by the database's clock
   */
  changedPage(appNo: number, after: string | undefined, limit: number, since: number): Promise<ExportedPage>;
  /** When the job began, in ms since the epoch by the database's clock. @returns undefined for no job of the app */
  beginningOf(appNo: number, jobId: string): Promise<number | undefined>;
}

/** By what people of a tenant may sign in, as the SDK has it set and asks for it. */
export interface TenantFactors {
  /** Absent: all that the SDK is set up for; empty: none. */
  readonly firstFactors?: readonly string[];
  /** Absent: none. */
  readonly requiredSecondaryFactors?: readonly string[];
}

/** `undefined` leaves what is set, null removes it. */
export interface FactorsChange {
  readonly firstFactors?: readonly string[] | null | undefined;
  readonly requiredSecondaryFactors?: readonly string[] | null | undefined;
}

/** Of the factors that are set now; may be called again when the transaction is repeated. */
export type FactorsDecision = (current: TenantFactors) => FactorsChange;

export interface TenantRecord {
  readonly tenantId: string;
  readonly appNo: number;
  readonly tenantNo: number;
  readonly providers: readonly SealedProvider[];
  /** As stored: secrets are in the clear. */
  readonly coreConfig: CoreConfig;
  readonly factors: TenantFactors;
}

export interface TenantStore {
  /** Undefined when the app or the tenant does not exist. */
  find(appId: string, tenantId: string): Tenant | undefined | Promise<Tenant | undefined>;
  /** Creates the app with its public tenant, or changes that tenant's settings. Null in `change` removes a key. */
  putApp(appId: string, change: CoreConfigChange, factors?: FactorsChange): Promise<{ created: boolean }>;
  /** A new one that is not the public one begins with no first factor, until some are set. */
  putTenant(
    appId: string,
    tenantId: string,
    change: CoreConfigChange,
    factors?: FactorsChange | FactorsDecision,
  ): Promise<{ created: boolean }>;
  get(appId: string, tenantId: string): Promise<TenantRecord | undefined>;
  listTenants(appId: string): Promise<TenantRecord[]>;
  listApps(): Promise<{ appId: string; tenants: TenantRecord[] }[]>;
  /** With every user and token that is in no other tenant. False when there was none. */
  removeTenant(appId: string, tenantId: string): Promise<boolean>;
  removeApp(appId: string): Promise<boolean>;
}

export interface Stores {
  /** Of all apps. */
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
