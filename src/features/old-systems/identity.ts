/** Compares the person in an old system's answer with the user whose email was typed. */
import { spellEmail } from '../../domain/email.ts';
import type { LegacySource, Tenant, User } from '../../domain/model.ts';
import type { Stores } from '../../operations/ports/ports.ts';
import type { LegacyPerson } from './dialect.ts';

/** The field of an answer that names another person. */
export type Mismatch = 'id' | 'email';

interface Claimed {
  readonly tenant: Tenant;
  readonly source: LegacySource;
  /** As typed, normalised. */
  readonly email: string;
  readonly person: LegacyPerson;
  /** The core's id of the marked login method; undefined for an email without a user here. */
  readonly userId: string | undefined;
}

/** @returns the external id that an answer states, undefined if it states none or the source drops ids */
export function externalIdOf({ keepsIds, idPrefix }: LegacySource, { id }: LegacyPerson): string | undefined {
  return keepsIds && id !== undefined ? (idPrefix + id).trim() : undefined;
}

/**
 * An old system may know several logins of one person, and an email may have another owner there since the import. The same id
 * proves the person, whatever the email. Without such a proof the answer's email has to be the typed one.
 */
export async function mismatchOf(
  stores: Pick<Stores, 'users' | 'mappings'>,
  { tenant: { appNo }, source, email, person, userId }: Claimed,
): Promise<Mismatch | undefined> {
  const externalId = externalIdOf(source, person);
  if (externalId !== undefined) {
    const [user, owner] = await Promise.all([
      userId === undefined ? undefined : stores.users.findUser(appNo, userId),
      stores.users.findUser(appNo, externalId),
    ]);
    if (owner !== undefined) return owner.id === user?.id ? undefined : 'id';
    if (user !== undefined && (await hasExternalId(stores, appNo, user))) return 'id';
  }
  return person.email === undefined || spellEmail(person.email) === email ? undefined : 'email';
}

async function hasExternalId(
  { mappings }: Pick<Stores, 'mappings'>,
  appNo: number,
  { id, loginMethods }: User,
): Promise<boolean> {
  const ids = [...new Set([id, ...loginMethods.map(({ recipeUserId }) => recipeUserId)])];
  const found = await Promise.all(ids.map((each) => mappings.find(appNo, each, 'ANY')));
  return found.some((mapping) => mapping !== undefined);
}
