import type { Sealer } from '../process/sealer.ts';
import type { CoreConfig } from '../config/tenant-settings.ts';
import type { HashLimits, HashPolicy, Tenant } from '../domain/model.ts';
import type { HashKindName } from '../hashes/registry.ts';
import type { HashTally } from '../hashes/tally.ts';
import type { PasswordHasher, Stores } from './ports/ports.ts';
import type { OldSystems } from './ports/old-systems.ts';
import type { GuessThrottle } from './sign-in/throttle.ts';

/** Dependencies of the operations. */
export interface OperationsContext {
  readonly stores: Stores;
  readonly hasher: PasswordHasher;
  /** ms since the epoch */
  readonly now: () => number;
  /**
   * @returns a new core id
   * @param timeJoined ms since the epoch @param key of the user's identity, which decides the user's place
   */
  readonly newUserId: (timeJoined: number, key: string) => string;
  /** Called for each imported user. */
  readonly onImport: (kind: HashKindName | 'thirdparty', result: 'created' | 'replaced') => void;
  /** Called if a granted sign-in could not be noted, so an undo of an import does not know of it. */
  readonly onLostMark?: (error: unknown) => void;
  /** Called if a password without a sign-in could not be noted, so reports do not count it. */
  readonly onLostCheck?: (error: unknown) => void;
  /** The core's defaults of settings that apps and tenants may override. */
  readonly coreConfig: CoreConfig;
  /** Called if a user's activity could not be noted, so counts may lack the user. */
  readonly onLostActivity?: (error: unknown) => void;
  /** Notes activity without a sign-in. */
  readonly activity: Activity;
  /** Absent if guesses are not limited. */
  readonly throttle?: GuessThrottle;
  /** Answers a right password of a restricted user with the reason. Default false: as a wrong password. */
  readonly revealRestrictions?: boolean;
  /** Allows exports, which contain password hashes and TOTP secrets. Default false. */
  readonly allowHashExport?: boolean;
  /** Receives each right password of an emailpassword user; absent if hashes are not upgraded. */
  readonly upgrades?: UpgradeOffers;
  /** Whether hashes of the app may be upgraded now; absent: always. */
  readonly mayUpgrade?: (tenant: Tenant) => Promise<boolean>;
  /** Called at each sign-in whose password a stored hash decided. Returns at once and never throws. */
  readonly onPassword?: (judged: JudgedPassword) => void;
  /** Absent if no old system is asked about passwords. */
  readonly oldSystems?: OldSystems;
  readonly hashReports: HashReportContext;
  /** Seals signing keys and secrets of second factors. */
  readonly sealer: Sealer;
  /** Runs the features' work before everything is sealed with another key. */
  readonly beforeReseal: () => Promise<unknown>;
}

/** See ActivityNotes. */
export interface Activity {
  /** Returns at once and never throws. @param id of the login method as callers know it; it may be unknown */
  touch(tenant: Pick<Tenant, 'appNo'>, id: string): void;
}

/** Replaces weak hashes after the reply. */
export interface UpgradeOffers {
  /** Returns at once and never throws. */
  offer(verified: VerifiedPassword): void;
}

/** A password that matched a stored hash. */
export interface VerifiedPassword {
  readonly tenant: Tenant;
  /** The login method's core id. */
  readonly userId: string;
  readonly passwordHash: string;
  readonly password: string;
  /** Asked before the hash is replaced; absent: it may be. */
  readonly mayUpgrade?: (() => Promise<boolean>) | undefined;
}

/** The outcome of a password at a sign-in. */
export interface JudgedPassword {
  readonly tenant: Tenant;
  /** The login method's core id. */
  readonly userId: string;
  readonly isRight: boolean;
}

/** Dependencies of reports of hashes in addition to the store. */
export interface HashReportContext {
  /** The policy for new hashes. */
  readonly policy: HashPolicy;
  /** Counts in a thread. @param lines one stored hash each */
  readonly tally: (lines: string, limits: HashLimits) => Promise<HashTally>;
  /** Aborts reports when the core closes. */
  readonly closing: AbortSignal;
}
