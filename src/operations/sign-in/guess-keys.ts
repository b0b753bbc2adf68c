import { hash } from 'node:crypto';
import type { GuessKeys } from '../ports/guesses.ts';

/** Half of SHA-256, so that keys have one length and contain no email. */
export function digest(account: string): string {
  return hash('sha256', account, 'base64url').slice(0, 22);
}

/** Keys of addresses begin with an @, which digests do not contain, so no address can be mistaken for a pair. */
export function pairOf(who: string, address: string | undefined): string {
  return address === undefined ? who : `${who} ${address}`;
}

export function addressKey(address: string): string {
  return `@${address}`;
}

function accountKey(who: string): string {
  return `#${who}`;
}

/** The keys of the same buckets in the database. */
export function keysOf(who: string, address: string | undefined): GuessKeys {
  return {
    pair: uuidOf(pairOf(who, address)),
    address: address === undefined ? undefined : uuidOf(addressKey(address)),
    account: uuidOf(accountKey(who)),
  };
}

/** The first half of SHA-256, as a column of type uuid takes it. */
function uuidOf(key: string): string {
  return hash('sha256', key, 'hex').slice(0, 32);
}
