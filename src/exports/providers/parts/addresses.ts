/** Checks an address before convertPerson, which accepts it unchecked. */

import { isEmail } from '../../../domain/email.ts';
import type { Conversion, ConvertOptions } from '../provider.ts';
import { convertPerson, rejected, type Person, type SocialIdentity } from './person.ts';
import { thirdPartyIdOf } from './third-party-ids.ts';

/** The first of `texts` that is an address: for sources whose user name may be one. */
export function firstAddress(...texts: readonly (string | undefined)[]): string | undefined {
  return texts.find((text) => text !== undefined && isEmail(text));
}

/**
 * convertPerson for a user whose email is in `field`: refuses an invalid address, and a missing one if nothing else identifies
 * the person.
 */
export function convertAddressed(person: Person, field: string, options: ConvertOptions): Conversion {
  const social = distinct(person.social ?? []).map(withGoodEmail);
  const { email, id } = person;
  const why =
    email === undefined ? missing({ ...person, social }) : isEmail(email) ? undefined : notAnAddress;
  if (why !== undefined) return rejected({ code: 'NOT_IMPORTABLE', field, message: why, externalUserId: id });
  return convertPerson({ ...person, social }, options);
}

const notAnAddress = 'it is not an email address: correct it at the source and export again';

function missing({ password, phone, social, hasUnverifiedPhone }: Person): string | undefined {
  if (phone !== undefined) return undefined;
  if (password !== undefined)
    return 'the user has a password and no email to sign in with: give the user one at the source';
  if (social?.length) return undefined;
  if (hasUnverifiedPhone === true)
    return 'the user has no email, and a phone number that is not verified, with which a stranger might sign in: have it verified at the source, or give the user an email there';
  return 'the user has no email and nothing else to sign in with: give the user one at the source';
}

/** Two tables of an app may have the same identity; a record with a repeated one would be refused. */
function distinct(social: readonly SocialIdentity[]): readonly SocialIdentity[] {
  if (social.length < 2) return social;
  const keyed = social.map(
    (each) => [JSON.stringify([thirdPartyIdOf(each.provider), each.userId]), each] as const,
  );
  // The first is kept: of equal keys a Map keeps the last.
  return [...new Map(keyed.toReversed()).values()].toReversed();
}

/** An identity's invalid email counts as absent: the user's own replaces it. */
function withGoodEmail(identity: SocialIdentity): SocialIdentity {
  const { email } = identity;
  return { ...identity, email: email !== undefined && isEmail(email) ? email : undefined };
}
