/** From simple records to rows as the tables hold them, for a chunk whose users are expected to be all new. */

import { plainArray, textArray } from '../../domain/pg-array.ts';
import { jsonText } from '../../domain/columns.ts';
import { identityColumns, methodColumns, statedTexts } from '../../domain/user-columns.ts';
import { asCoreId } from '../../domain/identity.ts';
import { UserIds } from '../../domain/ids.ts';
import { CopyBytes, putUuid } from './copy-binary.ts';
import type { SimpleRow } from './columns.ts';
import type { JobRef } from '../model.ts';
import type { JobRules } from '../tasks.ts';
import { FactorSealer } from '../record/seal-factors.ts';
import { isFree } from '../record/parse-record.ts';
import type { FinishedRows } from './types.ts';

/** Each row begins with the app, and a user's with the job too. */
const usersColumns = 2 + Object.keys(methodColumns).length;
const identitiesColumns = 1 + Object.keys(identityColumns).length;
const bytesOfUuid = 16;
/** An identity's key and user id. */
const bytesOfPair = 2 * bytesOfUuid;
/** A row for COPY: five cells, each after its length. */
const bytesOfIdentity = 64;

interface Pair {
  readonly externalId: string;
  readonly email: string;
}

interface Details {
  /** The row's index. */
  readonly row: number;
  readonly metadata: string | undefined;
  readonly roles: string | undefined;
  readonly totpDevices: string | undefined;
  readonly restrictions: string | undefined;
}

/** Collects rows as bytes: what is held as text outlives its line, which costs the garbage collector more than writing it. */
export class RowFinisher {
  readonly #appNo: number;
  readonly #job = new DataView(new ArrayBuffer(bytesOfUuid));
  readonly #users: CopyBytes;
  readonly #ids: UserIds;
  readonly #kinds: number[] = [];
  readonly #tenantNos: number[] = [];
  #pairs: Uint8Array<ArrayBuffer>;
  #pairsView: DataView;
  readonly #coreIds: string[] = [];
  readonly #unverified: Pair[] = [];
  readonly #details: Details[] = [];
  /** The indexes of their rows. */
  readonly #primaries: number[] = [];

  readonly #factors: FactorSealer;

  /** @param expectedBytes the estimate from the chunk's lines */
  constructor(
    { appNo, id }: JobRef,
    { placeSecret, sealing }: Pick<JobRules, 'placeSecret' | 'sealing'>,
    expectedBytes: number,
  ) {
    this.#ids = new UserIds(placeSecret);
    this.#factors = new FactorSealer(sealing);
    this.#appNo = appNo;
    putUuid(id, new Uint8Array(this.#job.buffer), 0);
    this.#users = new CopyBytes(expectedBytes);
    this.#pairs = new Uint8Array(expectedBytes >> 2);
    this.#pairsView = new DataView(this.#pairs.buffer);
  }

  add(row: SimpleRow): void {
    const at = this.#kinds.length * bytesOfPair;
    if (at + bytesOfPair > this.#pairs.length) this.#enlarge();
    putUuid(row.identity.key, this.#pairs, at);
    this.#ids.put(row.method.timeJoined, this.#pairs, at + bytesOfUuid);
    this.#addUser(row, at + bytesOfUuid);
    this.#addRest(row);
    if (row.method.isPrimary) this.#primaries.push(this.#kinds.length);
    this.#kinds.push(row.identity.kind);
    this.#tenantNos.push(row.tenantNo);
  }

  parsed(): { readonly form: 'finished'; readonly rows: FinishedRows } {
    return { form: 'finished', rows: this.#rows() };
  }

  #rows(): FinishedRows {
    return {
      count: this.#kinds.length,
      users: this.#users.finish(),
      identities: this.#identities(),
      tenants: plainArray([...new Set(this.#tenantNos)], itself),
      coreIds: plainArray(this.#coreIds, itself),
      primaries: this.#primaries.map((row) => ({ row, head: this.#userId(row) })),
      unverified: {
        externalId: textArray(this.#unverified, ({ externalId }) => externalId),
        email: textArray(this.#unverified, ({ email }) => email),
      },
      details: {
        userId: plainArray(this.#details, ({ row }) => this.#userId(row)),
        metadata: textArray(this.#details, ({ metadata }) => metadata),
        roles: textArray(this.#details, ({ roles }) => roles),
        totpDevices: textArray(this.#details, ({ totpDevices }) => totpDevices),
        restrictions: textArray(this.#details, ({ restrictions }) => restrictions),
      },
    };
  }

  /** In the order of `methodColumns`, which a test checks. Unrolled, because most of a record's cost is here. */
  #addUser({ method, identity, record, base, lineMark }: SimpleRow, idAt: number): void {
    const users = this.#users;
    users.row(usersColumns);
    users.int32(this.#appNo);
    users.uuid(this.#job);
    users.int16(Math.min(identity.kind, 3));
    users.bool(method.isVerified);
    users.uuid(this.#pairsView, idAt);
    if (method.isPrimary) users.uuid(this.#pairsView, idAt);
    else users.null();
    users.int64(method.timeJoined);
    for (const key of statedTexts) users.text(method[key]);
    users.text(record.externalUserId);
    users.hex(base);
    if (lineMark === undefined) users.null();
    else users.int64(lineMark);
  }

  /** Values that a look into other tables has to confirm, and details. */
  #addRest({ record, method }: SimpleRow): void {
    const { externalUserId: externalId, metadata, roles, totpDevices, restrictions } = record;
    if (externalId !== undefined) {
      // The core's own ids are UUIDv7.
      const coreId = externalId.length === 36 && externalId[14] === '7' ? asCoreId(externalId) : undefined;
      if (coreId !== undefined) this.#coreIds.push(coreId);
      if (!method.isVerified && method.email !== undefined)
        this.#unverified.push({ externalId, email: method.email });
    }
    const hasDetails = metadata !== undefined || roles !== undefined || totpDevices !== undefined;
    if (!hasDetails && isFree(restrictions)) return;
    this.#details.push({
      row: this.#kinds.length,
      metadata: jsonText(metadata),
      roles: jsonText(roles),
      totpDevices: jsonText(this.#factors.seal(totpDevices)),
      restrictions: jsonText(restrictions),
    });
  }

  #identities(): Uint8Array<ArrayBuffer> {
    const identities = new CopyBytes(this.#kinds.length * bytesOfIdentity + 32);
    for (const n of this.#inOrder()) {
      identities.row(identitiesColumns);
      identities.int32(this.#appNo);
      identities.int32(this.#tenantNos[n] ?? 0);
      identities.int16(this.#kinds[n] ?? 0);
      identities.uuid(this.#pairsView, n * bytesOfPair);
      identities.uuid(this.#pairsView, n * bytesOfPair + bytesOfUuid);
    }
    return identities.finish();
  }

  /** 32 hexadecimal digits. */
  #userId(row: number): string {
    return Buffer.from(this.#pairs.buffer, row * bytesOfPair + bytesOfUuid, bytesOfUuid).toString('hex');
  }

  /**
   * Indexes of the rows by kind, key, tenant. Numbers sort far faster than anything compared by a function, so each is made of
   * the kind (2 bits), the key's first 32 bits and the index (19 bits: a chunk of 16 MiB has fewer rows); rows that are equal
   * otherwise keep their order.
   */
  #inOrder(): Uint32Array {
    const sorted = new Float64Array(this.#kinds.length);
    for (const [n, kind] of this.#kinds.entries())
      sorted[n] = ((kind - 1) * 2 ** 32 + this.#startOfKey(n)) * placesAtMost + n;
    sorted.sort();
    const places = Uint32Array.from(sorted, (number) => number % placesAtMost);
    for (let end = 1; end < places.length; end++) this.#sink(places, end);
    return places;
  }

  /** Moves the last of some indexes to its position among them: nearly always it is there already. */
  #sink(places: Uint32Array, last: number): void {
    for (let n = last; n > 0; n--) {
      const [before, here] = [places[n - 1] ?? 0, places[n] ?? 0];
      if (this.#compare(before, here) <= 0) return;
      places[n - 1] = here;
      places[n] = before;
    }
  }

  #compare(a: number, b: number): number {
    const kinds = (this.#kinds[a] ?? 0) - (this.#kinds[b] ?? 0);
    if (kinds !== 0) return kinds;
    for (let n = 0; n < bytesOfUuid; n++) {
      const bytes = (this.#pairs[a * bytesOfPair + n] ?? 0) - (this.#pairs[b * bytesOfPair + n] ?? 0);
      if (bytes !== 0) return bytes;
    }
    return (this.#tenantNos[a] ?? 0) - (this.#tenantNos[b] ?? 0);
  }

  #startOfKey(row: number): number {
    return this.#pairsView.getUint32(row * bytesOfPair);
  }

  #enlarge(): void {
    const larger = new Uint8Array(2 * this.#pairs.length + 1024 * bytesOfPair);
    larger.set(this.#pairs);
    this.#pairs = larger;
    this.#pairsView = new DataView(larger.buffer);
  }
}

const placesAtMost = 2 ** 19;

const itself = <Cell>(cell: Cell): Cell => cell;
