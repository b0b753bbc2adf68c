/** Values of columns, in the texts that both servers take and give. */

import type { Cell } from '../../providers/database.ts';

/** An email as it is compared; null: none. */
export const folded = (email: string | null): string => (email ?? '').trim().toLowerCase();

/** Empty for null, and for a column that is not there. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** PostgreSQL gives booleans, MySQL the text of a number. */
export function isTrue(value: unknown): boolean {
  return value === true || value === '1';
}

/** Both servers take 1 for true. Times are in UTC and without a zone, as frameworks write them. */
export function parameterOf(cell: NonNullable<Cell>): string {
  if (typeof cell === 'string') return cell;
  if (typeof cell === 'boolean') return cell ? '1' : '0';
  return cell.toISOString().slice(0, 19).replace('T', ' ');
}
