/** Bodies of the requests about sessions, as the SDK of a backend sends them. */

/** The body that begins a session. */
export function sessionBody(userId: string): string {
  const payload = { iss: 'https://api.example.com/auth', 'st-ev': { v: true, t: 1_700_000_000_000 } };
  return JSON.stringify({ userId, enableAntiCsrf: false, userDataInJWT: payload, userDataInDatabase: {} });
}

export function refreshBody(refreshToken: string): string {
  return JSON.stringify({ refreshToken, enableAntiCsrf: false, useDynamicSigningKey: true });
}

export function verifyBody(accessToken: string, checkDatabase: boolean): string {
  return JSON.stringify({ accessToken, enableAntiCsrf: false, doAntiCsrfCheck: false, checkDatabase });
}
