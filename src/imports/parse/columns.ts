/** From checked records to the columns that the store receives. */

import type { PrimaryRow } from './primaries.ts';
import { arrayOf, type Column, type Columns, jsonText, mapColumns } from '../../domain/columns.ts';
import { comparedColumns, simpleColumns, statedTexts } from '../../domain/user-columns.ts';
import { UserIds } from '../../domain/ids.ts';
import type { PlaceSecret } from '../../domain/place.ts';
import type { BulkIdentity, BulkMethod, BulkRecord } from '../record/parse-record.ts';
import { FactorSealer } from '../record/seal-factors.ts';
import type { FactorSealing } from '../tasks.ts';
import type { ComparedRows, SimpleRows } from './types.ts';

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
  /** See line-mark.ts. */
  readonly lineMark: number | undefined;
}

type Cells<All extends Columns> = {
  readonly [Key in keyof All]: All[Key]['isNullable'] extends true
    ? (string | number | true | undefined)[]
    : (string | number | boolean)[];
};

/** Collects rows by column, for records that are expected to be unchanged. */
export class ComparedColumns {
  readonly #cells = cellsOf(comparedColumns);
  readonly #comparesHere: boolean;

  /** @param comparesHere also with what is stored, not only with what was stated last: then metadata is sent, too */
  constructor(comparesHere: boolean) {
    this.#comparesHere = comparesHere;
  }

  add(row: SimpleRow): void {
    addCompared(this.#cells, row);
    this.#cells.metadata.push(this.#comparesHere ? jsonText(row.record.metadata) : undefined);
  }

  parsed(): { readonly form: 'compared'; readonly rows: ComparedRows } {
    const rows = { count: this.#cells.line.length, ...arraysOfCells(comparedColumns, this.#cells) };
    return { form: 'compared', rows };
  }
}

/**
 * Collects rows by column. Only their texts are held, not the records: the garbage collector copies what outlives a line, which
 * took 2.1 µs a record with whole records and takes 1.4 without.
 */
export class SimpleColumns {
  readonly #ids: UserIds;
  readonly #cells = cellsOf(simpleColumns);
  readonly #primaries: PrimaryRow[] = [];
  readonly #factors: FactorSealer;

  constructor(secret: PlaceSecret, sealing: FactorSealing | undefined) {
    this.#ids = new UserIds(secret);
    this.#factors = new FactorSealer(sealing);
  }

  add(row: SimpleRow): void {
    const cells = this.#cells;
    const { record, method, identity, lineMark } = row;
    addCompared(cells, row);
    const userId = this.#ids.next(method.timeJoined, identity.key);
    if (method.isPrimary)
      this.#primaries.push({ row: cells.userId.length, head: userId.replaceAll('-', '') });
    cells.userId.push(userId);
    cells.timeJoined.push(method.timeJoined);
    cells.isVerified.push(method.isVerified);
    for (const key of statedTexts) cells[key].push(method[key]);
    cells.isPrimary.push(method.isPrimary || undefined);
    cells.metadata.push(jsonText(record.metadata));
    cells.roles.push(jsonText(record.roles));
    cells.totpDevices.push(jsonText(this.#factors.seal(record.totpDevices)));
    cells.lineMark.push(lineMark);
  }

  parsed(): { readonly form: 'columns'; readonly rows: SimpleRows } {
    const rows = {
      count: this.#cells.line.length,
      primaries: this.#primaries,
      tenants: arrayOf(simpleColumns.tenantNo, [...new Set(this.#cells.tenantNo)]),
      ...arraysOfCells(simpleColumns, this.#cells),
    };
    return { form: 'columns', rows };
  }
}

function addCompared(
  cells: Omit<Cells<typeof comparedColumns>, 'metadata'>,
  { line, record, tenantNo, identity, base }: SimpleRow,
): void {
  cells.line.push(line);
  cells.tenantNo.push(tenantNo);
  cells.kind.push(identity.kind);
  cells.key.push(identity.key);
  cells.externalId.push(record.externalUserId);
  cells.restrictions.push(jsonText(record.restrictions));
  cells.base.push(base);
}

function cellsOf<All extends Columns>(columns: All): Cells<All> {
  return mapColumns(columns, () => []);
}

function arraysOfCells<All extends Columns>(
  columns: All,
  cells: Cells<All>,
): { readonly [Key in keyof All]: Column } {
  return mapColumns(columns, (form, key) => arrayOf(form, cells[key]));
}
