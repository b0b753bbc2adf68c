import { bulkOperations } from './bulk.ts';
import { httpOperations } from './http.ts';
import { leafOperations } from './leaves.ts';
import type { Operation } from './operation.ts';
import { passwordOperations } from './password.ts';
import { schemaOperations } from './schema.ts';
import { storeOperations } from './store.ts';

/** Of each part of src/ those in the file that is called as it. */
export const operationGroups: readonly (() => Operation[])[] = [
  leafOperations,
  schemaOperations,
  passwordOperations,
  httpOperations,
  storeOperations,
  bulkOperations,
];

export function allOperations(): Operation[] {
  return operationGroups.flatMap((group) => group());
}
