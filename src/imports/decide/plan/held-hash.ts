import { hashMark } from '../../../domain/digests.ts';
import type { HeldMethod } from '../../parse/types.ts';

/** Whether a login method has the stated hash, or one that a sign-in has made of it. */
export function hasHash({ passwordHash, upgradedFrom }: HeldMethod, stated: string): boolean {
  return passwordHash === stated || (upgradedFrom !== null && hashMark(stated) === upgradedFrom);
}
