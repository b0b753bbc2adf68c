import { UserIds } from '../../src/domain/ids.ts';
import { identityKey } from '../../src/domain/identity.ts';
import { pick, type Operation } from './operation.ts';

/** The leaves that every new user passes. */
export function leafOperations(): Operation[] {
  const ids = new UserIds({ low: 1, high: 2 });
  const timeJoined = Date.UTC(2026, 0, 1);
  const emails = Array.from({ length: 1024 }, (_, n) => `user-${n}@example.com`);
  const keys = emails.map((email) => identityKey(email));
  return [
    { name: 'ids/UUIDv7', run: (n) => ids.next(timeJoined + n, pick(keys, n)) },
    { name: 'identity/key', run: (n) => identityKey(pick(emails, n)) },
  ];
}
