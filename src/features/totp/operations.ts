import { devicesDigest } from '../../imports/parse/base.ts';
import { removeInAll } from '../../store/expired-rows.ts';
import type { FeatureParts } from '../feature.ts';
import type { TotpContext } from './context.ts';
import { type DeviceOperations, deviceOperations } from './devices.ts';
import { sealAllImported } from './imported.ts';
import { removeExpiredCodes } from './store/codes.ts';
import { unsealedUsers } from './store/imported.ts';
import { totpStore } from './store/store.ts';
import { type CodeOperations, codeOperations } from './verify.ts';

export interface TotpOperations extends DeviceOperations, CodeOperations {
  /** Makes rows of the devices that imports have left in the users' details. Does nothing without a key to seal them. */
  sealImported(): Promise<void>;
  /** @returns the number of removed attempts, which no longer count */
  removeExpired(): Promise<number>;
}

export function openTotp({
  context: { hasher, sealer, now },
  openStores,
  databases,
}: FeatureParts): TotpOperations {
  const context: TotpContext = {
    totp: openStores(({ batches, live }) => totpStore(batches, live)),
    sealer,
    hasher,
    now,
    digestOf: devicesDigest,
  };
  return {
    ...deviceOperations(context),
    ...codeOperations(context),
    async sealImported() {
      for (const database of databases) await sealAllImported(context, unsealedUsers(database));
    },
    removeExpired: () => removeInAll(databases, removeExpiredCodes, now()),
  };
}
