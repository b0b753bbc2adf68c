import type { KeysTask, PasswordsTask, PlainPassword, RecordRules } from '../tasks.ts';
import { plainArray, textArray } from '../../domain/pg-array.ts';
import { asCoreId } from '../../domain/identity.ts';
import { sparseColumn } from './columns.ts';
import { externalIdKind, keysOf, parseRecord } from '../record/parse-record.ts';
import type { RecordKey } from '../record/parse-record.ts';
import type { SingleRecord, SoughtKeys } from './types.ts';

interface SoughtIdentity extends RecordKey {
  readonly record: number;
}

interface SoughtExternal {
  readonly record: number;
  readonly externalId: string;
  readonly key: string;
}

/** The keys of records that are looked at one by one: who holds them is asked next. */
export function soughtKeys({ records, rules }: KeysTask): SoughtKeys {
  const identities: SoughtIdentity[] = [];
  const externals: SoughtExternal[] = [];
  for (const single of records) gather(single, rules, identities, externals);
  return {
    identities: {
      record: plainArray(identities, ({ record }) => record),
      method: plainArray(identities, ({ place }) => place),
      tenantNo: plainArray(identities, ({ tenantNo }) => tenantNo),
      kind: plainArray(identities, ({ kind }) => kind),
      key: plainArray(identities, ({ key }) => key),
    },
    externals: {
      record: plainArray(externals, ({ record }) => record),
      externalId: textArray(externals, ({ externalId }) => externalId),
      externalKey: plainArray(externals, ({ key }) => key),
      coreId: sparseColumn(externals, ({ externalId }) => asCoreId(externalId), plainArray),
    },
  };
}

/** A record that is not valid by these rules is passed over: whoever decides about it says why. */
function gather(
  { record, text }: SingleRecord,
  rules: RecordRules,
  identities: SoughtIdentity[],
  externals: SoughtExternal[],
): void {
  const result = parseRecord(text, rules);
  if (!result.ok) return;
  const externalId = result.record.externalUserId;
  for (const key of keysOf(result.record)) {
    if (key.kind !== externalIdKind) identities.push({ ...key, record });
    else if (externalId !== undefined) externals.push({ record, externalId, key: key.key });
  }
}

/** The plain-text passwords of records that were found valid before. */
export function plainPasswords({ records }: PasswordsTask): readonly PlainPassword[] {
  return records.flatMap(({ record, text }) => {
    const { loginMethods } = JSON.parse(text) as {
      readonly loginMethods: readonly { readonly plainTextPassword?: string }[];
    };
    return loginMethods.flatMap(({ plainTextPassword: password }, method) =>
      password === undefined ? [] : [{ record, method, password }],
    );
  });
}
