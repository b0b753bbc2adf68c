import { jwtOperations, type JwtOperations } from './jwts.ts';
import type { SessionContext } from './context.ts';
import { tokenOperations, type TokenOperations } from './sessions.ts';
import { storedSessionOperations, type StoredSessionOperations } from './stored.ts';

export type SessionOperations = TokenOperations & StoredSessionOperations & JwtOperations;

/** Sessions, and what is signed with their keys. */
export function sessionOperations(context: SessionContext): SessionOperations {
  return {
    ...tokenOperations(context),
    ...storedSessionOperations(context),
    ...jwtOperations(context),
  };
}
