import type { SharedEmails } from '../../exports/emails/shared-emails.ts';
import { count } from './format.ts';

/** Emails of two users, for people: by numbers of records, without the emails. */
export function describeShared(shared: SharedEmails | undefined, unit: string): string[] {
  if (shared === undefined || shared.count === 0) return [];
  const { count: all, examples } = shared;
  const pairs = examples.map(
    ([record, earlier]) => `${unit} ${count(record)} (as ${unit} ${count(earlier)})`,
  );
  const rest = all > examples.length ? ` and ${count(all - examples.length)} more` : '';
  return [
    `  ${count(all)} ${all === 1 ? 'email belongs' : 'emails belong'} to two users, with login methods of two kinds: ${pairs.join(', ')}${rest}`,
    '    Both are imported. The owner of the email reaches either: merge the records at the source, or link them (docs/guide/rejects.md)',
  ];
}
