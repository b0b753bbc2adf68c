import { hash1, hash2, type RefreshToken } from './refresh-token.ts';

/**
 * The outcome of a refresh. A session knows one refresh token, the current one. A refresh issues a child and leaves the
 * session as it is; the first sign that the client has the child makes that the current one, and its parent is spent. A
 * response that is lost costs nothing, and a spent token that is used again shows that two clients have it (api: two-step rotation).
 *
 *   presented                              verdict
 *   the current token                      child
 *   a child of the current token           promote (it is the current one from now on), then a child of it
 *   any other of the app's tokens          theft
 */
export type RefreshVerdict = 'child' | 'promote' | 'theft';

/** @param currentHash2 of the session's current token */
export function judgeRefresh(
  text: string,
  { parentHash1 }: Pick<RefreshToken, 'parentHash1'>,
  currentHash2: string,
): RefreshVerdict {
  if (hash2(hash1(text)) === currentHash2) return 'child';
  return parentHash1 !== undefined && hash2(parentHash1) === currentHash2 ? 'promote' : 'theft';
}

/**
 * The relation of an access token to its session: `promote` when it shows that the client has a child of the current token;
 * `current` when it was given with the current one; `sibling` when another child was used first.
 */
export type AccessVerdict = 'promote' | 'current' | 'sibling';

export function judgeAccess(
  claims: { readonly refreshTokenHash1: string; readonly parentRefreshTokenHash1: string | null },
  currentHash2: string,
): AccessVerdict {
  const parent = claims.parentRefreshTokenHash1;
  if (parent !== null && hash2(parent) === currentHash2) return 'promote';
  return hash2(claims.refreshTokenHash1) === currentHash2 ? 'current' : 'sibling';
}
