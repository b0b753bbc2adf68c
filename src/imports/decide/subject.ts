/** A record that is about to be decided, each of its keys with what is known of it. */

import type { JobRules } from '../tasks.ts';
import { markedSource } from '../../domain/legacy-mark.ts';
import { spellingOf } from '../../hashes/spellings.ts';
import { lineMarkOf } from '../parse/line-mark.ts';
import { headOf, identityField, keysOf } from '../record/parse-record.ts';
import type { BulkIdentity, BulkMethod, BulkRecord, RecordKey } from '../record/parse-record.ts';
import type { SingleRecord } from '../parse/types.ts';
import type { Found, Index } from './holders.ts';

export interface Subject {
  readonly ordinal: number;
  /** Physical line in the upload, from 1. */
  readonly line: number;
  readonly externalUserId: string | undefined;
  /** The user with its external id is the same person. */
  readonly sameIds: boolean;
  /** Users removed here that the record identifies, and whether they are to be restored. */
  readonly removed: readonly string[];
  readonly restoresRemoved: boolean;
  /** The keys that it claims. */
  readonly keys: readonly RecordKey[];
  readonly external: ExternalKey | undefined;
  /** In the order of the record. */
  readonly methods: readonly SubjectMethod[];
  /** One, or several separate users. */
  readonly users: readonly SubjectUser[];
}

export interface ExternalKey extends Found {
  readonly id: string;
  readonly isCoreId: boolean;
}

export interface SubjectKey extends BulkIdentity, Found {
  readonly tenantNo: number;
  readonly isTenantThere: boolean;
  /** The path in the record of the key's value. */
  readonly field: string;
}

export interface SubjectMethod extends BulkMethod {
  /** Its position among the record's login methods. */
  readonly place: number;
  /** One for each tenant and identity, in the order of `keysOf`. */
  readonly keys: readonly SubjectKey[];
}

/** Login methods that become one user. */
export interface SubjectUser {
  readonly external: ExternalKey | undefined;
  readonly metadata: BulkRecord['metadata'];
  readonly roles: BulkRecord['roles'];
  readonly totpDevices: BulkRecord['totpDevices'];
  readonly restrictions: BulkRecord['restrictions'];
  readonly methods: readonly SubjectMethod[];
  /** The login method that gives a new user its id. */
  readonly head: SubjectMethod;
  /** Whether this user's login method is the only one of the record. */
  readonly isAlone: boolean;
  /** The mark of the record's line: see line-mark.ts. */
  readonly lineMark: number | undefined;
}

/** @throws Error when a plain-text password came without its hash */
export function subjectOf(
  single: SingleRecord,
  record: BulkRecord,
  { index, rules }: { readonly index: Index; readonly rules: JobRules },
): Subject {
  const { record: ordinal, line } = single;
  const { externalUserId } = record;
  const methods = record.methods.map((method, place) => subjectMethod({ single, method, place, index }));
  const external =
    externalUserId === undefined ? undefined : { id: externalUserId, ...index.external(ordinal) };
  const users = usersOf(record, methods, external, lineMarkOf(single.text, record, rules));
  return {
    ordinal,
    line,
    externalUserId,
    keys: keysOf(record),
    external,
    methods,
    users,
    sameIds: rules.sameIds === true || record.sameIds === true,
    removed: index.removed(ordinal),
    restoresRemoved: rules.restoreRemoved === true || record.restoreRemoved === true,
  };
}

/**
 * With a primary login method all are one user; without one, each is a user, and the first has the external id and details. If
 * the record states `disabled`, each of them is disabled.
 */
function usersOf(
  record: BulkRecord,
  methods: readonly SubjectMethod[],
  external: ExternalKey | undefined,
  lineMark: number | undefined,
): SubjectUser[] {
  const { metadata, roles, totpDevices, restrictions } = record;
  const isAlone = methods.length === 1;
  const isOneUser = isAlone || methods.some(({ isPrimary }) => isPrimary);
  const head = methods[headOf(record)];
  if (!head) throw new Error('a record has at least one login method');
  const first = { external, metadata, roles, totpDevices, restrictions, head, isAlone, lineMark };
  if (isOneUser) return [{ ...first, methods }];
  const nothing = { external: undefined, metadata: undefined, roles: undefined, totpDevices: undefined };
  const others = { ...nothing, restrictions, lineMark: undefined };
  return methods.map((method) => ({
    ...(method === head ? first : { ...others, head: method, isAlone }),
    methods: [method],
  }));
}

interface Placed {
  readonly single: SingleRecord;
  readonly method: BulkMethod;
  readonly place: number;
  readonly index: Index;
}

function subjectMethod({ single, method, place, index }: Placed): SubjectMethod {
  const keys = method.tenantNos.flatMap((tenantNo) =>
    method.identities.map(({ kind, key }) => ({
      kind,
      key,
      tenantNo,
      isTenantThere: index.hasTenant(tenantNo),
      field: identityField(place, { kind }),
      ...index.identity({ record: single.record, method: place, tenantNo, kind }),
    })),
  );
  return { ...method, ...hashOf(single, method, place), place, keys };
}

function hashOf(
  { hashes }: SingleRecord,
  { plainTextPassword, passwordHash, hashKind }: BulkMethod,
  place: number,
): Pick<BulkMethod, 'passwordHash' | 'hashKind'> {
  if (plainTextPassword === undefined) return { passwordHash, hashKind };
  const made = hashes?.[place];
  if (made === undefined)
    throw new Error('a plain-text password was not hashed before its record is decided');
  return { passwordHash: made, hashKind: spellingOf(made)?.kind };
}

/** The field by which a record states the password of a login method. */
export function passwordField({
  plainTextPassword,
  passwordHash,
}: Pick<SubjectMethod, 'plainTextPassword' | 'passwordHash'>): string {
  if (markedSource(passwordHash) !== undefined) return 'legacy';
  return plainTextPassword === undefined ? 'passwordHash' : 'plainTextPassword';
}

/** Path of a login method's field. */
export function fieldOf(place: number, name: string): string {
  return `loginMethods.${place}.${name}`;
}
