/** A user who changed here, as the tables of an old system take one. */
import { type BackChange, type BackPerson, idThere, isReal, personOf } from '../../exports/back/person.ts';
import type { WrittenAddress, WrittenUser } from '../../exports/providers/database.ts';
import type { LeftOut } from '../../exports/sources/written/parts.ts';
import type { UserChange } from '../../exports/sources/written/write-user.ts';

/** As `GET /move/changes` answers it. */
export interface ChangeView extends BackChange {
  /** Their numbers. */
  readonly changes: readonly string[];
  readonly secondHashes: Readonly<Record<string, string>>;
}

interface Found extends UserChange {
  readonly isLinked: boolean;
  /** Whatever tables the system has. */
  readonly leftOut: readonly LeftOut[];
}

/** @param idPrefix as the imports had it */
export function userChangeOf(change: ChangeView, idPrefix: string): Found {
  const { id, record, was, methods, secondHashes, isRemoval } = change;
  const { key, isMade, others } = rowOf(change, idPrefix);
  const isLinked = record === null && !isRemoval;
  const methodIds = methods.map((each) => each.id);
  const own = { id, was, key, isMade, methodIds, secondHashes, isLinked };
  if (record === null) return { ...own, now: undefined, leftOut: [] };
  const loginMethods = record.loginMethods.filter((_, at) => !others.has(methodIds[at] ?? ''));
  const person = personOf(change, { ...record, loginMethods }, idPrefix);
  const methodId = methodIds[record.loginMethods.findIndex((each) => each === person.method)];
  const ofRow = was.filter((each) => !others.has(each.id));
  const leftOut = leftOutOf(change, { isNew: key === undefined, isApart: ofRow.length < was.length });
  return { ...own, was: ofRow, now: writtenUserOf(person) ?? 'no email', methodId, leftOut };
}

/**
 * The row of the user there: a user who signed up here has that of a linked login method.
 * @returns with it the login methods that have other rows; `isMade`: a write-back made it
 */
function rowOf(change: ChangeView, idPrefix: string) {
  const { methods, was, oldId } = change;
  const given = methods.flatMap((each) => (each.externalId?.startsWith(idPrefix) === true ? [each] : []));
  const own = idThere(change, idPrefix) ?? given[0]?.externalId?.slice(idPrefix.length);
  const isOwn = ({ externalId }: { readonly externalId?: string | null }) =>
    externalId === idPrefix + (own ?? '');
  const isMade = oldId !== null && !given.some(isOwn) && !was.some(isOwn);
  return { key: own, isMade, others: new Set(given.filter((each) => !isOwn(each)).map(({ id }) => id)) };
}

/** @returns undefined for a user without an email */
export function writtenUserOf(person: BackPerson): WrittenUser | undefined {
  const { email, isVerified, storedHash: passwordHash, metadata, timeJoined = 0, social: logins } = person;
  if (email === undefined) return undefined;
  return { email, isVerified, passwordHash, metadata, timeJoined, logins, otherAddresses: othersOf(person) };
}

function othersOf({ email, record }: BackPerson): readonly WrittenAddress[] {
  const others = new Map<string, boolean>();
  for (const method of record.loginMethods) {
    if (method.thirdPartyId !== undefined || method.email === undefined || method.email === email) continue;
    if (isReal(method.email)) others.set(method.email, method.isVerified === true);
  }
  return Array.from(others, ([address, isVerified]) => ({ email: address, isVerified }));
}

function leftOutOf(
  { record, was, changes }: ChangeView,
  { isNew, isApart }: { readonly isNew: boolean; readonly isApart: boolean },
): LeftOut[] {
  const found: LeftOut[] = [];
  const hasPhone = record?.loginMethods.some(({ phoneNumber }) => phoneNumber !== undefined) === true;
  if (hasPhone && (isNew || was.some((each) => each.isNew === true))) found.push('PHONE');
  // A change without a login method before it is a sign-up, or one of what tables of users have no columns for.
  if (!isNew && changes.length > was.length) found.push('DETAILS');
  if (isApart) found.push('LINKED');
  return found;
}
