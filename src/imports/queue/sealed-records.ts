/** Records with second factors, as tables store them while they wait: each sealed as a whole. */

import { SealedOtherwise, sealedPurposes, type SealedPlace, type Sealer } from '../../process/sealer.ts';

/** JSON never begins with this. */
const mark = 'sealed:';

/** An escape may hide the name of a field. */
const telltale = /totpDevices|backupCodes|\\u/;

/** Seals records individually; without a key, when records have no second factors, they are stored as they are. */
export interface RecordSeals {
  /** @param row the key of the record's row */
  seal(appNo: number, row: string, record: string): string;
  /** @throws SealedOtherwise if no key opens it */
  open(appNo: number, row: string, stored: string): string;
}

export function recordSeals(sealer: Sealer): RecordSeals {
  return {
    seal: (appNo, row, record) =>
      sealer.canSeal && telltale.test(record)
        ? mark + sealer.seal(recordPlace(appNo, row), Buffer.from(record)).toString('base64')
        : record,
    open: (appNo, row, stored) =>
      stored.startsWith(mark)
        ? sealer.open(recordPlace(appNo, row), Buffer.from(stored.slice(mark.length), 'base64')).toString()
        : stored,
  };
}

function recordPlace(appNo: number, row: string): SealedPlace {
  return { purpose: sealedPurposes.record, appNo, row };
}

/** @returns undefined if no key opens it */
export function openRecord(
  seals: RecordSeals,
  appNo: number,
  row: string,
  stored: string,
): string | undefined {
  try {
    return seals.open(appNo, row, stored);
  } catch (error) {
    if (error instanceof SealedOtherwise) return undefined;
    throw error;
  }
}
