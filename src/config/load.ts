/** Reads YAML and the environment; other code takes a finished {@link Config}. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse as parseYaml } from 'yaml';
import { withKeysRead } from './named-keys.ts';
import { withAddressesRead } from './places.ts';
import { withSecrets } from './legacy/secrets.ts';
import { judgedMemory, type MemorySettings, memorySettings } from './memory.ts';
import { foreignCure, foreignSetting } from './foreign.ts';
import { type EffectiveSetting, shownValue, variableOf } from './origins.ts';
import { inQuotes, isQuoted } from './parsed.ts';
import { brokenRule } from './rules.ts';
import { toConfig } from './shape.ts';
import type { Config } from './shape.ts';
import { type Key, settings, type Values } from './schema.ts';
import { readSetting, type SettingSchema, valueOfText } from './setting.ts';
import { signerKeySetting, signerKeyAlias } from './tenant-settings.ts';
import { availableMemoryBytes } from '../process/memory.ts';
import { namedSecret, secretFrom } from '../process/secret-file.ts';
import { SourceFault } from './sources/fields.ts';
import { withSecretsRead } from './sources/session-sources.ts';
import { StartupError } from '../process/startup-error.ts';

export type { Config, LogLevel } from './shape.ts';

/** A setting is wrong: `message` is one line with the key, the problem and the cure, and no secret. */
export class ConfigError extends StartupError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConfigError';
  }
}

export interface ConfigSources {
  /** YAML file; without it, only the environment and the defaults count. */
  readonly file?: string | undefined;
  /** Usually `process.env`. Empty strings count as not set. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly takesForeign?: boolean;
  /** ms since the epoch; for tests */
  readonly now?: number;
  /** Default: the memory of the control group or the machine. For tests. */
  readonly memoryBytes?: number;
}

type Written = Record<string, unknown>;

const schemas: Readonly<Record<Key, SettingSchema>> = settings.properties;

/**
 * Reads the settings: environment over file over default. A relative `data_dir` is based on the package's root, the nearest
 * folder at or above the file with a package.json, so the working directory does not matter.
 * @throws ConfigError, and StartupError for the file of a secret
 */
export function loadConfig(sources: ConfigSources): Config {
  const { file, environment } = sources;
  const written = writtenIn(sources);
  try {
    const memoryBytes = sources.memoryBytes ?? availableMemoryBytes();
    const parsed = parseAll(withNamedSecrets(unalias(written), environment));
    const values = withMemory(withFrontEnd(parsed, written), memoryBytes);
    const broken = brokenRule(values, sources.now ?? Date.now());
    if (broken !== undefined) throw new ConfigError(broken);
    return toConfig(values, baseDirectory(file), judgedMemory(memoryBytes, values, parsed));
  } catch (error) {
    throw error instanceof ConfigError ? withVariable(error, environment) : error;
  }
}

/** uWebSockets.js has a fixed idle timeout, so setting one selects the other front end. */
function withFrontEnd(values: Parsed, written: Written): Parsed {
  if (written.keep_alive_timeout_ms === undefined) return values;
  if (values.front_end !== 'UWEBSOCKETS') return { ...values, front_end: 'NODE_HTTP' };
  throw new ConfigError(
    'keep_alive_timeout_ms: has no effect on UWEBSOCKETS, which ends idle connections after 8 to 12 s: set front_end to NODE_HTTP or AUTO, or remove it',
  );
}

function writtenIn({ file, environment, takesForeign }: ConfigSources): Written {
  const written = { ...readFile(file, environment), ...readEnvironment(environment) };
  const foreign = foreignSetting(environment, (key) => written[key] !== undefined);
  if (foreign !== undefined && takesForeign !== true) throw new ConfigError(foreign);
  return written;
}

/** Names the environment variable, since the value is not in config.yaml. */
function withVariable(error: ConfigError, environment: ConfigSources['environment']): ConfigError {
  const [, key = ''] = /^(\w+): /.exec(error.message) ?? [];
  const schema = Object.hasOwn(schemas, key) ? schemas[key as Key] : undefined;
  const variable = schema && variableOf(key, schema, environment);
  if (variable === undefined) return error;
  return new ConfigError(`${error.message} (${variable} in the environment)`, { cause: error });
}

/**
 * Every setting with its value and origin, in the order of config.yaml. Secrets are hidden.
 * @throws as loadConfig does
 */
export function effectiveSettings(sources: ConfigSources): EffectiveSetting[] {
  loadConfig(sources);
  const { file, environment } = sources;
  const written = unalias(writtenIn(sources));
  return (Object.keys(schemas) as Key[]).map((name) => {
    const schema = schemas[name];
    const variable =
      variableOf(name, schema, environment) ??
      (name === signerKeySetting ? variableOf(signerKeyAlias, schema, environment) : undefined);
    const value = written[name] ?? schema.default;
    const shown = value === undefined ? {} : { value: shownValue(name, schema, value) };
    if (variable !== undefined) return { name, ...shown, origin: 'environment', where: variable };
    if (written[name] === undefined) return { name, ...shown, origin: 'default' };
    return { name, ...shown, origin: 'file', ...(file !== undefined && { where: file }) };
  });
}

function readFile(file: string | undefined, environment: ConfigSources['environment']): Written {
  if (file === undefined) return {};
  const content = parseFile(file);
  if (content === null || content === undefined) return {};
  if (typeof content !== 'object' || Array.isArray(content))
    throw new ConfigError(`${file}: must hold lines of the form 'key: value'`);
  const entries = Object.entries(content).filter(([, value]) => value !== null);
  const unknown = entries.find(([key]) => !(Object.hasOwn(schemas, key) || key === signerKeyAlias));
  if (unknown) {
    const cure = foreignCure(unknown[0]) ?? 'remove it or correct its spelling';
    throw new ConfigError(`${file}: unknown key '${unknown[0]}': ${cure}`);
  }
  const read: Written = Object.fromEntries(entries);
  if (read.legacy_sources === undefined) return read;
  return { ...read, legacy_sources: withSecrets(read.legacy_sources, environment) };
}

function parseFile(file: string): unknown {
  const text = readText(file);
  try {
    return parseYaml(text, { prettyErrors: false, logLevel: 'error' });
  } catch (error) {
    // Only the position: the parser's message may quote a line that holds a key.
    throw new ConfigError(`${file}: not valid YAML${positionOf(error, text)}: write one 'key: value' a line`);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new ConfigError(`${file}: cannot be read (${code}): check the path given with --config`, {
      cause: error,
    });
  }
}

function positionOf(error: unknown, text: string): string {
  if (!(error instanceof Error && 'pos' in error && Array.isArray(error.pos))) return '';
  return ` at line ${text.slice(0, Number(error.pos[0])).split('\n').length}`;
}

function readEnvironment(environment: ConfigSources['environment']): Written {
  const found: Written = {};
  for (const key of [...Object.keys(schemas), signerKeyAlias]) {
    const schema = schemas[(key === signerKeyAlias ? signerKeySetting : key) as Key];
    const name = key.toUpperCase();
    const text = schema.writeOnly === true ? secretFrom(environment, name) : environment[name];
    if (text === undefined || text === '') continue;
    // A pepper may be any text.
    if (isQuoted(text) && key !== 'bcrypt_pepper')
      throw new ConfigError(`${variableOf(key, schema, environment) ?? name}: ${inQuotes}`);
    found[key] = valueOfText(schema, text);
  }
  return found;
}

function unalias({ [signerKeyAlias]: alias, ...rest }: Written): Written {
  if (alias === undefined) return rest;
  if (rest[signerKeySetting] !== undefined && rest[signerKeySetting] !== alias)
    throw new ConfigError(
      `${signerKeySetting}: differs from its alias ${signerKeyAlias}: set only one of them`,
    );
  return { ...rest, [signerKeySetting]: alias };
}

/** Lists whose secrets may be in the environment or in files. */
const lists = {
  session_sources: withSecretsRead,
  named_keys: withKeysRead,
  places: withAddressesRead,
} as const;

function withNamedSecrets(written: Written, environment: ConfigSources['environment']): Written {
  const read = namedSecret(environment);
  const present = (Object.keys(lists) as (keyof typeof lists)[]).filter((key) => written[key] !== undefined);
  const entries = present.map((key) => {
    try {
      return [key, lists[key](written[key], read)] as const;
    } catch (error) {
      if (error instanceof SourceFault) throw new ConfigError(`${key}: ${error.message}`);
      throw error;
    }
  });
  return { ...written, ...Object.fromEntries(entries) };
}

/** Settings whose defaults depend on memory are absent when unset. */
type Parsed = Omit<Values, keyof MemorySettings> & Partial<MemorySettings>;

function withMemory(parsed: Parsed, memoryBytes: number): Values {
  return { ...parsed, ...memorySettings(memoryBytes, parsed) };
}

function parseAll(written: Written): Parsed {
  const entries = (Object.keys(schemas) as Key[]).map((key) => [key, parseOne(key, written[key])]);
  return Object.fromEntries(entries) as Parsed;
}

function parseOne(key: Key, raw: unknown): unknown {
  const { default: usual, 'x-by-memory': isByMemory } = schemas[key];
  if (raw === undefined) return isByMemory === true ? undefined : usual;
  const parsed = readSetting(schemas[key], raw);
  if (!parsed.ok) throw new ConfigError(`${key}: ${parsed.expected}`);
  return parsed.value;
}

function baseDirectory(file: string | undefined): string {
  if (file === undefined) return process.cwd();
  const start = path.dirname(path.resolve(file));
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'package.json'))) return folder;
    if (folder === path.dirname(folder)) return start;
  }
}
