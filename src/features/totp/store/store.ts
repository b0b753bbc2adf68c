import type { TotpStore } from '../model.ts';
import type { Batches } from '../../../store/batch/batches.ts';
import type { Database } from '../../../database/database.ts';
import { findCodes, keepCode } from './codes.ts';
import { findDevices, putDevice, removeDevice, renameDevice } from './devices.ts';
import { sealImported } from './imported.ts';

export function totpStore(batches: Batches, database: Database): TotpStore {
  const find = batches.add(findDevices);
  return {
    devices: (appNo, id) => find({ appNo, id }),
    codes: batches.add(findCodes),
    put: batches.add(putDevice),
    keepCode: batches.add(keepCode),
    rename: (...device) => renameDevice(database, ...device),
    remove: (...device) => removeDevice(database, ...device),
    sealImported: (...user) => sealImported(database, ...user),
  };
}
