/** The command that a run of the console is: its arguments, its environment, and as one would type it. */
import os from 'node:os';
import type { ConsoleInputs } from './schema.ts';
import type { RunKind } from './model.ts';
import { differencesName, repairName } from './settle.ts';

type RunInput = ConsoleInputs['startRun'];

/** Absolute paths of the files that a run names. */
export interface RunFiles {
  readonly files: readonly string[];
  readonly canaries: string | undefined;
  /** For an option of a format, such as `--auth0-hashes`. */
  readonly related: Readonly<Record<string, string>>;
  /** Where the run keeps what it makes. */
  readonly folder: string;
  /** What `read-database` writes. */
  readonly out: string | undefined;
}

export interface CommandLine {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** For people, without secrets and folders of the core. */
  readonly shown: string;
}

/** Options that take one value, by the input's name. */
const valued = {
  from: 'from',
  hashAs: 'hash-as',
  withoutPassword: 'without-password',
  tenant: 'tenant',
  encoding: 'encoding',
  table: 'table',
  dates: 'dates',
  country: 'country',
  rolesFrom: 'roles-from',
} as const;

/** Of commands that make records. */
const converting = { idPrefix: 'id-prefix' } as const;

/** As the imports of the source were made. */
const comparing = { secondFactor: 'second-factor', source: 'source' } as const;

const importing = { ...comparing, onConflict: 'on-conflict', absent: 'absent' } as const;

const ofDatabase = {
  from: 'from',
  hashAs: 'hash-as',
  withoutPassword: 'without-password',
  schema: 'schema',
  tablePrefix: 'table-prefix',
  usersTable: 'users-table',
  realm: 'realm',
} as const;

/** Where a run finds the core that it belongs to. */
export interface OwnCore {
  readonly url: string;
  readonly appId: string;
}

/** Each value is in one argument with its option, so none is read as an option. */
export function commandLine(input: RunInput, files: RunFiles, { url, appId }: OwnCore): CommandLine {
  const { kind } = input;
  const own = readsDatabase(input) ? databaseOptions(input, files) : fileOptions(input, files);
  const core = needsCore(kind) ? [`--url=${url}`, ...(appId === 'public' ? [] : [`--app=${appId}`])] : [];
  const args = [commandOf(kind), ...own.args, ...core, '--json'];
  return {
    args,
    // Its PostgreSQL may run as another user, who must not enter the folder of the run.
    environment: { ...own.environment, ...secretsOf(input), ...(kind === 'plan' && { TMPDIR: os.tmpdir() }) },
    shown: shownOf(args, files, url),
  };
}

function commandOf(kind: RunKind): string {
  if (kind === 'read-database') return 'export-from';
  if (kind === 'dry-run') return 'import';
  return kind === 'propose' ? 'inspect' : kind;
}

function needsCore(kind: RunKind): boolean {
  return kind === 'inspect' || kind === 'dry-run' || kind === 'import' || kind === 'compare';
}

/** A comparison is with files or with a database. */
export function readsDatabase({ kind, address }: Pick<RunInput, 'kind' | 'address'>): boolean {
  return kind === 'read-database' || (kind === 'compare' && address !== undefined);
}

type Own = Pick<CommandLine, 'args' | 'environment'>;

function fileOptions(input: RunInput, { files, canaries, related, folder }: RunFiles): Own {
  const { kind, map = [] } = input;
  const options = [
    ...optionsOf(input, valued),
    ...map.map((each) => `--map=${each}`),
    ...Object.entries(related).map(([name, file]) => `--${name}=${file}`),
    ...(input.includeDeleted === true ? ['--include-deleted'] : []),
    ...(kind === 'doctor' ? [] : optionsOf(input, converting)),
    ...ofKind(input, canaries, folder),
  ];
  // The pairs of the doctor name the users, and its export has their hashes.
  const subject = kind === 'doctor' ? [`--pairs=${canaries ?? ''}`, `--export=${files[0] ?? ''}`] : files;
  return { args: [...subject, ...options], environment: {} };
}

function ofKind(input: RunInput, canaries: string | undefined, folder: string): string[] {
  const { kind, partial = false, showSamples = false } = input;
  const shown = showSamples ? ['--show-samples'] : [];
  // Without a list of its rejects: the reasons are counted, and the list may be as large as the file.
  if (kind === 'inspect') return shown;
  if (kind === 'propose') return [...shown, '--propose'];
  if (kind === 'doctor') return [];
  // A third of the usual time: people wait for it.
  if (kind === 'plan') return ['--calibrate=20'];
  if (kind === 'compare') return ofComparison(input, folder);
  return [
    ...shown,
    ...optionsOf(input, importing),
    `--out-dir=${folder}`,
    ...(canaries === undefined ? [] : [`--canaries=${canaries}`]),
    ...(partial ? ['--partial'] : []),
    kind === 'import' ? '--yes' : '--dry-run',
  ];
}

function ofComparison(input: RunInput, folder: string): string[] {
  const own = [`--out=${folder}/${differencesName}`, `--repair-to=${folder}/${repairName}`];
  return [...optionsOf(input, comparing), ...own];
}

function databaseOptions(input: RunInput, { folder, out = '' }: RunFiles): Own {
  const { kind, address = '' } = input;
  const { url, password } = withoutPassword(address);
  const options =
    kind === 'compare'
      ? [...optionsOf(input, converting), ...ofComparison(input, folder)]
      : [`--out=${out}`, `--rejects=${folder}/rejects.ndjson`];
  return {
    args: [url, ...optionsOf(input, ofDatabase), ...options],
    // Other users of the machine see arguments.
    environment: { PGPASSWORD: password, MYSQL_PWD: password },
  };
}

function withoutPassword(address: string): { readonly url: string; readonly password: string } {
  const url = URL.parse(address);
  if (url === null) return { url: address, password: '' };
  const password = decodeURIComponent(url.password);
  url.password = '';
  return { url: url.href, password };
}

/** For lists and the audit log. */
export function shownAddress(address: string): string {
  const url = URL.parse(address);
  return url === null ? '(no address)' : `${url.protocol}//${url.host}${url.pathname}`;
}

function optionsOf(input: RunInput, names: Readonly<Record<string, string>>): string[] {
  return Object.entries(names).flatMap(([field, option]) => {
    const value = (input as Readonly<Record<string, unknown>>)[field];
    return typeof value === 'string' && value !== '' ? [`--${option}=${value}`] : [];
  });
}

/** Keys of old systems go by the environment: `pepper` as CARRYOVER_PEPPER. */
function secretsOf({ secrets = {} }: RunInput): Readonly<Record<string, string>> {
  const given = Object.entries(secrets as Readonly<Record<string, unknown>>);
  const named = given.filter((each): each is [string, string] => typeof each[1] === 'string');
  return Object.fromEntries(
    named.map(([name, value]) => [`CARRYOVER_${name.toUpperCase().replaceAll('-', '_')}`, value]),
  );
}

function shownOf(args: readonly string[], { files, canaries, related, folder, out }: RunFiles, url: string) {
  const paths = [...files, ...Object.values(related), canaries, out].flatMap((file) => file ?? []);
  const shown = args
    .filter((arg) => !arg.includes(folder) && !arg.startsWith('--url=') && arg !== '--json')
    .map((arg) => {
      const file = paths.find((each) => arg.endsWith(each));
      return file === undefined ? arg : arg.replace(file, file.slice(file.lastIndexOf('/') + 1));
    })
    .map((arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`));
  return [
    'carryover',
    ...shown,
    ...(args.some((arg) => arg.startsWith('--url=')) ? [`--url ${url}`] : []),
  ].join(' ');
}
