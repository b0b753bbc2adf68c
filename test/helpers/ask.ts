/** Asks a core, which may be another process, with a key. */
export type Ask = (
  url: string,
  path: string,
  body?: object,
  method?: string,
) => Promise<Record<string, unknown>>;

/** @returns a function that sends a GET, or a POST if there is a body, and returns the parsed answer */
export function asking(apiKey: string): Ask {
  return async (url, path, body, method = body === undefined ? 'GET' : 'POST') => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { 'api-key': apiKey, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as Record<string, unknown>;
  };
}
