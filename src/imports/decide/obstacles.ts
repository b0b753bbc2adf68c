/** Why a valid record cannot be imported: what the database or an earlier line has against it. */

import type { Rival } from '../parse/primaries.ts';
import { identityKey, identityKind, thirdPartyKey } from '../../domain/identity.ts';
import type { BulkIdentity } from '../record/parse-record.ts';
import type { Reject } from '../model.ts';
import { invalid } from '../record/problem.ts';
import type { HeldUser } from './holders.ts';
import { fieldOf, type Subject, type SubjectKey, type SubjectMethod } from './subject.ts';

export type Obstacle = Pick<Reject, 'code' | 'field' | 'message' | 'otherUserId'>;

const nouns: Readonly<Record<BulkIdentity['kind'], string>> = {
  [identityKind.email]: 'email',
  [identityKind.thirdParty]: 'provider identity',
  [identityKind.passwordlessEmail]: 'email',
  [identityKind.passwordlessPhone]: 'phone number',
};

/** Obstacles known before users are looked at: the outcome of other records does not change them. */
export function obstacleTo(subject: Subject): Obstacle | undefined {
  return duplicate(subject) ?? removedTenant(subject);
}

function duplicate({ external, methods }: Subject): Obstacle | undefined {
  if (external && isUsed(external)) return duplicateOf('externalUserId', 'external id');
  const used = methods.flatMap(({ keys }) => keys).find(isUsed);
  return used && duplicateOf(used.field, 'identity in this tenant');
}

/** Whether an earlier record of the job has the key: one that created its user is found by that user, others by a claim. */
function isUsed({ isClaimed, held }: Pick<SubjectKey, 'isClaimed' | 'held'>): boolean {
  return isClaimed || held?.method.isOfThisJob === true;
}

/** The reason of a duplicate within a chunk. */
function duplicateOf(field: string, what: string): Obstacle {
  return {
    code: 'DUPLICATE_IN_JOB',
    field,
    message: `An earlier line of this import has the same ${what}: the first one counts, remove or correct the others`,
  };
}

export function removedTenant({ methods }: Subject): Obstacle | undefined {
  const method = methods.find(({ keys }) => keys.some(({ isTenantThere }) => !isTenantThere));
  return (
    method && {
      code: 'UNKNOWN_TENANT',
      field: fieldOf(method.place, 'tenantIds'),
      message: 'The tenant was removed during the import: create it again, or leave it out',
    }
  );
}

export function takenBy(other: 'user' | 'external id', { field, kind, held }: SubjectKey): Obstacle {
  return {
    code: 'IDENTITY_TAKEN',
    field,
    message:
      other === 'user'
        ? `The ${nouns[kind]} belongs to another user than the rest of the record: correct the record, or change or remove that user first`
        : `The ${nouns[kind]} belongs to a user with another external id, such as one of another system: a user has one external id and one password, so leave the record out and map the second id in your app, or remove that user first`,
    ...hasIt(held?.user),
  };
}

/**
 * Names the other side of a reject: a user from before the import. Another line is not named, because it would depend on the
 * chunks.
 */
function hasIt(user: HeldUser | undefined): Pick<Obstacle, 'otherUserId'> {
  return user === undefined ? {} : { otherUserId: user.head?.externalId ?? user.id };
}

/** @param rival what another primary user has as well */
export function infoTaken(subject: Subject, rival: Rival | undefined): Obstacle | undefined {
  if (rival === undefined) return undefined;
  const noun = rival.info === 'third party login' ? 'provider identity' : rival.info;
  return {
    code: 'IDENTITY_TAKEN',
    field: fieldOfInfo(subject, rival),
    message: `The ${noun} belongs to another primary user in one of the same tenants, who existed before or is in an earlier line: state both as one user, leave out isPrimary, or change or remove the other user first`,
  };
}

function fieldOfInfo({ methods }: Subject, { info, key }: Rival): string {
  for (const { place, email, phone, thirdPartyId, thirdPartyUserId } of methods) {
    if (info === 'email' && email !== undefined && isKey(key, identityKey(email)))
      return fieldOf(place, 'email');
    if (info === 'phone number' && phone !== undefined && isKey(key, identityKey(phone)))
      return fieldOf(place, 'phoneNumber');
    const [provider, id] = [thirdPartyId ?? '', thirdPartyUserId ?? ''];
    if (info === 'third party login' && isKey(key, thirdPartyKey(provider, id)))
      return fieldOf(place, 'thirdPartyUserId');
  }
  // It belongs to an existing login method.
  return 'loginMethods';
}

function isKey(key: string, other: string): boolean {
  return key === other.replaceAll('-', '');
}

export const externalIdIsCoreId: Obstacle = {
  code: 'EXTERNAL_ID_TAKEN',
  field: 'externalUserId',
  message: 'The external id is the own id of a user of this core: leave it out, or choose another one',
};

const differentPersonOf: Obstacle = {
  code: 'DIFFERENT_PERSON',
  field: 'externalUserId',
  message:
    'The external id belongs to a user that has no email, phone number, provider identity or password of the record: if the ids are of another system, give them a prefix (idPrefix, --id-prefix); if they mean the same people, say so (sameIds, --same-ids)',
};

/** @param user the one that the external id leads to */
export function differentPerson(user: HeldUser): Obstacle {
  return { ...differentPersonOf, ...hasIt(user) };
}

export const removedHere: Obstacle = {
  code: 'REMOVED_HERE',
  field: '',
  message:
    'A user with this external id, email, phone number or provider identity was removed here. That is not an error: the record is left out, unless removed users may come back (restoreRemoved, --restore-removed)',
};

export function staysInTenants({ place }: SubjectMethod): Obstacle {
  const why =
    'must name all tenants of the login method whose email, phone number or provider identity changes';
  return invalid(fieldOf(place, 'tenantIds'), why);
}

export function givenUpAndStated({ field, kind }: Pick<SubjectKey, 'field' | 'kind'>): Obstacle {
  return {
    code: 'IDENTITY_TAKEN',
    field,
    message: `The login method that would take this ${nouns[kind]} has the one of another login method of the record: state the two as one`,
  };
}

export function changedHere(field: string): Obstacle {
  return {
    code: 'CHANGED_HERE',
    field,
    message: 'The field was changed here and at the source since the last import, and onConflict is reject',
  };
}

export function alreadyExists(field: string): Obstacle {
  return {
    code: 'ALREADY_EXISTS',
    field,
    message: 'The user exists and differs in this field, and onConflict is reject',
  };
}
