import type { Sealer } from '../process/sealer.ts';
import type { CoreConfig } from '../config/tenant-settings.ts';
import type { HashLimits, HashPolicy, Tenant } from '../domain/model.ts';
import type { HashKindName } from '../hashes/registry.ts';
import type { HashTally } from '../hashes/tally.ts';
import type { PasswordHasher, Stores } from './ports/ports.ts';
import type { OldSystems } from './ports/old-systems.ts';
import type { GuessThrottle } from './sign-in/throttle.ts';

/** What the operations work with; the core passes it in. */
export interface OperationsContext {
  readonly stores: Stores;
  readonly hasher: PasswordHasher;
  /** ms since the epoch; given so that tests can say what time it is */
  readonly now: () => number;
  /**
   * A fresh core id for a user who joined at this time, ms since the epoch.
   * @param key of the user's identity, which decides the user's place
   */
  readonly newUserId: (timeJoined: number, key: string) => string;
  /** Called for each user that an import created or changed. */
  readonly onImport: (kind: HashKindName | 'thirdparty', result: 'created' | 'replaced') => void;
  /** Called when a sign-in was granted and could not be noted: an undo of an import will not know of it. */
  readonly onLostMark?: (error: unknown) => void;
  /** Called when a password that came without a sign-in could not be noted: reports will not count it. */
  readonly onLostCheck?: (error: unknown) => void;
  /** What the core's own configuration says of settings that an app or a tenant may have of its own. */
  readonly coreConfig: CoreConfig;
  /** Called when it could not be noted that a user is active: counts may be without the user. */
  readonly onLostActivity?: (error: unknown) => void;
  /** Notes who is active, where no sign-in is marked. */
  readonly activity: Activity;
  /** Absent when guesses are not limited. */
  readonly throttle?: GuessThrottle;
  /** Whether the answer to a right password says why the user may not sign in. Default false: it is as to a wrong one. */
  readonly revealRestrictions?: boolean;
  /** Whether exports, which hold password hashes and the secrets of TOTP devices, are answered. Default false. */
  readonly allowHashExport?: boolean;
  /** Gets each right password of an emailpassword user; absent when hashes are left as they are. */
  readonly upgrades?: UpgradeOffers;
  /** Absent when no old system is asked about passwords. */
  readonly oldSystems?: OldSystems;
  readonly hashReports: HashReportContext;
  /** Seals what tokens are signed with, and secrets of second factors. */
  readonly sealer: Sealer;
  /** Completes what features have to do before all that is sealed is sealed with another key. */
  readonly beforeReseal: () => Promise<unknown>;
}

/** See ActivityNotes. */
export interface Activity {
  /** Returns at once and never throws. @param id any that callers know the login method by; it need not be a user's */
  touch(tenant: Pick<Tenant, 'appNo'>, id: string): void;
}

/** Replaces weak hashes after the reply. */
export interface UpgradeOffers {
  /** Returns at once and never throws. The caller need not know its outcome. */
  offer(verified: VerifiedPassword): void;
}

/** A password that a stored hash was right for. */
export interface VerifiedPassword {
  readonly tenant: Tenant;
  /** The core's own id of the login method. */
  readonly userId: string;
  readonly passwordHash: string;
  readonly password: string;
}

/** What counting needs in addition to the store. */
export interface HashReportContext {
  /** What new hashes are made by. */
  readonly policy: HashPolicy;
  /** Counts in a thread. @param lines a stored hash each */
  readonly tally: (lines: string, limits: HashLimits) => Promise<HashTally>;
  /** Ends reports that are under way when the core closes. */
  readonly closing: AbortSignal;
}
