import type { LegacySource } from '../../../domain/model.ts';
import type { Ask } from '../dialect.ts';

type Headers = Readonly<Record<string, string>>;

export function postJson(url: string, body: object, headers: Headers = {}): Ask {
  return { url, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

/** The header by which a hook authenticates its caller. */
export function keyHeader({ header_name: name, header_value: value }: LegacySource['options']): Headers {
  return name === undefined || value === undefined ? {} : { [name]: value };
}

export function basicAuth(user: string, password: string): Headers {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

/** The base of an URL with a path after it, whether or not the base ends with a slash. */
export function under(base: string, path: string): string {
  return `${base.replace(/\/+$/, '')}/${path}`;
}
