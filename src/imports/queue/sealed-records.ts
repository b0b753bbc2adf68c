/** Records with second factors, as tables hold them while they wait: sealed as a whole. */

import { SealedOtherwise, sealedPurposes, type SealedPlace, type Sealer } from '../../process/sealer.ts';

/** No JSON begins like this. */
const mark = 'sealed:';

/** An escape may hide the name of a field. */
const telltale = /totpDevices|backupCodes|\\u/;

/** Seals records individually; without a key, where no record has second factors, they stay as they are. */
export interface RecordSeals {
  /** @param row what the record is kept by */
  seal(appNo: number, row: string, record: string): string;
  /** @throws SealedOtherwise where no key opens it */
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

/** @returns undefined where no key opens it */
export function openRecord(
  seals: RecordSeals,
  ...[appNo, row, stored]: Parameters<RecordSeals['open']>
): string | undefined {
  try {
    return seals.open(appNo, row, stored);
  } catch (error) {
    if (error instanceof SealedOtherwise) return undefined;
    throw error;
  }
}
