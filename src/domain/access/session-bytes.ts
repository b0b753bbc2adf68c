/**
 * Bytes of what comes with a session: what the core hands out it takes back.
 * - `payload`: of a payload as JSON, of the data of a session, and of the request that brings either.
 * - `withToken`: of a request that brings an access token, which has the payload in Base64 (a third longer) with some KB of
 *   claims and a signature, and perhaps another payload as well.
 */
export const sessionBytes = { payload: 1_048_576, withToken: 3 * 1_048_576 } as const;
