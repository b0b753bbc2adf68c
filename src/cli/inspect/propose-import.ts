/** `inspect --propose`: the command that imports a file, for a person to confirm. */

import path from 'node:path';
import { recogniseFile, type Recognised } from '../../exports/convert/convert.ts';
import { ExportFault, type Provider } from '../../exports/providers/provider.ts';
import type { Reading } from '../../exports/readers/reading.ts';
import { flagsOf, mapOf, type Proposal } from '../../exports/recognise/propose-mapping.ts';
import { carryover } from '../../process/called.ts';
import { CommandError, type ExitCode, exitCodes } from '../command-error.ts';
import { argumentsWithout, exactCommand } from '../confirm/exact.ts';
import { leftOut, proposeFor, recordsTried } from '../input/custom-table.ts';
import { knownFile } from '../input/files/known-file.ts';
import { readingOf } from '../input/flags/reading-flags.ts';
import { type InputOptions, requireProvider } from '../input/input.ts';
import { asJson } from '../output/answer.ts';
import { count, printable } from '../output/format.ts';
import { tell } from '../output/terminal.ts';
import type { Surroundings } from '../surroundings.ts';

interface ProposeOptions extends InputOptions {
  readonly json?: boolean;
}

/** @throws CommandError if nothing can be proposed */
export async function proposeImport(
  files: readonly string[],
  options: ProposeOptions,
  { args, surroundings }: { readonly args: readonly string[]; readonly surroundings: Surroundings },
): Promise<ExitCode> {
  const proposed = await proposedFor(fileOf(files), options, surroundings);
  const found = { ...proposed, command: commandFor(proposed, args), doctor: doctorFor(proposed, args) };
  if (options.json) surroundings.stdout.write(foundAsJson(found));
  else tell(surroundings, foundAsText(found));
  return exitCodes.ok;
}

function fileOf(files: readonly string[]): string {
  const [file] = files;
  if (files.length === 1 && file !== undefined && file !== '-') return file;
  throw new CommandError('--propose takes one file: of several tables each has its own command');
}

/** A known format, or the mapping that a table of no known one allows. */
interface Proposed {
  readonly file: string;
  readonly format: Provider;
  readonly alternatives: readonly Provider[];
  readonly proposal: Proposal | undefined;
}

async function proposedFor(
  file: string,
  options: ProposeOptions,
  { folder, interrupt }: Surroundings,
): Promise<Proposed> {
  if (options.map !== undefined) throw new CommandError('--propose says what to map: leave out --map');
  const at = path.resolve(folder, file);
  await knownFile(at);
  const reading = readingOf(options);
  try {
    const known = await formatOf(at, options.from, reading);
    if (known !== undefined) return { file, ...known, proposal: undefined };
    const proposal = await proposeFor({ file: at, shown: file, reading }, interrupt);
    if (proposal !== undefined)
      return { file, format: requireProvider('native'), alternatives: [], proposal };
  } catch (error) {
    throw error instanceof ExportFault ? new CommandError(`${file}: ${error.message}`) : error;
  }
  throw new CommandError(
    `${file}: no column of its first ${count(recordsTried)} records has email addresses in every value that is there, and no format is recognised: correct these values, or say with --map which column is the email`,
  );
}

/** undefined for a custom table, also if some of its columns have names of fields of the native record. */
async function formatOf(
  at: string,
  name: string | undefined,
  reading: Reading | undefined,
): Promise<{ readonly format: Provider; readonly alternatives: readonly Provider[] } | undefined> {
  if (name !== undefined) {
    const format = requireProvider(name);
    return format.name === 'native' ? undefined : { format, alternatives: [] };
  }
  const found = await recogniseFile(at, reading);
  if (found === undefined || isOwnTable(found)) return undefined;
  return { format: found.provider, alternatives: found.alternatives };
}

function isOwnTable({ provider, sample }: Recognised): boolean {
  return provider.name === 'native' && sample.format === 'csv';
}

const own = {
  switches: ['--json', '--show-samples', '--propose'],
  valued: ['--config', '--rejects', '--from'],
};

/** With the reading options that were given here. */
function commandFor({ format, proposal }: Proposed, args: readonly string[]): string {
  const rest = exactCommand(['import', ...argumentsWithout(args, own)]);
  return proposal === undefined ? `${rest} --from ${format.name}` : `${rest} ${flagsOf(proposal)}`;
}

/** Verifies known passwords against the result of a command. Its `--hash-as` is proved, or one of several is found. */
function doctorFor({ file, proposal }: Proposed, args: readonly string[]): readonly string[] {
  if (proposal === undefined) return [];
  const ofReading = argumentsWithout(args, {
    switches: [...own.switches, '--insecure-http'],
    valued: [...own.valued, '--url', '--api-key', '--app', '--id-prefix'],
  }).filter((arg) => arg !== file && arg !== '--');
  const base = `${exactCommand(['doctor', '--pairs', 'known.csv', '--export', file, ...ofReading])} ${flagsOf(proposal)}`;
  if (proposal.hashAs !== undefined) return [base];
  return proposal.constructions.map((each) => `${base} --hash-as '${each}'`);
}

interface Found extends Proposed {
  readonly command: string;
  readonly doctor: readonly string[];
}

function foundAsJson({ format, alternatives, proposal, command, doctor }: Found): string {
  return asJson('inspect', {
    proposed: {
      format: format.name,
      isKnown: proposal === undefined,
      alternatives: alternatives.map(({ name }) => name),
      command,
      ...(proposal !== undefined && {
        map: mapOf(proposal),
        reasons: Object.fromEntries(proposal.mapped.map(({ field, reason }) => [field, reason])),
        hashAs: proposal.hashAs ?? null,
        constructions: proposal.constructions,
        needsHashAs: needsHashAs(proposal),
        decisions: proposal.unused.filter(({ looks }) => looks === 'guard'),
        unused: proposal.unused.filter(({ looks }) => looks !== 'guard'),
        recordsTried: proposal.records,
      }),
      doctor,
    },
  });
}

/** There are hashes and salts, and the file does not show how they are combined. */
function needsHashAs({ mapped }: Proposal): boolean {
  return mapped.some(({ field }) => field === 'passwordSalt');
}

function foundAsText(found: Found): string {
  const { format, alternatives, proposal, command, doctor } = found;
  if (proposal === undefined) {
    const others = alternatives.map(({ name }) => name).join(' or ');
    const doubt = others === '' ? '' : `; if it is ${others}, say so with --from`;
    return `This is ${format.name} (${format.title})${doubt}. The command that imports it:\n\n${command}\n`;
  }
  const lines = [
    `A table of no known system. By the names of its columns, and by the values of ${count(proposal.records)} records, this command imports it:`,
    '',
    command,
    '',
    ...proposal.mapped.map(({ field, own: column, reason }) => `  ${field}=${printable(column)}: ${reason}`),
    ...leftOut(proposal).map((line) => `  ${line}`),
    ...proofOf(proposal, doctor),
    '',
    `Check the mapping, and try the command with --dry-run: it changes nothing.`,
  ];
  return `${lines.join('\n')}\n`;
}

/** Only known passwords prove the construction of hashes that do not show it. */
function proofOf(proposal: Proposal, doctor: readonly string[]): readonly string[] {
  const pairs = 'Put two or three accounts with known passwords into known.csv (email,password), and';
  if (proposal.hashAs !== undefined)
    return [
      '',
      `--hash-as ${proposal.hashAs} is by the length of the hashes. ${pairs} let it be proved:`,
      ...doctor,
    ];
  if (!needsHashAs(proposal)) return [];
  if (doctor.length === 0)
    return [
      '',
      `The hashes and salts fit no construction that is known: name it with --hash-as (${carryover} import --help --all). Without it no password is imported.`,
    ];
  return [
    '',
    `The command needs --hash-as too: how the hashes were made of password and salt. Without it no password is imported. ${pairs} try these, which fit all values; add the one that verifies to the command:`,
    ...doctor.map((each) => `  ${each}`),
  ];
}
