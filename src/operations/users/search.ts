import { Refusal } from '../../domain/errors.ts';
import type { ListUsersQuery } from '../../schema/requests.ts';
import type { UserSearch, UserStore } from '../ports/ports.ts';

/** Prefixes to search for, separated by `;`. */
export const searchTags = ['email', 'phone', 'provider'] as const;

/** Of all tags together, because each is compared with every user. */
const mostTexts = 100;
/** Concurrent searches; each occupies a connection. */
const mostWalks = 4;

type Sought = Pick<UserSearch, 'emails' | 'phones' | 'providers'>;

/**
 * @returns undefined if nothing is searched for
 * @throws Refusal INVALID_QUERY_PARAMETER for too many tags
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

/** Numbers are stored in E.164. A prefix cannot be parsed as a number, so separators are removed. */
function phonesIn(list: string | undefined): string[] {
  const bare = (text: string) => (text.startsWith('+') ? text.replaceAll(/\(0\)|[\s()./-]/g, '') : text);
  return [...new Set(textsIn(list).map(bare))];
}

/** Limits concurrent searches and refuses further ones. */
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
