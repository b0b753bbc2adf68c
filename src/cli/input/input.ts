import { createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type ConvertSource, recogniseFile, type Recognised } from '../../exports/convert/convert.ts';
import type { DateMemo } from '../../exports/convert/ports.ts';
import { isSpread } from '../../exports/convert/source-records.ts';
import { orderOption } from '../../exports/fields/times.ts';
import { rolesOption } from '../../exports/convert/roles/roles.ts';
import { passwordAsOption } from '../../exports/convert/transforms.ts';
import { findProvider, providers } from '../../exports/providers/index.ts';
import { ExportFault, type Provider } from '../../exports/providers/provider.ts';
import { faultOfPrefix } from '../../imports/record/prefixed-id.ts';
import { carryover } from '../../process/called.ts';
import { CommandError, fileError } from '../command-error.ts';
import { readProviderFlags, type ProviderSettings } from './flags/provider-flags.ts';
import { passwordAsOf } from './flags/password-as.ts';
import { requireRolesField } from './flags/roles-field.ts';
import { addReadingOptions, readingOf, type ReadingOptions } from './flags/reading-flags.ts';
import { customTable, proposedCommand } from './custom-table.ts';
import { namesOf } from '../../exports/providers/parts/marks.ts';
import { findTable } from '../../exports/readers/table.ts';
import { compressionOf } from '../../exports/readers/bytes/compression.ts';
import { encodingByMark } from '../../exports/readers/bytes/encodings.ts';
import type { Reading } from '../../exports/readers/reading.ts';
import { severalFormats } from './files/choose.ts';
import { type KnownFile, knownFile } from './files/known-file.ts';
import type { FilePlaces } from './files/places.ts';
import { findSeveral, type Several } from './files/several.ts';
import { noteEncoding, noteHint } from './notes.ts';
import { labelOf, placesIn, userFilesOf } from './files/user-files.ts';
import { printable } from '../output/format.ts';
import { makeStateFolder } from '../state-folder.ts';
import type { Surroundings } from '../surroundings.ts';

/** As commander gives them, in addition to the providers' own flags. */
export interface InputOptions extends ReadingOptions {
  readonly from?: string;
  readonly tenant?: string;
  /** For commands that convert; an import leaves it to the core. */
  readonly idPrefix?: string | undefined;
}

/** Options for reading a file of users. */
export function addInputOptions(command: Command): Command {
  const named = command
    .option('--from <format>', `one of ${namesOfProviders()}; left out: recognised from the content`)
    .option(
      '--tenant <id>',
      'puts every login method of an export into this tenant; of native records those that name none',
    );
  return addReadingOptions(named);
}

/** The prefix of the ids of a file. */
export function addIdPrefix(command: Command): Command {
  return command.addOption(
    new Option(
      '--id-prefix <text>',
      'put before every external id, such as forum: for a file whose ids overlap with those of another system',
    ).argParser((text) => {
      const fault = faultOfPrefix(text);
      if (fault === undefined) return text;
      throw new InvalidArgumentError(`It ${fault}.`);
    }),
  );
}

/** A file of users and how to read it. */
export interface Input {
  readonly provider: Provider;
  readonly file: KnownFile;
  /** Further files of the same users, which make one import with it. */
  readonly several?: Several | undefined;
  /** The positions of records in several files. */
  readonly places?: FilePlaces | undefined;
  /** The label of the given input. */
  readonly label: string;
  /** A copy of the standard input, to be removed after use. */
  readonly isSpooled: boolean;
  readonly related: Readonly<Record<string, KnownFile>>;
  readonly settings: Omit<ProviderSettings, 'related'>;
  readonly tenant: string | undefined;
  /** The prefix that conversion adds to external ids. */
  readonly idPrefix?: string | undefined;
  /** The stated form of the file. */
  readonly reading?: Reading | undefined;
  /** Sent unchanged. */
  readonly isPlain: boolean;
  /** The order of ambiguous dates, once it was found. */
  readonly dates?: DateMemo | undefined;
}

/**
 * Determines the format of a file, or of several: a folder, a pattern, names. `-` is first copied to a file, because continuing
 * after a broken connection requires reading it again. Reports what was recognised.
 * @throws CommandError when there is nothing to read or its format is unknown
 */
export async function openInput(
  given: string | readonly string[],
  options: InputOptions,
  surroundings: Surroundings,
): Promise<Input> {
  const asked: Asked = {
    tenant: tenantOf(options),
    reading: readingOf(options),
    named: options.from === undefined ? undefined : requireProvider(options.from),
    options: { ...options },
  };
  const files = typeof given === 'string' ? [given] : given;
  const found = await findSeveral(files, asked, surroundings);
  const label = labelOf(files);
  if (found !== undefined) return inputOf({ ...found, label, isSpooled: false }, asked, surroundings);
  const isSpooled = label === '-';
  const at = isSpooled ? await spool(surroundings) : path.resolve(surroundings.folder, label);
  try {
    const file = await knownFile(at);
    if (file.bytes === 0) throw new CommandError(`${label}: is empty`);
    const { provider, table } =
      asked.named === undefined
        ? await recognise({ at, shown: label, said: asked.reading }, surroundings)
        : { provider: asked.named, table: undefined };
    const reading = table === undefined ? asked.reading : { ...asked.reading, table };
    return await inputOf({ provider, file, label, isSpooled }, { ...asked, reading }, surroundings);
  } catch (error) {
    if (isSpooled) await rm(at, { force: true });
    throw error;
  }
}

function tenantOf(options: InputOptions): string | undefined {
  const tenant = options.tenant?.trim().toLowerCase();
  if (tenant === undefined || /^[a-z0-9-]{1,64}$/.test(tenant)) return tenant;
  throw new CommandError('--tenant takes letters, digits and hyphens, at most 64');
}

/** The command's arguments and options, without the files. */
interface Asked {
  readonly tenant: string | undefined;
  readonly reading: Reading | undefined;
  readonly named: Provider | undefined;
  readonly options: InputOptions & Readonly<Record<string, unknown>>;
}

async function inputOf(
  {
    further = {},
    ...found
  }: Pick<Input, 'provider' | 'file' | 'several' | 'label' | 'isSpooled'> & {
    readonly further?: Input['related'];
  },
  { tenant, reading, options }: Asked,
  surroundings: Surroundings,
): Promise<Input> {
  const { provider, file, several } = found;
  const { related, ...settings } = readProviderFlags(options, provider, surroundings.environment, providers);
  noteHint({ provider, options: settings.options, given: { ...options } }, surroundings);
  if (reading?.encoding !== undefined)
    noteEncoding(await startOf(file.path), reading, path.basename(file.path), surroundings);
  const { idPrefix } = options;
  const passwordAs = passwordAsOf(options, surroundings);
  const changes = { ...changesOf(options), ...passwordAs.options };
  const isAsItIs = several === undefined && idPrefix === undefined && !isChanged(changes);
  const input: Input = {
    ...found,
    places: placesIn(found),
    related: { ...further, ...(await knownFiles(related, surroundings)) },
    settings: {
      options: { ...settings.options, ...changes },
      secrets: [...settings.secrets, ...passwordAs.secrets],
    },
    tenant,
    idPrefix,
    reading,
    dates: {},
    isPlain: isAsItIs && (await isPlain(file.path, { provider, tenant, reading })),
  };
  await noteMissing(input, surroundings);
  await requireRolesField(convertSourceOf(input), surroundings.interrupt);
  return input;
}

/** Options of every conversion, not of one provider. */
function changesOf({ hashAs, rolesFrom, dates }: ReadingOptions): Readonly<Record<string, string>> {
  return {
    ...(hashAs !== undefined && { 'hash-as': hashAs }),
    ...(rolesFrom !== undefined && { [rolesOption]: rolesFrom }),
    ...(dates !== undefined && { [orderOption]: dates }),
  };
}

/** Whether these options change native records, too. */
export function isChanged(options: Readonly<Record<string, string>>): boolean {
  return ['hash-as', passwordAsOption, rolesOption].some((name) => options[name] !== undefined);
}

/** Some systems export hashes, roles or second factors in a separate file: without it they would be lost without notice. */
async function noteMissing(input: Input, { stderr, interrupt }: Surroundings): Promise<void> {
  const lost = input.provider.tables.filter(
    ({ name, hashes, unseen }) => (hashes ?? unseen) !== undefined && input.related[name] === undefined,
  );
  if (lost.length === 0 || (await isSpread(convertSourceOf(input), interrupt))) return;
  for (const { flag = '', hashes, unseen } of lost)
    stderr.write(
      hashes === undefined
        ? `Without --${flag} FILE these are not seen: ${unseen ?? ''}\n`
        : `Without --${flag} FILE (${hashes}) only users whose hash stands in this file itself can sign in with a password\n`,
    );
}

/** The input of the conversion. */
export function convertSourceOf(input: Input, isPartial = false): ConvertSource {
  const { provider, file, several, related, settings, tenant, idPrefix, reading, dates } = input;
  const paths = Object.fromEntries(Object.entries(related).map(([table, known]) => [table, known.path]));
  const { options } = settings;
  const more = several?.more.map((each) => each.path);
  const where = { file: file.path, more, related: paths };
  return { ...where, provider, options, tenant, idPrefix, reading, isPartial, dates };
}

/** Every file that is read. */
export function filesOf(input: Input): string[] {
  return [...userFilesOf(input), ...Object.values(input.related)].map((known) => known.path);
}

/** Removes the copy of a standard input. */
export async function removeSpooled({ file, isSpooled }: Input): Promise<void> {
  if (isSpooled) await rm(file.path, { force: true });
}

/** Whether a file can be sent unchanged: lines of native records, not compressed, and nothing to add to them. */
export async function isPlain(
  file: string,
  { provider, tenant, reading }: Pick<Input, 'provider' | 'tenant' | 'reading'>,
): Promise<boolean> {
  if (provider.name !== 'native' || tenant !== undefined || reading !== undefined) return false;
  const start = await startOf(file);
  const isPacked = compressionOf(start) !== undefined;
  const isUtf8 = (encodingByMark(start) ?? 'utf-8') === 'utf-8';
  return !isPacked && isUtf8 && (await areLines(file, start, provider));
}

/** Lines are sent unchanged also if the first of them is damaged: the core rejects it by its number. */
async function areLines(file: string, start: Buffer, { tables: [users] }: Provider): Promise<boolean> {
  if (users === undefined || /^\ufeff?\s*\[/.test(start.toString('utf8'))) return false;
  const isObject = /^\ufeff?\s*\{/.test(start.toString('utf8'));
  try {
    const { place, sample } = await findTable(file, users);
    if (place.format === 'csv') return !namesOf(sample).has('email');
    return place.format === 'ndjson';
  } catch (error) {
    if (isObject && error instanceof ExportFault) return true;
    throw error;
  }
}

async function startOf(file: string): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** @throws CommandError for a name that no format has */
export function requireProvider(name: string): Provider {
  const provider = findProvider(name.trim());
  if (provider) return provider;
  throw new CommandError(`--from takes one of ${namesOfProviders()}: 'carryover providers' describes them`);
}

function namesOfProviders(): string {
  return providers.map(({ name }) => name).join(', ');
}

async function spool(surroundings: Surroundings): Promise<string> {
  const { stdin, interrupt } = surroundings;
  const folder = await makeStateFolder(surroundings);
  const file = path.join(folder, `input-${randomBytes(6).toString('hex')}`);
  try {
    await pipeline(stdin, createWriteStream(file, { flags: 'wx', mode: 0o600 }), { signal: interrupt });
    return file;
  } catch (error) {
    await rm(file, { force: true });
    interrupt.throwIfAborted();
    throw fileError(file, error);
  }
}

interface Unknown {
  readonly at: string;
  /** As it was given. */
  readonly shown: string;
  readonly said: Reading | undefined;
}

async function recognise({ at, shown, said }: Unknown, surroundings: Surroundings): Promise<Recognised> {
  const { stderr, interrupt } = surroundings;
  const found = await recogniseFile(at, said).catch((error: unknown) => {
    throw error instanceof ExportFault ? new CommandError(`${shown}: ${error.message}`) : error;
  });
  const proposed = found ? undefined : await proposedCommand({ file: at, shown, reading: said }, interrupt);
  if (proposed !== undefined) {
    stderr.write(`By the names and values of its columns this command imports it:\n${proposed.join('\n')}\n`);
    throw customTable({ shown, reading: said }, proposed[0]);
  }
  if (!found)
    throw new CommandError(
      `${shown}: its format is not recognised: say which with --from, one of ${namesOfProviders()}. CSV without a header row needs --columns too. A file of hashes or identities alone goes with the file of its users, by a flag that '${carryover} providers' lists`,
    );
  if (found.asLikely !== undefined && found.asLikely.length > 0)
    throw severalFormats(shown, [found.provider, ...found.asLikely]);
  const others = found.alternatives.map(({ name }) => name).join(' or ');
  const doubt = others === '' ? '' : `; if it is ${others}, say so with --from`;
  stderr.write(`Reading as ${found.provider.name} (${found.provider.title})${tableNote(found)}${doubt}\n`);
  return found;
}

/** The table of a dump that was chosen, and others that might be meant. */
function tableNote({ table, otherTables = [] }: Recognised): string {
  if (table === undefined) return '';
  const others = printable(otherTables.slice(0, 5).join(', '));
  return `: the table ${printable(table)} of the dump${others === '' ? '' : `; for ${others} give --table`}`;
}

async function knownFiles(
  files: Readonly<Record<string, string>>,
  { folder }: Surroundings,
): Promise<Record<string, KnownFile>> {
  const entries = Object.entries(files).map(
    async ([table, file]) => [table, await knownFile(path.resolve(folder, file))] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}
