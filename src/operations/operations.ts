import type { HashKind } from '../password/formats.ts';
import { detailsOperations, type DetailsOperations } from './details.ts';
import { exportOperations, type ExportOperations } from './export.ts';
import { mappingOperations, type MappingOperations } from './mapping.ts';
import { passwordOperations, type PasswordOperations } from './passwords.ts';
import type { PasswordHasher, Stores } from './ports.ts';
import { resetOperations, type ResetOperations } from './resets.ts';
import { tenantOperations, type TenantOperations } from './tenants.ts';
import { thirdPartyOperations, type ThirdPartyOperations } from './third-party.ts';
import { userOperations, type UserOperations } from './users.ts';
import { verificationOperations, type VerificationOperations } from './verification.ts';

/** What the product does, one family a file. Each method takes the tenant and the validated input of one request. */
export interface Operations {
  readonly passwords: PasswordOperations & ResetOperations;
  readonly thirdParty: ThirdPartyOperations;
  readonly verification: VerificationOperations;
  readonly mapping: MappingOperations;
  readonly users: UserOperations;
  readonly tenants: TenantOperations;
  readonly details: DetailsOperations;
  readonly exports: ExportOperations;
}

export interface OperationsContext {
  readonly stores: Stores;
  readonly hasher: PasswordHasher;
  /** ms since the epoch; given so that tests can say what time it is */
  readonly now: () => number;
  /** A fresh core id for a user who joined at this time, ms since the epoch. */
  readonly newUserId: (timeJoined: number) => string;
  /** Told of each user that an import created or changed. */
  readonly onImport: (kind: HashKind | 'thirdparty', result: 'created' | 'replaced') => void;
  /** Told when a sign-in was granted and could not be noted: an undo of an import will not know of it. */
  readonly onLostMark?: (error: unknown) => void;
  /** Whether exports, which hold password hashes and the secrets of TOTP devices, are answered. Default false. */
  readonly allowHashExport?: boolean;
}

export function createOperations(context: OperationsContext): Operations {
  return {
    passwords: { ...passwordOperations(context), ...resetOperations(context) },
    thirdParty: thirdPartyOperations(context),
    verification: verificationOperations(context),
    mapping: mappingOperations(context),
    users: userOperations(context),
    tenants: tenantOperations(context),
    details: detailsOperations(context),
    exports: exportOperations(context),
  };
}
