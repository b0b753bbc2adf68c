/** From checked records to the columns that the store is handed. */

import { plainArray, textArray } from '../../domain/pg-array.ts';
import { UserIds } from '../../domain/ids.ts';
import type { PlaceSecret } from '../../domain/place.ts';
import type { BulkIdentity, BulkMethod, BulkRecord } from '../record/parse-record.ts';
import type { Column, ComparedRows, SimpleRows } from './types.ts';

/** A record of one login method in one tenant with one key. */
export interface SimpleRow {
  /** Physical line within the chunk, from 1. */
  readonly line: number;
  readonly record: BulkRecord;
  readonly method: BulkMethod;
  readonly tenantNo: number;
  readonly identity: BulkIdentity;
  /** See base.ts. */
  readonly base: string;
}

type Cells = (string | undefined)[];

/** Gathers rows by column, for what is expected to be unchanged. */
export class ComparedColumns {
  #count = 0;
  readonly #line: number[] = [];
  readonly #tenantNo: number[] = [];
  readonly #kind: number[] = [];
  readonly #key: string[] = [];
  readonly #externalId: Cells = [];
  readonly #restrictions: Cells = [];
  readonly #base: string[] = [];

  add({ line, record, tenantNo, identity, base }: SimpleRow): void {
    this.#count++;
    this.#line.push(line);
    this.#tenantNo.push(tenantNo);
    this.#kind.push(identity.kind);
    this.#key.push(identity.key);
    this.#externalId.push(record.externalUserId);
    this.#restrictions.push(jsonText(record.restrictions));
    this.#base.push(base);
  }

  rows(): ComparedRows {
    return {
      count: this.#count,
      line: dense(this.#line),
      tenantNo: dense(this.#tenantNo),
      kind: dense(this.#kind),
      key: dense(this.#key),
      externalId: sparse(this.#externalId),
      restrictions: sparse(this.#restrictions),
      base: dense(this.#base),
    };
  }

  tenants(): Column {
    return dense([...new Set(this.#tenantNo)]);
  }
}

/**
 * Gathers rows by column. Only their texts are kept, not the records: the garbage collector copies what outlives a line,
 * which took 2.1 µs a record with whole records and takes 1.4 without.
 */
export class SimpleColumns {
  readonly #ids: UserIds;
  readonly #compared = new ComparedColumns();
  readonly #userId: string[] = [];
  readonly #timeJoined: number[] = [];
  readonly #verified: string[] = [];
  readonly #email: Cells = [];
  readonly #passwordHash: Cells = [];
  readonly #thirdPartyId: Cells = [];
  readonly #thirdPartyUserId: Cells = [];
  readonly #phone: Cells = [];
  readonly #isPrimary: Cells = [];
  readonly #metadata: Cells = [];
  readonly #roles: Cells = [];
  readonly #totpDevices: Cells = [];

  constructor(secret: PlaceSecret) {
    this.#ids = new UserIds(secret);
  }

  add(row: SimpleRow): void {
    const { record, method, identity } = row;
    this.#compared.add(row);
    this.#userId.push(this.#ids.next(method.timeJoined, identity.key));
    this.#timeJoined.push(method.timeJoined);
    this.#verified.push(method.isVerified ? 't' : 'f');
    this.#email.push(method.email);
    this.#passwordHash.push(method.passwordHash);
    this.#thirdPartyId.push(method.thirdPartyId);
    this.#thirdPartyUserId.push(method.thirdPartyUserId);
    this.#phone.push(method.phoneNumber);
    this.#isPrimary.push(method.isPrimary ? 't' : undefined);
    this.#metadata.push(jsonText(record.metadata));
    this.#roles.push(jsonText(record.roles));
    this.#totpDevices.push(jsonText(record.totpDevices));
  }

  rows(): SimpleRows {
    return {
      ...this.#compared.rows(),
      tenants: this.#compared.tenants(),
      userId: dense(this.#userId),
      timeJoined: dense(this.#timeJoined),
      verified: dense(this.#verified),
      email: sparse(this.#email),
      passwordHash: sparse(this.#passwordHash),
      thirdPartyId: sparse(this.#thirdPartyId),
      thirdPartyUserId: sparse(this.#thirdPartyUserId),
      phone: sparse(this.#phone),
      isPrimary: sparse(this.#isPrimary, plainArray),
      metadata: sparse(this.#metadata),
      roles: sparse(this.#roles),
      totpDevices: sparse(this.#totpDevices),
    };
  }
}

const itself = <Cell>(cell: Cell): Cell => cell;

/** Of cells that need no quoting and are all there. */
function dense(cells: readonly (string | number)[]): Column {
  return `{${cells.join(',')}}`;
}

function sparse(cells: Readonly<Cells>, encode?: typeof textArray): Column {
  return sparseColumn(cells, itself, encode);
}

/** `{}` when every cell is NULL: most records leave most columns empty. */
export function sparseColumn<Row>(
  rows: readonly Row[],
  cell: (row: Row) => string | undefined,
  encode: typeof textArray = textArray,
): Column {
  return rows.some((row) => cell(row) !== undefined) ? encode(rows, cell) : '{}';
}

/** As it is stored; undefined where the record states nothing. */
export function jsonText(value: object | undefined): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}
