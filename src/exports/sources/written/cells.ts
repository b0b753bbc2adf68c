/** Values of columns, in the texts that both servers take and give. */

import type { Cell } from '../../providers/database.ts';
import type { Dialect } from '../engines/engine.ts';
import { flagOf } from '../../providers/parts/fields.ts';

/** An email as it is compared; null: none. */
export const folded = (email: string | null): string => (email ?? '').trim().toLowerCase();

/** Empty for null, and for a column that is not there. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** PostgreSQL gives booleans, MySQL numbers or bits, each as a text. */
export function isTrue(value: unknown): boolean {
  return flagOf(value) === true;
}

/** Both servers take 1 for true; MySQL's bits only as a number. Times are in UTC and without a zone, as frameworks write them. */
export function parameterOf(cell: NonNullable<Cell>): string | number {
  if (typeof cell === 'string') return cell;
  if (typeof cell === 'boolean') return cell ? 1 : 0;
  if ('json' in cell) return JSON.stringify(cell.json);
  return cell.toISOString().slice(0, 19).replace('T', ' ');
}

/** What a column of a row that is there gets. @param parameter of the statement, with the cell's text */
export function assigned(
  { quote, merged }: Dialect,
  column: string,
  cell: NonNullable<Cell>,
  parameter: string,
): string {
  return typeof cell === 'object' && 'json' in cell ? merged(quote(column), parameter) : parameter;
}
