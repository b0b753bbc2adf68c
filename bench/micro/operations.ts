import { bulkOperations } from './bulk.ts';
import { httpOperations } from './http.ts';
import { leafOperations } from './leaves.ts';
import type { Operation } from './operation.ts';
import { passwordOperations } from './password.ts';
import { schemaOperations } from './schema.ts';
import { storeOperations } from './store.ts';

/** One function for each part of src/, in a file that is called as it. */
export function allOperations(): Operation[] {
  return [
    ...leafOperations(),
    ...schemaOperations(),
    ...passwordOperations(),
    ...httpOperations(),
    ...storeOperations(),
    ...bulkOperations(),
  ];
}
