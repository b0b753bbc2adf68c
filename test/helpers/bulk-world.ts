/** A database in memory for single records: the users of keys, and the effects of changes on them. */
import { expect } from 'vitest';
import { readBase, statesKey } from '../../src/imports/parse/base.ts';
import { decide } from '../../src/imports/decide/decide.ts';
import { type StatedTexts, statedTexts } from '../../src/domain/user-columns.ts';
import { asCoreId, identityKey, identityKind, thirdPartyKey } from '../../src/domain/identity.ts';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import { parseRecord } from '../../src/imports/record/parse-record.ts';
import type { BulkMethod } from '../../src/imports/record/parse-record.ts';
import type {
  ChunkChanges,
  ClaimOfChunk,
  Column,
  Decided,
  HeldMethod,
  Holders,
  SingleRecord,
} from '../../src/imports/parse/types.ts';
import type { JobRules } from '../../src/imports/tasks.ts';
import { defaultLimits } from './hash-limits.ts';

export const tenants = { public: 0, acme: 1, globex: 2 };

export function rulesOf(rules: Partial<JobRules> = {}): JobRules {
  return {
    tenants,
    limits: defaultLimits,
    signerKey: undefined,
    pepper: undefined,
    allowPlainText: true,
    placeSecret: { low: 1, high: 2 },
    onConflict: 'update',
    dryRun: false,
    secondFactor: 'flag',
    now: 2_000_000_000_000,
    ...rules,
  };
}

/** The id of an existing login method: the same for the same number. */
export function heldId(number: number): string {
  return `0190a000-0000-7000-8000-${String(number).padStart(12, '0')}`;
}

const noTexts = Object.fromEntries(statedTexts.map((key) => [key, null])) as Record<keyof StatedTexts, null>;

/** An existing login method; by default unlinked, with a password, in the public tenant, of no job. */
export function heldMethod(number: number, method: Partial<HeldMethod> = {}): HeldMethod {
  return {
    userId: heldId(number),
    primaryUserId: null,
    recipe: 1,
    ...noTexts,
    isVerified: false,
    upgradedFrom: null,
    upgradedAt: null,
    writtenMarks: null,
    isSetInMove: false,
    passwordSetAt: null,
    resetAt: null,
    base: null,
    lineMark: null,
    timeJoined: 1000,
    externalId: null,
    tenants: [0],
    isOfThisJob: false,
    unchangedAtLine: null,
    metadata: null,
    restrictions: null,
    roles: null,
    totpDevices: null,
    ...method,
  };
}

type Row = Readonly<Record<string, string | null>>;

/** The rows of columns, cells as texts. */
export function rowsOf(columns: Readonly<Record<string, Column | number>>): Row[] {
  const { count, ...rest } = columns;
  const cells = Object.entries(rest).map(([name, column]) => [name, cellsOf(String(column))] as const);
  for (const [name, each] of cells)
    if (each.length !== 0 && each.length !== count)
      throw new Error(`${name} has ${each.length} cells of ${String(count)}`);
  return Array.from({ length: Number(count) }, (_, row) =>
    Object.fromEntries(cells.map(([name, each]) => [name, each[row] ?? null])),
  );
}

function cellsOf(column: Column): (string | null)[] {
  // Without expect: histories call this half a million times.
  if (!/^\{[^]*\}$/.test(column)) throw new Error(`no array: ${column}`);
  const cells = column.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,"]+)/gs);
  return Array.from(cells, ([, quoted, plain = '']) => {
    if (quoted !== undefined) return quoted.replace(/\\(.)/gs, '$1');
    return plain === 'NULL' ? null : plain;
  });
}

type Change = 'users' | 'identities' | 'updates' | 'removedIdentities' | 'details';

/** The rows of all changes, without cells that are NULL, and without bases: users whose bases alone change have no row. */
export function changesOf(decided: Decided): Record<Change, Record<string, string>[]> {
  const { users, identities, updates, removedIdentities, details } = decided.changes;
  const { created, updated } = decided.counts;
  const compact = (columns: object): Record<string, string>[] =>
    rowsOf(columns as Record<string, Column>).map(
      (row) =>
        Object.fromEntries(
          Object.entries(row).filter(([name, cell]) => cell !== null && name !== 'base'),
        ) as Record<string, string>,
    );
  return {
    users: compact(users),
    identities: compact(identities),
    updates: created + updated === 0 ? [] : compact(updates),
    removedIdentities: compact(removedIdentities),
    details: compact(details),
  };
}

/** By login method: its new base. */
export function basesOf({ changes }: Decided): Map<string, string | null> {
  const rows = [...rowsOf({ ...changes.users }), ...rowsOf({ ...changes.updates })];
  return new Map(rows.map(({ userId, base }) => [String(userId), base ?? null]));
}

interface Identity {
  readonly tenantNo: number;
  readonly kind: number;
  readonly key: string;
}

/** The store's actions between `find` and `change`, one job after the other. */
export class World {
  readonly methods = new Map<string, HeldMethod>();
  /** Ids of login methods by their look-up keys. */
  readonly identities = new Map<string, string>();
  /** The same for identities that were changed here, or are stated and not applied. */
  readonly former = new Map<string, string>();
  readonly claims = new Set<string>();
  tenantNos: readonly number[] = Object.values(tenants);

  constructor(methods: readonly HeldMethod[] = []) {
    for (const method of methods) {
      this.methods.set(method.userId, method);
      for (const { kind, key } of identitiesOf(method))
        for (const tenantNo of method.tenants)
          this.identities.set(placeOf({ kind, key, tenantNo }), method.userId);
    }
  }

  /** Decides records, numbered from `firstLine` on, as one task. */
  decide(records: readonly NativeUser[], rules: Partial<JobRules> = {}, firstLine = 1): Decided {
    const singles = records.map((record, ordinal) => single(record, ordinal, firstLine + ordinal));
    return this.decideSingles(singles, rulesOf(rules));
  }

  decideSingles(records: readonly SingleRecord[], rules: JobRules): Decided {
    return decide({ type: 'decide', records, rules, holders: this.holders(records, rules) });
  }

  /** Offers records again while any is deferred, and writes the decisions. */
  import(records: readonly NativeUser[], rules: Partial<JobRules> = {}): Decided[] {
    const singles = records.map((record, ordinal) => single(record, ordinal, 1 + ordinal));
    const rounds: Decided[] = [];
    for (let left = singles; left.length > 0;) {
      const decided = this.decideSingles(left, rulesOf(rules));
      expect(decided.deferred.length).toBeLessThan(left.length);
      this.write(decided);
      left = left.filter(({ record }) => decided.deferred.includes(record));
      rounds.push(decided);
    }
    return rounds;
  }

  write({ changes, claims }: Decided): void {
    this.#part(changes);
    this.#update(changes);
    for (const row of rowsOf({ ...changes.removedIdentities }))
      if (this.identities.get(placeOfRow(row)) === row.userId) this.identities.delete(placeOfRow(row));
    for (const row of rowsOf({ ...changes.formerIdentities }))
      this.former.set(placeOfRow(row), String(row.userId));
    for (const row of rowsOf({ ...changes.identities })) {
      expect(this.identities.has(placeOfRow(row)), 'an identity is written that somebody has').toBe(false);
      this.identities.set(placeOfRow(row), String(row.userId));
    }
    this.#create(changes);
    for (const { kind, key, tenantNo } of claims) this.claims.add(placeOf({ kind, key, tenantNo }));
    this.#refreshTenants();
  }

  /** As a request changes a login method here: its identities follow, and those that an import stated still lead to it. */
  change(id: string, change: Partial<HeldMethod>): void {
    const method = { ...this.#require(id), ...change };
    for (const [place, userId] of this.identities) {
      if (userId !== id) continue;
      this.identities.delete(place);
      this.former.set(place, id);
    }
    this.methods.set(id, method);
    this.#identify(method);
  }

  /** A user who signed up here without an import. */
  add(method: Partial<HeldMethod>): HeldMethod {
    const added = heldMethod(1000 + this.methods.size, method);
    this.methods.set(added.userId, added);
    this.#identify(added);
    return added;
  }

  #identify(method: HeldMethod): void {
    for (const { kind, key } of identitiesOf(method))
      for (const tenantNo of method.tenants)
        this.identities.set(placeOf({ kind, key, tenantNo }), method.userId);
  }

  /** The job is over: a later one is another. */
  endJob(): void {
    this.claims.clear();
    for (const [id, method] of this.methods) this.methods.set(id, { ...method, isOfThisJob: false });
  }

  holders(records: readonly SingleRecord[], rules: JobRules): Holders {
    const identities: Holders['identities'][number][] = [];
    const externals: Holders['externals'][number][] = [];
    for (const { record, text } of records) {
      const result = parseRecord(text, rules);
      if (!result.ok) continue;
      const { externalUserId, methods } = result.record;
      methods.forEach((each, method) => {
        for (const key of keysOf(each)) {
          const userId = this.identities.get(placeOf(key)) ?? null;
          const isClaimed = this.claims.has(placeOf(key));
          const formerId = this.#former(key);
          const { tenantNo, kind } = key;
          if (userId !== null || formerId !== null || isClaimed)
            identities.push({ record, method, tenantNo, kind, userId, formerId, isClaimed });
        }
      });
      if (externalUserId !== undefined) externals.push(this.#external(record, externalUserId));
    }
    return {
      identities,
      externals,
      methods: this.#wholeUsers([
        ...identities,
        ...externals,
        ...identities.map(({ formerId }) => ({ userId: formerId })),
      ]),
      tenants: this.tenantNos,
    };
  }

  #former(key: Identity): string | null {
    const method = this.methods.get(this.former.get(placeOf(key)) ?? '');
    return method && statesKey(readBase(method.base), key) ? method.userId : null;
  }

  #external(record: number, id: string): Holders['externals'][number] {
    const holder = [...this.methods.values()].find(({ externalId }) => externalId === id);
    return {
      record,
      userId: holder?.userId ?? null,
      isCoreId: this.methods.has(asCoreId(id) ?? ''),
      isClaimed: this.claims.has(placeOf({ kind: 5, key: identityKey(id), tenantNo: 0 })),
    };
  }

  #wholeUsers(holders: readonly { readonly userId: string | null }[]): HeldMethod[] {
    const heads = new Set(holders.flatMap(({ userId }) => headOf(this.methods.get(userId ?? '')) ?? []));
    return [...this.methods.values()]
      .filter((method) => heads.has(headOf(method) ?? ''))
      .sort((a, b) => (a.userId < b.userId ? -1 : 1));
  }

  #part({ takenOver }: ChunkChanges): void {
    for (const { parted, methods } of takenOver) {
      for (const id of parted) this.methods.set(id, { ...this.#require(id), primaryUserId: null });
      const nothing = { metadata: null, roles: null, totpDevices: null };
      for (const id of methods) this.methods.set(id, { ...this.#require(id), ...nothing });
    }
  }

  #update({ updates }: ChunkChanges): void {
    for (const row of rowsOf({ ...updates })) {
      const { userId, isVerified, email, passwordHash, thirdPartyUserId, phone, externalId, primaryUserId } =
        row;
      const { base } = row;
      const method = this.#require(userId);
      const change = { email, passwordHash, thirdPartyUserId, phone, externalId, primaryUserId, base };
      this.methods.set(method.userId, { ...method, ...(change as object), isVerified: isVerified === 't' });
    }
  }

  #create({ users, details }: ChunkChanges): void {
    for (const row of rowsOf({ ...users })) {
      const { recipe, isVerified, timeJoined, ...rest } = row;
      expect(this.methods.has(String(row.userId))).toBe(false);
      const numbers = {
        recipe: Number(recipe),
        timeJoined: Number(timeJoined),
        isVerified: isVerified === 't',
      };
      this.methods.set(String(row.userId), {
        ...heldMethod(0),
        ...(rest as object),
        ...numbers,
        isOfThisJob: true,
      });
    }
    for (const { userId, metadata, roles, totpDevices, restrictions } of rowsOf({ ...details })) {
      const parsed = {
        metadata: parse(metadata),
        roles: parse(roles),
        totpDevices: parse(totpDevices),
        restrictions: parse(restrictions) as HeldMethod['restrictions'],
      };
      this.methods.set(String(userId), { ...this.#require(userId), ...parsed });
    }
  }

  #require(id: string | null | undefined): HeldMethod {
    const method = this.methods.get(id ?? '');
    if (!method) throw new Error(`nobody has the id ${String(id)}`);
    return method;
  }

  #refreshTenants(): void {
    const found = new Map<string, Set<number>>();
    for (const [place, id] of this.identities)
      found.set(id, (found.get(id) ?? new Set()).add(Number(place.split(' ')[0])));
    for (const [id, method] of this.methods)
      this.methods.set(id, { ...method, tenants: [...(found.get(id) ?? [])].sort((a, b) => a - b) });
  }
}

function parse(json: string | null | undefined): unknown {
  return json === null || json === undefined ? null : JSON.parse(json);
}

function headOf(method: HeldMethod | undefined): string | undefined {
  return method && (method.primaryUserId ?? method.userId);
}

/** Hashes that a pool would have made of the record's plain-text passwords. */
export function single(record: NativeUser, ordinal: number, line: number): SingleRecord {
  const hashes = record.loginMethods.flatMap((method, place) =>
    'plainTextPassword' in method ? [[place, madeHash] as const] : [],
  );
  const text = JSON.stringify(record);
  return { record: ordinal, line, text, ...(hashes.length > 0 && { hashes: Object.fromEntries(hashes) }) };
}

export const madeHash =
  '$argon2id$v=19$m=19456,t=2,p=1$AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8';

export function keysOf({ identities, tenantNos }: BulkMethod): Identity[] {
  return tenantNos.flatMap((tenantNo) => identities.map(({ kind, key }) => ({ kind, key, tenantNo })));
}

/** All keys of a record, as `claims` has them except for the line. */
export function claimsOf(record: NativeUser): Omit<ClaimOfChunk, 'line' | 'digest'>[] {
  const result = parseRecord(JSON.stringify(record), rulesOf());
  if (!result.ok) throw new Error(result.reject.message);
  const { externalUserId, methods } = result.record;
  const external =
    externalUserId === undefined ? [] : [{ kind: 5, key: identityKey(externalUserId), tenantNo: 0 }];
  return [...external, ...methods.flatMap(keysOf)];
}

export function identitiesOf(method: HeldMethod): { kind: number; key: string }[] {
  const { recipe, email, phone, thirdPartyId, thirdPartyUserId } = method;
  if (recipe === 2)
    return [
      { kind: identityKind.thirdParty, key: thirdPartyKey(thirdPartyId ?? '', thirdPartyUserId ?? '') },
    ];
  return [
    ...(email === null ? [] : [{ kind: recipe, key: identityKey(email) }]),
    ...(phone === null ? [] : [{ kind: identityKind.passwordlessPhone, key: identityKey(phone) }]),
  ];
}

export function placeOf({ tenantNo, kind, key }: Identity): string {
  return `${tenantNo} ${kind} ${key}`;
}

function placeOfRow({ tenantNo, kind, key }: Row): string {
  return `${tenantNo} ${kind} ${key}`;
}
