/** How the two sides of a field are shown. Of a password only its kind is shown, and when it was changed. */

import { identityKey, identityKind, thirdPartyKey } from '../../../domain/identity.ts';
import { markedSource } from '../../../domain/legacy-mark.ts';
import { storedKind } from '../../../hashes/recognise.ts';
import type { BulkIdentity } from '../../record/parse-record.ts';
import type { HeldMethod } from '../../parse/types.ts';

export const groups = {
  [identityKind.email]: 'email',
  [identityKind.thirdParty]: 'social',
  [identityKind.passwordlessEmail]: 'email',
  [identityKind.passwordlessPhone]: 'phone',
} as const;

interface Shown {
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
  readonly thirdPartyId?: string | null | undefined;
  readonly thirdPartyUserId?: string | null | undefined;
}

export function sideOf(kind: BulkIdentity['kind'], side: Shown): string {
  const { thirdPartyId, thirdPartyUserId, phone, email } = side;
  if (kind === identityKind.thirdParty) return `${thirdPartyId ?? ''} ${thirdPartyUserId ?? ''}`;
  return (kind === identityKind.passwordlessPhone ? phone : email) ?? 'none';
}

/** The login method's key of this kind. */
export function keyOf(method: HeldMethod, kind: BulkIdentity['kind']): string | undefined {
  if (kind === identityKind.thirdParty)
    return thirdPartyKey(method.thirdPartyId ?? '', method.thirdPartyUserId ?? '');
  const text = kind === identityKind.passwordlessPhone ? method.phone : method.email;
  return text === null ? undefined : identityKey(text);
}

/** The kind of a stored hash, or which old system knows the password. */
export function kindHere(passwordHash: string | null): string {
  if (passwordHash === null) return 'none';
  const source = markedSource(passwordHash);
  return source === undefined ? (storedKind(passwordHash) ?? 'unknown kind') : `only ${source} knows it`;
}

export function passwordHere({ passwordSetAt, upgradedFrom, upgradedAt }: HeldMethod): string {
  if (upgradedFrom !== null && upgradedAt !== null)
    return `hashed again at a sign-in at ${moment(upgradedAt)}`;
  return passwordSetAt === null ? 'changed here' : `changed here at ${moment(passwordSetAt)}`;
}

function moment(ms: number): string {
  return new Date(ms).toISOString();
}
