/**
 * The kinds of value a setting can have. A kind turns what was written (YAML, JSON or an environment string)
 * into a value, or says in a few words what it should have been. It never repeats what was written: it may be a secret.
 */
export type Parsed<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly expected: string };

export interface Setting<T> {
  /** Absent when the default is "not set" or is found out on the machine. */
  readonly default?: T;
  readonly unit?: string;
  /** Where the default comes from when it is not a constant, e.g. "the number of cores". */
  readonly defaultNote?: string;
  readonly secret?: boolean;
  /** One line for config.yaml: what it does and why one would change it. */
  readonly why: string;
  /** @param raw a YAML or JSON value, neither null nor undefined. */
  parse(raw: unknown): Parsed<T>;
  /** Environment variables are text only: gives the value YAML would have given. */
  fromText(text: string): unknown;
}

export interface IntegerSetting extends Setting<number> {
  readonly min: number;
  readonly max: number;
}

type About<T> = Pick<Setting<T>, 'default' | 'unit' | 'defaultNote' | 'secret' | 'why'>;

const good = <T>(value: T): Parsed<T> => ({ ok: true, value });
const bad = (expected: string): { readonly ok: false; readonly expected: string } => ({
  ok: false,
  expected,
});
const asIs = (text: string): unknown => text;

/** A whole number from `min` to `max`, both allowed. */
export function integer(about: About<number> & Pick<IntegerSetting, 'min' | 'max'>): IntegerSetting {
  const unit = about.unit === undefined ? '' : ` (${about.unit})`;
  const expected = `must be a whole number from ${about.min} to ${about.max}${unit}`;
  const fits = (raw: unknown): raw is number =>
    Number.isInteger(raw) && Number(raw) >= about.min && Number(raw) <= about.max;
  return {
    ...about,
    parse: (raw) => (fits(raw) ? good(raw) : bad(expected)),
    fromText: (text) => (/^-?\d+$/.test(text) ? Number(text) : text),
  };
}

/** `true` or `false`, nothing that merely looks like it. */
export function boolean(about: About<boolean>): Setting<boolean> {
  return {
    ...about,
    parse: (raw) => (typeof raw === 'boolean' ? good(raw) : bad('must be true or false')),
    fromText: (text) => (text === 'true' ? true : text === 'false' ? false : text),
  };
}

/** One of a few words; upper and lower case do not matter, the value is spelled as in `words`. */
export function word<const W extends string>(about: About<W> & { readonly words: readonly W[] }): Setting<W> {
  const parse = (raw: unknown): Parsed<W> => {
    const found = about.words.find(
      (each) => typeof raw === 'string' && each.toLowerCase() === raw.toLowerCase(),
    );
    return found === undefined ? bad(`must be one of ${about.words.join(', ')}`) : good(found);
  };
  return { ...about, parse, fromText: asIs };
}

/** Text that is not empty and has no control characters. */
export function text(about: About<string>): Setting<string> {
  const parse = (raw: unknown): Parsed<string> =>
    typeof raw === 'string' && /^[^\p{Cc}]+$/u.test(raw)
      ? good(raw)
      : bad('must be text that is not empty and has no control characters (put numbers in quotes)');
  return { ...about, parse, fromText: asIs };
}

/** A PostgreSQL URI. The value is kept as written: the driver reads the rest of it. */
export function postgresqlUri(about: About<string>): Setting<string> {
  const expected = 'must be a URI such as postgresql://user:password@host:5432/database';
  const fits = (raw: unknown): raw is string =>
    typeof raw === 'string' && /^postgres(ql)?:\/\//.test(raw) && URL.canParse(raw);
  return { ...about, parse: (raw) => (fits(raw) ? good(raw) : bad(expected)), fromText: asIs };
}

const MIN_API_KEY_LENGTH = 20;

/** API keys between commas, white space around them ignored. */
export function apiKeyList(about: About<readonly string[]>): Setting<readonly string[]> {
  const parse = (raw: unknown): Parsed<readonly string[]> => {
    if (typeof raw !== 'string') return bad('must be text: keys between commas, in quotes');
    const keys = raw.split(',').map((key) => key.trim());
    if (keys.some((key) => !/^[\x21-\x7e]+$/.test(key) || key.length < MIN_API_KEY_LENGTH))
      return bad(
        `must hold keys of at least ${MIN_API_KEY_LENGTH} printable ASCII characters each, between commas`,
      );
    if (new Set(keys).size !== keys.length) return bad('holds the same key twice: remove one');
    return good(keys);
  };
  return { ...about, parse, fromText: asIs };
}

/**
 * Base64, strictly: one alphabet (standard or URL-safe), padded or not, no stray bits after the last byte.
 * Node's own decoder skips what it does not know, and a key that lost a character would verify nothing.
 */
export function base64Key(about: About<Buffer>): Setting<Buffer> {
  const parse = (raw: unknown): Parsed<Buffer> => {
    const bytes = typeof raw === 'string' ? decodeBase64(raw.trim()) : undefined;
    return bytes === undefined
      ? bad(
          'must be base64 (standard or URL-safe, padded or not): copy the whole value again from the provider',
        )
      : good(bytes);
  };
  return { ...about, parse, fromText: asIs };
}

function decodeBase64(written: string): Buffer | undefined {
  const unpadded = written.replace(/={1,2}$/, '');
  if (written !== unpadded && written.length % 4 !== 0) return undefined;
  if (!/^([A-Za-z0-9+/]+|[A-Za-z0-9_-]+)$/.test(unpadded)) return undefined;
  const bytes = Buffer.from(unpadded, 'base64');
  const again = bytes.toString('base64url');
  return again === unpadded.replaceAll('+', '-').replaceAll('/', '_') ? bytes : undefined;
}
