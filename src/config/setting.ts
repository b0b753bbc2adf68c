/**
 * Parses a setting (YAML, JSON or an environment string) by its JSON Schema. Messages describe the expected value and never
 * repeat the input: it may be a secret.
 */
import type { LegacySource, SessionSource } from '../domain/model.ts';
import type { NamedKey } from '../process/keys/key-ring.ts';
import type { PlaceAddress } from '../domain/app-place.ts';
import { readNamedKeys } from './named-keys.ts';
import { readPlaces } from './places.ts';
import { readSources } from './legacy/read-sources.ts';
import { bad, good, inQuotes, isQuoted, type Parsed } from './parsed.ts';
import { cutUri } from './postgresql-uri.ts';
import { SourceFault } from './sources/fields.ts';
import { readSessionSources } from './sources/session-sources.ts';

/** The part of JSON Schema that settings need, with three annotations of ours. */
export interface SettingSchema {
  readonly type: 'integer' | 'number' | 'boolean' | 'string';
  /** One line for the operator: its effect and why to change it. */
  readonly description: string;
  /** Absent when the default is "not set" or depends on the machine. */
  readonly default?: number | boolean | string;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Case-insensitive; the value is spelled as here. */
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly format?: keyof typeof formats;
  /** A secret: never shown, and may be in a file that the environment names. */
  readonly writeOnly?: true;
  readonly 'x-unit'?: string;
  readonly 'x-default'?: string;
  /** The default is lower if memory is short: see memory.ts. */
  readonly 'x-by-memory'?: true;
}

export type SettingSchemas = Readonly<Record<string, SettingSchema>>;

export type ValueOf<S> = S extends { format: 'api-keys' | 'cdi-versions' }
  ? readonly string[]
  : S extends { format: 'encryption-keys' }
    ? readonly Buffer[]
    : S extends { format: 'legacy-sources' }
      ? readonly LegacySource[]
      : S extends { format: 'session-sources' }
        ? readonly SessionSource[]
        : S extends { format: 'named-keys' }
          ? readonly NamedKey[]
          : S extends { format: 'places' }
            ? readonly PlaceAddress[]
            : S extends { format: 'base64' }
              ? Buffer
              : S extends { type: 'integer' | 'number' }
                ? number
                : S extends { type: 'boolean' }
                  ? boolean
                  : S extends { enum: readonly (infer Word)[] }
                    ? Word
                    : string;

/** Not empty, without control characters. */
export const text = { type: 'string', pattern: String.raw`^[^\p{Cc}]+$` } as const;

const minApiKeyLength = 20;
const encryptionKeyBytes = 32;

/** @param raw a YAML or JSON value, neither null nor undefined. */
export function readSetting<S extends SettingSchema>(schema: S, raw: unknown): Parsed<ValueOf<S>> {
  return readerOf(schema)(schema, raw) as Parsed<ValueOf<S>>;
}

/** The value that YAML would have given for an environment variable. */
export function valueOfText({ type }: SettingSchema, written: string): unknown {
  if (type === 'integer' && /^-?\d+$/.test(written)) return Number(written);
  if (type === 'number' && /^-?\d+(\.\d+)?$/.test(written)) return Number(written);
  if (type === 'boolean' && (written === 'true' || written === 'false')) return written === 'true';
  return written;
}

type Reader = (schema: SettingSchema, raw: unknown) => Parsed<unknown>;

function readerOf(schema: SettingSchema): Reader {
  if (schema.format !== undefined) return formats[schema.format];
  if (schema.enum !== undefined) return word;
  return types[schema.type];
}

const types = {
  integer: ({ minimum = -Infinity, maximum = Infinity, 'x-unit': unit }, raw) =>
    Number.isInteger(raw) && Number(raw) >= minimum && Number(raw) <= maximum
      ? good(raw)
      : bad(`must be a whole number from ${minimum} to ${maximum}${unit === undefined ? '' : ` (${unit})`}`),
  number: ({ minimum = -Infinity, maximum = Infinity, 'x-unit': unit }, raw) =>
    Number.isFinite(raw) && Number(raw) >= minimum && Number(raw) <= maximum
      ? good(raw)
      : bad(`must be a number from ${minimum} to ${maximum}${unit === undefined ? '' : ` (${unit})`}`),
  boolean: (_schema, raw) => (typeof raw === 'boolean' ? good(raw) : bad('must be true or false')),
  string: ({ pattern = '' }, raw) =>
    typeof raw === 'string' && new RegExp(pattern, 'u').test(raw)
      ? good(raw)
      : bad('must be text that is not empty and has no control characters (put numbers in quotes)'),
} satisfies Record<SettingSchema['type'], Reader>;

function word({ enum: words = [] }: SettingSchema, raw: unknown): Parsed<string> {
  const found = words.find((each) => typeof raw === 'string' && each.toLowerCase() === raw.toLowerCase());
  return found === undefined ? bad(`must be one of ${words.join(', ')}`) : good(found);
}

const formats = {
  /** Returned as written: the connection reads the rest. */
  'postgresql-uri': (_schema: unknown, raw: unknown) => {
    const parts = cutUri(raw);
    return parts.ok ? good(raw) : parts;
  },
  /** Separated by commas; white space around them is ignored. */
  'api-keys': (_schema: unknown, raw: unknown) => {
    if (typeof raw !== 'string') return bad('must be text: keys between commas, in quotes');
    const keys = raw.split(',').map((key) => key.trim());
    if ([raw.trim(), ...keys].some(isQuoted)) return bad(inQuotes);
    if (keys.some((key) => !/^[\x21-\x7e]+$/.test(key) || key.length < minApiKeyLength))
      return bad(
        `must hold keys of at least ${minApiKeyLength} printable ASCII characters each, between commas`,
      );
    if (new Set(keys).size !== keys.length) return bad('holds the same key twice: remove one');
    return good(keys);
  },
  /** Separated by commas. Text, because YAML reads 5.0 as the number 5; http/versions knows the supported ones. */
  'cdi-versions': (_schema: unknown, raw: unknown) => {
    const versions = typeof raw === 'string' ? raw.split(',').map((version) => version.trim()) : [];
    const isEach = versions.length > 0 && versions.every((version) => /^\d+\.\d+$/.test(version));
    return isEach ? good(versions) : bad('must be text in quotes, versions between commas: "5.3, 5.4"');
  },
  /** Separated by commas; 32 bytes each. */
  'encryption-keys': (_schema: unknown, raw: unknown) => {
    const keys = typeof raw === 'string' ? raw.split(',').map((key) => decodeBase64(key.trim())) : [];
    const isEach = keys.length > 0 && keys.every((key) => key?.length === encryptionKeyBytes);
    if (!isEach) return bad('must hold keys of 32 bytes in base64, between commas: openssl rand -base64 32');
    const distinct = new Set(keys.map((key) => key?.toString('hex')));
    return distinct.size === keys.length ? good(keys) : bad('holds the same key twice: remove one');
  },
  'legacy-sources': (_schema: unknown, raw: unknown) => readSources(raw),
  base64: (_schema: unknown, raw: unknown) => {
    const bytes = typeof raw === 'string' ? decodeBase64(raw.trim()) : undefined;
    return bytes === undefined
      ? bad(
          'must be base64 (standard or URL-safe, padded or not): copy the whole value again from the provider',
        )
      : good(bytes);
  },
  'session-sources': (_schema: unknown, raw: unknown) => listRead(readSessionSources, raw),
  'named-keys': (_schema: unknown, raw: unknown) => listRead(readNamedKeys, raw),
  places: (_schema: unknown, raw: unknown) => listRead(readPlaces, raw),
} satisfies Record<string, Reader>;

function listRead<T>(read: (raw: unknown) => T, raw: unknown): Parsed<T> {
  try {
    return good(read(raw));
  } catch (error) {
    if (error instanceof SourceFault) return bad(error.message);
    throw error;
  }
}

/**
 * Strict: one alphabet (standard or URL-safe), padded or not, no stray bits. Node's decoder skips invalid characters, and a
 * signer key with one missing would verify nothing.
 */
function decodeBase64(written: string): Buffer | undefined {
  const unpadded = written.replace(/={1,2}$/, '');
  if (written !== unpadded && written.length % 4 !== 0) return undefined;
  if (!/^([A-Za-z0-9+/]+|[A-Za-z0-9_-]+)$/.test(unpadded)) return undefined;
  const bytes = Buffer.from(unpadded, 'base64');
  const again = bytes.toString('base64url');
  return again === unpadded.replaceAll('+', '-').replaceAll('/', '_') ? bytes : undefined;
}
