import { hash } from 'node:crypto';
import type { GuessKeys } from '../ports/guesses.ts';

/** Half of SHA-256: keys of one length, without the email of a user in them. */
export function digest(account: string): string {
  return hash('sha256', account, 'base64url').slice(0, 22);
}

/** No address, whatever it is called, can be mistaken for a pair: those begin with an @, and digests do not contain one. */
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
