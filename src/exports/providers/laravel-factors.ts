/** Second factors of Laravel Fortify: columns that are encrypted with APP_KEY. */

import { plainCodes } from './parts/backup-codes.ts';
import { laravelKeys, openLaravel } from './parts/laravel-encryption.ts';
import type { Person } from './parts/person.ts';
import { factorIf } from './parts/sign-in-state.ts';
import { ExportFault } from './provider.ts';

type Factors = Pick<Person, 'totpDevices' | 'backupCodes' | 'secondFactors'>;

export interface SealedFactors {
  readonly twoFactorSecret: string | undefined;
  readonly twoFactorRecoveryCodes: string | undefined;
}

/** @param appKey undefined: they are counted. @throws ExportFault when the key is wrong: no record could be read */
export function laravelFactors(
  { twoFactorSecret, twoFactorRecoveryCodes }: SealedFactors,
  appKey: string | undefined,
): Factors {
  const sealed = [twoFactorSecret, twoFactorRecoveryCodes];
  if (appKey === undefined)
    return {
      secondFactors: [
        ...factorIf(sealed[0] !== undefined, 'totp'),
        ...factorIf(sealed[1] !== undefined, 'backup'),
      ],
    };
  const [secretKey, codes] = sealed.map((text) => text && requireOpen(text, appKey));
  return {
    ...(secretKey !== undefined && { totpDevices: [{ secretKey }] }),
    ...(codes !== undefined && { backupCodes: plainCodes(codes) }),
  };
}

function requireOpen(text: string, appKey: string): string {
  const opened = openLaravel(text, laravelKeys(appKey));
  if (opened !== undefined) return opened;
  throw new ExportFault(
    '--laravel-app-key does not open two_factor_secret or two_factor_recovery_codes: give the APP_KEY of this database, and older ones behind commas',
  );
}
