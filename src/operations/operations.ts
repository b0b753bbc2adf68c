import type { Tenant } from '../domain/model.ts';
import type { HashKind } from '../hashes/formats.ts';
import { detailsOperations, type DetailsOperations } from './details.ts';
import { exportOperations, type ExportOperations } from './export.ts';
import { hashReportOperations, type HashReportContext, type HashReportOperations } from './hash-report.ts';
import { mappingOperations, type MappingOperations } from './mapping.ts';
import { passwordOperations, type PasswordOperations } from './passwords.ts';
import type { PasswordHasher, Stores } from './ports/ports.ts';
import { resetOperations, type ResetOperations } from './resets.ts';
import { restrictionOperations, type RestrictionOperations } from './restrictions.ts';
import { signInOperations, type SignInOperations } from './sign-in/sign-in.ts';
import { tenantOperations, type TenantOperations } from './tenants.ts';
import { thirdPartyOperations, type ThirdPartyOperations } from './third-party.ts';
import type { GuessThrottle } from './sign-in/throttle.ts';
import { userOperations, type UserOperations } from './users.ts';
import { verificationOperations, type VerificationOperations } from './verification.ts';

/** What the product does, one family a file. Each method takes the tenant and the validated input of one request. */
export interface Operations {
  readonly passwords: PasswordOperations & SignInOperations & ResetOperations;
  readonly thirdParty: ThirdPartyOperations;
  readonly verification: VerificationOperations;
  readonly mapping: MappingOperations;
  readonly users: UserOperations;
  readonly tenants: TenantOperations;
  readonly details: DetailsOperations;
  readonly restrictions: RestrictionOperations;
  readonly exports: ExportOperations;
  readonly hashReports: HashReportOperations;
}

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
  /** Told of each user that an import created or changed. */
  readonly onImport: (kind: HashKind | 'thirdparty', result: 'created' | 'replaced') => void;
  /** Told when a sign-in was granted and could not be noted: an undo of an import will not know of it. */
  readonly onLostMark?: (error: unknown) => void;
  /** Told when a password that came without a sign-in could not be noted: reports will not count it. */
  readonly onLostCheck?: (error: unknown) => void;
  /** Absent when nobody is slowed down. */
  readonly throttle?: GuessThrottle;
  /** Whether who has the right password is told why they may not sign in. Default false: it is as a wrong password. */
  readonly revealRestrictions?: boolean;
  /** Whether exports, which hold password hashes and the secrets of TOTP devices, are answered. Default false. */
  readonly allowHashExport?: boolean;
  /** Told of each right password of an emailpassword user; absent when hashes are left as they are. */
  readonly upgrades?: UpgradeOffers;
  readonly hashReports: HashReportContext;
}

/** Replaces weak hashes after the reply. */
export interface UpgradeOffers {
  /** Returns at once and never throws. What becomes of it the caller need not know. */
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

export function createOperations(context: OperationsContext): Operations {
  return {
    passwords: { ...passwordOperations(context), ...signInOperations(context), ...resetOperations(context) },
    thirdParty: thirdPartyOperations(context),
    verification: verificationOperations(context),
    mapping: mappingOperations(context),
    users: userOperations(context),
    tenants: tenantOperations(context),
    details: detailsOperations(context),
    restrictions: restrictionOperations(context),
    exports: exportOperations(context),
    hashReports: hashReportOperations(context),
  };
}
