import type { SessionSource } from '../../domain/model.ts';
import { printable, SourceFault, SourceFields } from './fields.ts';
import { type Listed, listIn, requireOwnNames } from './list.ts';
import { readAuthJs, readSignedCookie } from './cookies.ts';
import { readJwtRules, readRefresh } from './jwt.ts';

const listed: Listed = { of: 'sources', one: 'source', most: 50, fields: 'name, speaks and until' };
const sourceName = /^[\w.-]{1,64}$/;
const mostAgeDays = 400;
const mostSkewDays = 1;

/** Readers of the fields that are specific to a dialect. */
const readers = {
  jwt: (fields: SourceFields) => ({ speaks: 'jwt' as const, ...readJwtRules(fields) }),
  authjs: readAuthJs,
  'signed-cookie': readSignedCookie,
  opaque: () => ({ speaks: 'opaque' as const }),
  refresh: readRefresh,
} satisfies Record<SessionSource['speaks'], (fields: SourceFields) => object>;

/**
 * Reads the session sources of an app or a tenant.
 * @param raw a list, or its JSON text as environment variables hold it
 * @throws SourceFault
 */
export function readSessionSources(raw: unknown): readonly SessionSource[] {
  const sources = listIn(raw, listed).map((each, at) => readSource(each, at));
  requireOwnNames(sources, listed);
  return sources;
}

function readSource(written: unknown, at: number): SessionSource {
  if (typeof written !== 'object' || written === null || Array.isArray(written))
    throw new SourceFault(`source ${at + 1}: must be an object with name, speaks and until`);
  const { name: given } = written as { readonly name?: unknown };
  const where =
    typeof given === 'string' && given !== '' ? `source '${printable(given)}'` : `source ${at + 1}`;
  const fields = new SourceFields(written as Readonly<Record<string, unknown>>, where);
  const name = fields.text('name');
  if (!sourceName.test(name))
    fields.fail('name', 'must be 1 to 64 letters, digits, dots, hyphens and underscores');
  const speaks = fields.word('speaks', Object.keys(readers) as SessionSource['speaks'][]);
  const source = {
    name,
    reach: 'any' as const,
    until: fields.instant('until'),
    maxAgeMs: fields.duration('max_age', '30d', mostAgeDays),
    acceptsExpired: fields.flag('accept_expired'),
    acceptsUndated: fields.flag('accept_undated'),
    skewMs: fields.duration('clock_skew', '60s', mostSkewDays),
    ...readers[speaks](fields),
  };
  fields.end();
  return source;
}

/** @returns a problem with newly set sources; a stored one may have expired since */
export function closedSessionSource(sources: readonly SessionSource[], now: number): string | undefined {
  const closed = sources.find(({ until }) => until <= now);
  return closed && `source '${closed.name}': 'until' has passed: remove the source, or say a later day`;
}

const secretFields = new Set(['secret', 'client_secret']);

/** Secrets are shown as "***". */
export function withoutSecrets(raw: unknown): readonly object[] {
  return listIn(raw, listed).map((each) =>
    Object.fromEntries(
      Object.entries(each as object).map(([name, value]) => [name, secretFields.has(name) ? '***' : value]),
    ),
  );
}

/**
 * Replaces `<field>_env` and `<field>_file` by the secret. For the core's own configuration only: a caller who configures a
 * tenant must not read the machine's files.
 * @param read takes the field for messages, and the variable's name or the file's path
 */
export function withSecretsRead(
  raw: unknown,
  read: {
    readonly env: (where: string, name: string) => string;
    readonly file: (where: string, path: string) => string;
  },
): readonly unknown[] {
  return listIn(raw, listed).map((each, at) => {
    if (typeof each !== 'object' || each === null) return each;
    const entries = Object.entries(each).map(([name, value]): readonly [string, unknown] => {
      const [, field = '', how] = /^(.*)_(env|file)$/.exec(name) ?? [];
      if (!secretFields.has(field)) return [name, value];
      const where = `source ${at + 1}: '${name}'`;
      const one = (named: unknown) => read[how as 'env' | 'file'](where, String(named));
      return [field, Array.isArray(value) ? value.map(one) : one(value)];
    });
    const names = entries.map(([name]) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw new SourceFault(`source ${at + 1}: '${twice}' is given twice: keep one`);
    return Object.fromEntries(entries);
  });
}
