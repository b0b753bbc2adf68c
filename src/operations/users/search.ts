import { Refusal } from '../../domain/errors.ts';
import type { ListUsersQuery } from '../../schema/requests.ts';
import type { UserSearch, UserStore } from '../ports/ports.ts';

/** What each is searched by, with `;` between several beginnings. */
export const searchTags = ['email', 'phone', 'provider'] as const;

/** Of all tags together: each is compared with every user. */
const mostTexts = 100;
/** Walks through users at the same time: each keeps a connection busy. */
const mostWalks = 4;

type Sought = Pick<UserSearch, 'emails' | 'phones' | 'providers'>;

/**
 * @returns undefined where nothing is searched for
 * @throws Refusal INVALID_QUERY_PARAMETER when it is for too much at once
 */
export function soughtBy({ email, phone, provider }: ListUsersQuery): Sought | undefined {
  const [emails, phones, providers] = [textsIn(email), phonesIn(phone), textsIn(provider)];
  const count = [emails, phones, providers].reduce((sum, texts) => sum + texts.length, 0);
  if (count === 0) return undefined;
  if (count > mostTexts)
    throw new Refusal(
      'INVALID_QUERY_PARAMETER',
      `'email', 'phone' and 'provider' hold ${count} texts in a GET request: search for at most ${mostTexts} at once`,
    );
  return {
    ...(emails.length > 0 && { emails }),
    ...(phones.length > 0 && { phones }),
    ...(providers.length > 0 && { providers }),
  };
}

function textsIn(list: string | undefined): string[] {
  const texts = (list ?? '').split(';').map((text) => text.trim().toLowerCase().normalize('NFC'));
  return [...new Set(texts.filter((text) => text !== ''))];
}

/** Stored in E.164; the beginning of a number is not one yet, so what people write between its digits is left out. */
function phonesIn(list: string | undefined): string[] {
  const bare = (text: string) => (text.startsWith('+') ? text.replaceAll(/\(0\)|[\s()./-]/g, '') : text);
  return [...new Set(textsIn(list).map(bare))];
}

/** Runs a bounded number of searches at the same time, and refuses the others. */
export function boundedSearch(users: Pick<UserStore, 'searchUsers'>): UserStore['searchUsers'] {
  let walks = 0;
  return async (search, signal) => {
    if (walks >= mostWalks) throw new Refusal('OVERLOADED', undefined, { retryAfterSeconds: 1 });
    walks++;
    try {
      return await users.searchUsers(search, signal);
    } finally {
      walks--;
    }
  };
}
