import { externalIdOf } from '../../../src/load/made-up.ts';
import { sessionBody } from '../../../src/load/session-bodies.ts';
import type { Addressed } from '../../load/deployed.ts';

/** The tokens of sessions, in the same order. */
export interface Begun {
  readonly refreshTokens: readonly string[];
  readonly accessTokens: readonly string[];
}

interface Answered {
  readonly refreshToken: { readonly token: string };
  readonly accessToken: { readonly token: string };
}

const atOnce = 64;

/** Sessions that exist before the measurement. */
export async function beginSessions(core: Addressed, count: number): Promise<Begun> {
  const begun: Answered[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) begun.push(await beginSession(core, next++));
    }),
  );
  return {
    refreshTokens: begun.map(({ refreshToken }) => refreshToken.token),
    accessTokens: begun.map(({ accessToken }) => accessToken.token),
  };
}

async function beginSession({ url, apiKey }: Addressed, n: number): Promise<Answered> {
  const answer = await fetch(`${url}/recipe/session`, {
    method: 'POST',
    headers: { 'api-key': apiKey },
    body: sessionBody(externalIdOf(n)),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Answered;
}
