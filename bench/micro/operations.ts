import { bulkOperations } from './bulk.ts';
import { httpOperations } from './http.ts';
import { type Operation, pick } from './operation.ts';
import { passwordOperations } from './password.ts';
import { bcryptHash, nativeLine } from './samples.ts';
import { storeOperations } from './store.ts';
import { identityKey } from '../../src/domain/identity.ts';
import { UserIds } from '../../src/domain/ids.ts';
import { recordForm } from '../../src/schema/validate.ts';
import { inBody } from '../../src/schema/validate.ts';

/** For each part of src/ those in the file of the same name. */
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

/** The functions that run for every new user. */
function leafOperations(): Operation[] {
  const ids = new UserIds({ low: 1, high: 2 });
  const timeJoined = Date.UTC(2026, 0, 1);
  const emails = Array.from({ length: 1024 }, (_, n) => `user-${n}@example.com`);
  const keys = emails.map((email) => identityKey(email));
  return [
    { name: 'ids/UUIDv7', run: (n) => ids.next(timeJoined + n, pick(keys, n)) },
    { name: 'identity/key', run: (n) => identityKey(pick(emails, n)) },
  ];
}

/** Normalising and validating: JSON is parsed beforehand, except for a record, whose check changes it in place. */
function schemaOperations(): Operation[] {
  const importBody = {
    email: ' Ada.Lovelace@Example.com ',
    passwordHash: bcryptHash,
    hashingAlgorithm: 'BCRYPT',
  };
  const signInBody = { email: 'Ada.Lovelace@example.com', password: 'correct horse battery staple' };
  const line = nativeLine(1);
  const faultOfUser = recordForm('bulkUser');
  return [
    {
      name: 'schema/importPasswordHash',
      run: () => inBody.importPasswordHash.parse(importBody, { escaped: false }),
    },
    { name: 'schema/signIn', run: () => inBody.signIn.parse(signInBody, { escaped: false }) },
    {
      name: 'schema/bulk record with JSON.parse',
      run: () => {
        const record = JSON.parse(line) as Record<string, unknown>;
        return faultOfUser(record) ?? record;
      },
    },
  ];
}
