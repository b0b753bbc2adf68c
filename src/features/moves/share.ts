import { createHmac } from 'node:crypto';
import type { Move, Standing } from './model.ts';

const percent = 100;
/** Digits of the digest that are compared: 48 bits, which a number holds. */
const digits = 12;

/**
 * Whether a person is in the share. A person who is in stays in as the share grows, on every core, and a move has a key of its
 * own, so no client can choose an email that is in.
 * @param person see people.ts
 */
export function isInShare({ share, shareKey }: Pick<Move, 'share' | 'shareKey'>, person: string): boolean {
  if (share === 0 || share === percent) return share === percent;
  const digest = createHmac('sha256', shareKey).update(person).digest('hex').slice(0, digits);
  return (Number.parseInt(digest, 16) / 16 ** digits) * percent < share;
}

/** Whether every person gets the same answer. */
export function isForAll({ share }: Standing): boolean {
  return share === 0 || share === percent;
}
