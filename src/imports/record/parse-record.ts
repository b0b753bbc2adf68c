/** The entry of record/: from the text of one line to a completely checked record, or the reason for its reject. */

import type { RecordRules } from '../tasks.ts';
import { recordForm } from '../../schema/validate.ts';
import type { NativeUser } from './native-record.ts';
import { excessOf, rolesOf, secretsOf } from './details.ts';
import { inspect } from './inspect.ts';
import { methodsOf } from './methods.ts';
import { factorsOf, restrictionsOf } from './restrictions.ts';
import type { BulkRecord, RecordReject, RecordResult } from './model.ts';
import { prefixedId } from './prefixed-id.ts';
import { type Problem, notAnObject, problemOfFault } from './problem.ts';

export { hasOddDate, identityField } from './methods.ts';
export { claimOf, externalIdKind, fieldOfKey, keysOf } from './keys.ts';
export type { RecordKey } from './keys.ts';
export { isFree, signInStateOf } from './restrictions.ts';
export type { BulkIdentity, BulkMethod, BulkRecord, RecordReject, RecordResult } from './model.ts';

type Json = Record<string, unknown>;

/** A record whose outermost form has been checked. */
interface FormedRecord extends Omit<NativeUser, 'loginMethods'> {
  readonly loginMethods: readonly Json[];
}

const faultOfForm = recordForm('bulkUser');

/** The index of the login method that the external id and the details belong to: the primary one, or else the first. */
export function headOf({ methods }: Pick<BulkRecord, 'methods'>): number {
  for (let place = 1; place < methods.length; place++) {
    if (methods[place]?.isPrimary === true) return place;
  }
  return 0;
}

/**
 * Parses one line and makes every check that needs no database; never throws. Undeclared fields are ignored, including ids of the
 * core.
 * @param text without its line end
 */
export function parseRecord(text: string, rules: RecordRules): RecordResult {
  const own = parseObject(text);
  return own === undefined ? rejected(notAnObject, undefined) : parseRecordOf(text, own, rules);
}

/** As parseRecord. @param own the object of `text`, which is normalised in place */
export function parseRecordOf(text: string, own: Json, rules: RecordRules): RecordResult {
  const problem = inspect(text, own);
  if (problem !== undefined) return rejected(problem, own, rules);
  const fault = faultOfForm(own);
  if (fault !== undefined) return rejected(problemOfFault(fault, ''), own, rules);
  return check(own as unknown as FormedRecord, rules);
}

function parseObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

function check(formed: FormedRecord, rules: RecordRules): RecordResult {
  const methods = methodsOf(formed.loginMethods, rules);
  if ('code' in methods) return rejected(methods, formed, rules);
  const roles = rolesOf(formed.userRoles, rules);
  if (roles !== undefined && 'code' in roles) return rejected(roles, formed, rules);
  const excess = rules.createsOnly && excessOf(formed, rules.createsOnly);
  if (excess) return rejected(excess, formed, rules);
  const externalUserId = prefixedId(formed.externalUserId, rules.idPrefix);
  if (typeof externalUserId === 'object') return rejected(externalUserId, formed, rules);
  const { userMetadata, isDisabled, disabledUntil, requiredActions } = formed;
  const secondFactors = factorsOf(formed);
  const restrictions = restrictionsOf({ isDisabled, disabledUntil, requiredActions, secondFactors }, rules);
  const totpDevices = rules.secondFactor === 'drop' ? undefined : secretsOf(formed, rules);
  if (totpDevices !== undefined && 'code' in totpDevices) return rejected(totpDevices, formed, rules);
  const metadata = userMetadata === undefined || isEmpty(userMetadata) ? undefined : userMetadata;
  const record = { externalUserId, metadata, roles, totpDevices, restrictions, secondFactors, methods };
  // Few records state it, and the others are all of one shape.
  return { ok: true, record: hasMarks(formed) ? { ...record, ...marksOf(formed) } : record };
}

type Marks = Pick<FormedRecord, 'sameIds' | 'restoreRemoved'>;

function hasMarks({ sameIds, restoreRemoved }: Marks): boolean {
  return sameIds === true || restoreRemoved === true;
}

function marksOf({ sameIds, restoreRemoved }: Marks): Pick<BulkRecord, 'sameIds' | 'restoreRemoved'> {
  return { ...(sameIds === true && { sameIds }), ...(restoreRemoved === true && { restoreRemoved }) };
}

function isEmpty(object: Json): boolean {
  for (const _ in object) return false;
  return true;
}

function rejected(
  problem: Problem,
  own: { readonly externalUserId?: unknown } | undefined,
  { idPrefix }: Pick<RecordRules, 'idPrefix'> = {},
): RecordResult {
  const externalUserId = own && readableId(own.externalUserId, idPrefix);
  const { code, field, message } = problem;
  const reject: RecordReject = { code, field, message, externalUserId };
  return { ok: false, reject };
}

/** The part of a possibly unchecked id that can be shown and stored: as a user would have it. */
function readableId(id: unknown, prefix = ''): string | undefined {
  if (typeof id !== 'string') return undefined;
  const text = id.trim();
  const isReadable = text !== '' && text.length <= 128 && text.isWellFormed() && !text.includes('\0');
  return isReadable ? prefix + text : undefined;
}
