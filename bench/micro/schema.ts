import { parseBody } from '../../src/schema/validate.ts';
import { recordForm } from '../../src/schema/record-faults.ts';
import { bcryptHash, nativeLine } from './samples.ts';
import type { Operation } from './operation.ts';

/** Normalising and validating: JSON is parsed beforehand, except for a record, whose check changes it in place. */
export function schemaOperations(): Operation[] {
  const importBody = {
    email: ' Ada.Lovelace@Example.com ',
    passwordHash: bcryptHash,
    hashingAlgorithm: 'BCRYPT',
  };
  const signInBody = { email: 'Ada.Lovelace@example.com', password: 'correct horse battery staple' };
  const line = nativeLine(1);
  const faultOfUser = recordForm('bulkUser');
  return [
    { name: 'schema/importPasswordHash', run: () => parseBody('importPasswordHash', importBody, false) },
    { name: 'schema/signIn', run: () => parseBody('signIn', signInBody, false) },
    {
      name: 'schema/bulk record with JSON.parse',
      run: () => {
        const record = JSON.parse(line) as Record<string, unknown>;
        return faultOfUser(record) ?? record;
      },
    },
  ];
}
