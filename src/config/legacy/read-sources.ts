/** Reads `legacy_sources`: old systems that check passwords during a migration. */
import type { LegacyDialect, LegacySource } from '../../domain/model.ts';
import { bad, good, type Parsed } from '../parsed.ts';
import { type DialectOption, dialectNames, dialects } from './dialects.ts';
import { readMoment } from './moment.ts';
import { faultOfUrl } from './urls.ts';

/** A mistake in the settings. The message names the source's position and repeats no value. */
class Fault extends Error {}

type Written = Readonly<Record<string, unknown>>;

const maxSources = 32;
const name = /^[a-z0-9][a-z0-9_-]{0,62}$/;
const common = ['name', 'speaks', 'url', 'ca', 'timeout_ms', 'max_in_flight', 'wait_ms', 'unknown', 'until'];
const ids = ['user_ids', 'user_id_prefix'];

/** Also true for names of sources that are not configured here. */
export function isSourceName(text: string): boolean {
  return name.test(text);
}

/** @param raw a list of objects, or its JSON text; neither null nor undefined */
export function readSources(raw: unknown): Parsed<readonly LegacySource[]> {
  try {
    return good(sourcesOf(typeof raw === 'string' ? jsonOf(raw) : raw));
  } catch (error) {
    if (error instanceof Fault) return bad(error.message);
    throw error;
  }
}

/** @returns a message about the first source whose end has passed */
export function closedSource(sources: readonly LegacySource[], now: number): string | undefined {
  const place = sources.findIndex(({ until }) => until <= now);
  return place < 0
    ? undefined
    : `source ${place + 1}: 'until' is in the past: give a later date, or remove the source`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Fault('must be a list of sources, in an environment variable as JSON');
  }
}

function sourcesOf(list: unknown): readonly LegacySource[] {
  if (!Array.isArray(list))
    throw new Fault('must be a list of sources, each with name, speaks, url and until');
  if (list.length > maxSources) throw new Fault(`must not name more than ${maxSources} sources`);
  const sources = list.map((each: unknown, place) => placed(place, () => sourceOf(each)));
  const twice = sources.findIndex((each, place) =>
    sources.some((other, at) => at < place && other.name === each.name),
  );
  if (twice >= 0) throw new Fault(`source ${twice + 1}: 'name' is that of an earlier one: give each its own`);
  const asking = sources.filter(({ asksUnknown }) => asksUnknown);
  if (asking.length > 1) throw new Fault("only one source may have 'unknown: ask': set the others to refuse");
  return sources;
}

function placed<Value>(place: number, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof Fault ? new Fault(`source ${place + 1}: ${error.message}`) : error;
  }
}

function sourceOf(raw: unknown): LegacySource {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    throw new Fault('must hold fields such as name: value');
  const written = raw as Written;
  const speaks = requiredWord(written, 'speaks', dialectNames);
  requireKnown(written, speaks);
  return {
    name: nameOf(written),
    speaks,
    ...whereOf(written, speaks),
    ca: caOf(written),
    reach: 'any',
    timeoutMs: numberOf(written, 'timeout_ms', { default: 2000, minimum: 100, maximum: 30_000 }),
    maxInFlight: numberOf(written, 'max_in_flight', { default: 32, minimum: 1, maximum: 1000 }),
    waitMs: numberOf(written, 'wait_ms', { default: 5000, minimum: 0, maximum: 60_000 }),
    asksUnknown: (wordOf(written, 'unknown', ['ask', 'refuse']) ?? 'refuse') === 'ask',
    until: untilOf(written),
    keepsIds: (wordOf(written, 'user_ids', ['keep', 'drop']) ?? 'keep') === 'keep',
    idPrefix: textOf(written, 'user_id_prefix') ?? '',
  };
}

function requireKnown(written: Written, speaks: LegacyDialect): void {
  const known = [...common, ...ids, ...Object.keys(dialects[speaks].options)];
  const unknown = Object.keys(written).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const shown = unknown.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 64);
  throw new Fault(`'${shown}' is no field of ${speaks}: it takes ${known.join(', ')}`);
}

function nameOf(written: Written): string {
  const text = textOf(written, 'name');
  if (text !== undefined && isSourceName(text)) return text;
  throw new Fault("'name' must be small letters, digits, - and _, 63 at most: records call the source by it");
}

function whereOf(written: Written, speaks: LegacyDialect): Pick<LegacySource, 'url' | 'options'> {
  const url = urlOf(written, speaks);
  const options = optionsOf(written, speaks);
  const fault = dialects[speaks].fault?.(url, options);
  if (fault !== undefined) throw new Fault(fault);
  return { url, options };
}

function urlOf(written: Written, speaks: LegacyDialect): string {
  const { url: what, defaultUrl, fault: ownCheck } = dialects[speaks];
  const url = textOf(written, 'url') ?? defaultUrl;
  if (url === undefined) throw new Fault(`'url' is missing: give ${what}`);
  const fault = ownCheck ? undefined : faultOfUrl(url);
  if (fault !== undefined) throw new Fault(`'url' ${fault}`);
  return url;
}

function caOf(written: Written): string | undefined {
  const ca = written.ca ?? undefined;
  if (ca === undefined || (typeof ca === 'string' && ca.includes('-----BEGIN CERTIFICATE-----'))) return ca;
  throw new Fault("'ca' must be certificates in PEM, -----BEGIN CERTIFICATE----- and so on");
}

function untilOf(written: Written): number {
  const at = written.until instanceof Date ? written.until.getTime() : readMoment(written.until);
  if (at !== undefined && !Number.isNaN(at)) return at;
  throw new Fault(
    "'until' must state until when it is asked: a date such as 2030-12-31, or 2030-12-31T18:00:00Z",
  );
}

function optionsOf(written: Written, speaks: LegacyDialect): LegacySource['options'] {
  const entries = Object.entries(dialects[speaks].options).map(([key, option]) => [
    key,
    optionOf(written, key, option),
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as LegacySource['options'];
}

function optionOf(written: Written, key: string, option: DialectOption): string | undefined {
  const value = option.words ? wordOf(written, key, option.words) : textOf(written, key);
  if (value === undefined && option.isRequired === true) {
    const elsewhere = option.isSecret === true ? `; in config.yaml also as ${key}_env or ${key}_file` : '';
    throw new Fault(`'${key}' is missing: give ${option.what}${elsewhere}`);
  }
  return value ?? option.default;
}

function requiredWord<Word extends string>(written: Written, key: string, words: readonly Word[]): Word {
  const found = wordOf(written, key, words);
  if (found === undefined) throw new Fault(`'${key}' is missing: it is one of ${words.join(', ')}`);
  return found;
}

function wordOf<Word extends string>(
  written: Written,
  key: string,
  words: readonly Word[],
): Word | undefined {
  const value = written[key] ?? undefined;
  if (value === undefined) return undefined;
  const found = words.find((word) => word === value);
  if (found === undefined) throw new Fault(`'${key}' must be one of ${words.join(', ')}`);
  return found;
}

function textOf(written: Written, key: string): string | undefined {
  const value = written[key] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value === 'string' && /^[^\p{Cc}]+$/u.test(value)) return value;
  throw new Fault(
    `'${key}' must be text that is not empty and has no control characters (put numbers in quotes)`,
  );
}

interface Bounds {
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
}

function numberOf(written: Written, key: string, { default: usual, minimum, maximum }: Bounds): number {
  const value = written[key] ?? usual;
  if (Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum) return Number(value);
  throw new Fault(`'${key}' must be a whole number from ${minimum} to ${maximum}`);
}
