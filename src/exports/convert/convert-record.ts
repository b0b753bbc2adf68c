/** From one record and what belongs to it to a native line. */

import { lineBytesLimit } from '../../domain/line-limit.ts';
import type { NativeUser } from '../../imports/record/native-record.ts';
import { prefixedId } from '../../imports/record/prefixed-id.ts';
import type { ConversionReject, Provider, Related } from '../providers/provider.ts';
import type { ConvertRules } from '../tasks.ts';
import { described, withSalt } from './columns-of-hash.ts';
import type { ReadRecord } from './records.ts';
import { rolesOption, withRolesFrom } from './roles/roles.ts';
import { passwordAsOption, withTransforms } from './transforms.ts';

/** The native line of a record without its newline; neither for what is no user. */
export interface ConvertedRecord {
  readonly line?: string;
  readonly user?: NativeUser;
  readonly note?: string;
  readonly reject?: ConversionReject;
}

/** Converts one record by the rules of a run. @throws ExportFault as the provider does */
export function convertRecord(
  record: ReadRecord,
  related: Related,
  { provider, rules }: { readonly provider: Provider; readonly rules: ConvertRules },
): ConvertedRecord {
  if (record.is === 'blank') return {};
  if (record.is === 'reject') return { reject: record.reason };
  const { row } = record;
  if (provider.tables[0]?.holds?.(row) === false || provider.isLeftOut?.(row, rules.options) === true)
    return {};
  const conversion = provider.convert(row, related, rules.options);
  if (!conversion.ok) return { reject: withSalt(conversion.reason, row) };
  const { externalUserId } = conversion.user;
  const id = prefixedId(externalUserId, rules.idPrefix);
  if (typeof id === 'object') return { reject: { ...id, externalUserId } };
  const found = described(conversion.user, row, rules.options);
  if ('reject' in found) return { reject: { ...found.reject, externalUserId } };
  const roles = rules.options[rolesOption];
  const stated = withTransforms(found.user, rules.options[passwordAsOption]);
  const own = roles === undefined ? stated : withRolesFrom(stated, row, roles);
  const user = inTenant(withId(own, id), rules.tenant);
  const line = JSON.stringify(user);
  if (Buffer.byteLength(line) <= lineBytesLimit)
    return { line, user, ...noteOf(found.note ?? conversion.note) };
  return {
    reject: {
      code: 'LINE_TOO_LONG',
      field: '',
      message: 'the converted user is larger than 1 MiB',
      externalUserId,
    },
  };
}

function noteOf(note: string | undefined): { readonly note?: string } {
  return note === undefined ? {} : { note };
}

function withId(user: NativeUser, externalUserId: string | undefined): NativeUser {
  return externalUserId === user.externalUserId
    ? user
    : { ...user, ...(externalUserId && { externalUserId }) };
}

function inTenant(user: NativeUser, tenant: string | undefined): NativeUser {
  if (tenant === undefined) return user;
  const tenantIds = [tenant];
  return {
    ...user,
    ...(user.userRoles && { userRoles: user.userRoles.map((role) => ({ tenantIds, ...role })) }),
    loginMethods: user.loginMethods.map((method) => ({ tenantIds, ...method })),
  };
}
