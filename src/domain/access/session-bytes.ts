/**
 * Limits in bytes; the core accepts everything that it issued.
 * - `payload`: a payload as JSON, a session's data, or a request with either.
 * - `withToken`: a request with an access token, whose Base64 payload is a third longer, some KB of claims and a signature, and
 *   perhaps another payload.
 */
export const sessionBytes = { payload: 1_048_576, withToken: 3 * 1_048_576 } as const;
