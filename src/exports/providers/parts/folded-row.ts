/** Names of columns whose spelling depends on what mapped them: `userId`, `user_id`, `"userId"` and `USERID` are one. */

import { folded } from '../../fields/declare.ts';
import type { Sample } from '../provider.ts';

/** The folded names of a sample's first record: of its header row in CSV. */
export function namesOf({ format, columns, first }: Sample): ReadonlySet<string> {
  return new Set((format === 'csv' ? columns : Object.keys(first)).map(folded));
}

/** Whether `names` has every one of `wanted`. */
export function hasAll(names: ReadonlySet<string>, ...wanted: readonly string[]): boolean {
  return wanted.every((name) => names.has(name));
}
