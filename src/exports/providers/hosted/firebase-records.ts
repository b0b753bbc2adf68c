/** Users as `listUsers` of Firebase's Admin SDK gives them, written as JSON. */

import { objectOf, objectsOf, textOf } from '../parts/fields.ts';
import type { SourceRow } from '../provider.ts';

/** Whether a record is of the Admin SDK and not of `firebase auth:export`. */
export function isUserRecord(row: SourceRow): boolean {
  const isNamed = textOf(row.uid) !== undefined && row.localId === undefined;
  return isNamed && Array.isArray(row.providerData) && objectOf(row.metadata)?.creationTime !== undefined;
}

/** The record as the export has it; what is none stays as it is. */
export function fromUserRecord(row: SourceRow): SourceRow {
  if (!isUserRecord(row)) return row;
  const { passwordSalt, photoURL, metadata, providerData, multiFactor } = row;
  const claims = objectOf(row.customClaims);
  return {
    ...row,
    localId: row.uid,
    salt: passwordSalt,
    photoUrl: photoURL,
    createdAt: timeOfText(objectOf(metadata)?.creationTime),
    customAttributes: claims && JSON.stringify(claims),
    providerUserInfo: objectsOf(providerData).map(({ uid, ...identity }) => ({ ...identity, rawId: uid })),
    mfaInfo: objectsOf(objectOf(multiFactor)?.enrolledFactors).map(factorOf),
  };
}

/** RFC 1123, as `Date.prototype.toUTCString` writes it. */
function timeOfText(value: unknown): number | undefined {
  const text = textOf(value) ?? '';
  const ms = /^\w{3}, \d{2} \w{3} \d{4} /.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

function factorOf({ factorId, phoneNumber }: SourceRow): SourceRow {
  if (factorId === 'phone') return { phoneInfo: phoneNumber ?? '' };
  return factorId === 'totp' ? { totpInfo: {} } : {};
}
