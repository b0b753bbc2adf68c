/** A core as a driver of one version of the interface calls it. */
import { type Answer, testApiKey, type TestCore } from './core.ts';

export interface Driver {
  readonly version: string | undefined;
  get(path: string, query?: Record<string, string>, rid?: string): Promise<Answer>;
  post(path: string, input?: unknown, rid?: string): Promise<Answer>;
  put(path: string, input?: unknown, rid?: string): Promise<Answer>;
}

/** @param version of `cdi-version`; undefined sends no such header */
export function driverOf({ url }: Pick<TestCore, 'url'>, version: string | undefined): Driver {
  const send = async (
    method: string,
    path: string,
    { input, rid }: { input?: unknown; rid: string | undefined },
  ) => {
    const headers = {
      'api-key': testApiKey,
      ...(version !== undefined && { 'cdi-version': version }),
      ...(rid !== undefined && { rid }),
    };
    const body = input === undefined ? {} : { body: JSON.stringify(input) };
    return answerOf(await fetch(url + path, { method, headers, ...body }));
  };
  return {
    version,
    get: (path, query, rid) =>
      send('GET', query ? `${path}?${new URLSearchParams(query).toString()}` : path, { rid }),
    post: (path, input = {}, rid) => send('POST', path, { input, rid }),
    put: (path, input = {}, rid) => send('PUT', path, { input, rid }),
  };
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const body = isJson ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { http: response.status, body, text, headers: response.headers };
}
