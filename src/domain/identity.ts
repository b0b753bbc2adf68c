import { halfDigest } from './digests.ts';

/** The same numbers as `identity_kind` in the migrations. */
export const identityKind = { email: 1, thirdParty: 2, passwordlessEmail: 3, passwordlessPhone: 4 } as const;

/** The half digest as a uuid. Must equal the SQL function `identity_key`, which a test checks. */
export function identityKey(text: string): string {
  return halfDigest(text);
}

/** The text that identifies a social login. The leading length distinguishes ('a','bc') from ('ab','c'). */
export function thirdPartyKey(thirdPartyId: string, thirdPartyUserId: string): string {
  return identityKey(`${Buffer.byteLength(thirdPartyId)}:${thirdPartyId}${thirdPartyUserId}`);
}

const coreIdForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id itself if it has the form of a core id; otherwise it can only be an external one. */
export function asCoreId(id: string): string | undefined {
  return coreIdForm.test(id) ? id : undefined;
}
