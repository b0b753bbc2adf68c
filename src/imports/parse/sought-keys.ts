import { arraysOf, type RowOf } from '../../domain/columns.ts';
import { asCoreId } from '../../domain/identity.ts';
import { soughtExternalColumns, soughtIdentityColumns } from '../../domain/user-columns.ts';
import type { BulkRecord, RecordKey } from '../record/parse-record.ts';
import { externalIdKind, keysOf, parseRecord } from '../record/parse-record.ts';
import type { KeysTask, PasswordsTask, PlainPassword } from '../tasks.ts';
import type { SoughtKeys } from './types.ts';

type SoughtIdentity = RowOf<typeof soughtIdentityColumns, undefined>;
type SoughtExternal = RowOf<typeof soughtExternalColumns, undefined>;

/** Collects the keys of records that are decided individually: the users who have them are looked up next. */
export class KeyColumns {
  readonly #identities: SoughtIdentity[] = [];
  readonly #externals: SoughtExternal[] = [];

  /** @param record its ordinal in the chunk */
  add(record: number, { externalUserId: externalId }: BulkRecord, keys: readonly RecordKey[]): void {
    for (const { kind, key, place, tenantNo } of keys) {
      if (kind !== externalIdKind) this.#identities.push({ record, method: place, tenantNo, kind, key });
      else if (externalId !== undefined)
        this.#externals.push({ record, externalId, externalKey: key, coreId: asCoreId(externalId) });
    }
  }

  columns(): SoughtKeys {
    return {
      identities: arraysOf(soughtIdentityColumns, this.#identities),
      externals: arraysOf(soughtExternalColumns, this.#externals),
    };
  }
}

/** The keys of single records. One that is invalid by these rules is skipped: the decision about it states why. */
export function soughtKeys({ records, rules }: KeysTask): SoughtKeys {
  const keys = new KeyColumns();
  for (const { record, text } of records) {
    const result = parseRecord(text, rules);
    if (result.ok) keys.add(record, result.record, keysOf(result.record));
  }
  return keys.columns();
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
