import { halfDigest } from './digests.ts';

/** What kind of thing an identity's key is made of; the same numbers as `identity_kind` in the migrations. */
export const identityKind = { email: 1, thirdParty: 2, passwordlessEmail: 3, passwordlessPhone: 4 } as const;

/**
 * The key of an identity: its half digest, which is the text form of a uuid.
 * Must equal the SQL function `identity_key`; a test holds the two together.
 */
export function identityKey(text: string): string {
  return halfDigest(text);
}

/** The text that identifies a social login method. The length at the beginning distinguishes ('a','bc') from ('ab','c'). */
export function thirdPartyKey(thirdPartyId: string, thirdPartyUserId: string): string {
  return identityKey(`${Buffer.byteLength(thirdPartyId)}:${thirdPartyId}${thirdPartyUserId}`);
}

const coreIdForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id itself when it has the form of the core's own ids, else undefined: it can only be an external one. */
export function asCoreId(id: string): string | undefined {
  return coreIdForm.test(id) ? id : undefined;
}
