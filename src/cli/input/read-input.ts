/** Runs the work of a command on a file of users, and collects what reading it shows. */

import path from 'node:path';
import { convert } from '../../exports/convert/convert.ts';
import type { SharedEmails } from '../../exports/emails/shared-emails.ts';
import type { Account } from '../../exports/fields/account.ts';
import { type Incomplete, IncompleteInput } from '../../exports/readers/ending.ts';
import type { Reject } from '../../imports/model.ts';
import { plural } from '../output/format.ts';
import { shownOf } from '../output/incomplete.ts';
import { RejectLog } from '../output/reject-log.ts';
import type { Surroundings } from '../surroundings.ts';
import { type Converted, ConvertedSource } from './converted-source.ts';
import { bytesIn } from './files/user-files.ts';
import { cutLineIn } from './incomplete.ts';
import { convertSourceOf, type Input, type InputOptions, openInput, removeSpooled } from './input.ts';
import { nativeSource, type UploadSource } from './source.ts';

/** How an input is read. */
export interface ReadingRules {
  /** The file of rejects; left out: only the first few are held. */
  readonly rejects?: string | undefined;
  /** An incomplete input is accepted. Otherwise reading it ends with IncompleteInput. */
  readonly acceptsPart: boolean;
  /** Dates whose order cannot be determined count as unparsable. Otherwise reading them ends with AmbiguousDates. */
  readonly countsAmbiguousDates?: boolean;
  /** Rejects of the conversion are sent in the upload: the core lists them, and the log does not. */
  readonly statesRejects?: boolean | undefined;
  /** Emails that two users of the file have are counted, which takes memory. */
  readonly countsShared?: boolean;
}

/** What reading an input has shown, at its end. Native records are not converted, and have no account. */
export interface InputFindings {
  readonly account: Account | undefined;
  readonly shared: SharedEmails | undefined;
  /** Why the input is not complete, with files as they are displayed. */
  readonly incomplete: readonly Incomplete[];
}

interface Read<Result> extends InputFindings {
  readonly result: Result;
  /** The rejects so far. It is still open. */
  readonly log: RejectLog;
}

/** Opens an input for a piece of work, and removes the copy of a standard input afterwards. @throws as openInput */
export async function withInput<Result>(
  files: string | readonly string[],
  options: InputOptions,
  surroundings: Surroundings,
  work: (input: Input) => Promise<Result>,
): Promise<Result> {
  const input = await openInput(files, options, surroundings);
  try {
    return await work(input);
  } finally {
    await removeSpooled(input);
  }
}

/**
 * Runs `work` with an input as native records: unchanged, or converted while it is read.
 * @param surroundings notes of the format are written to `stderr`
 * @throws ExportFault for an input that cannot be read, or is refused by the rules
 */
export async function readInput<Result>(
  input: Input,
  rules: ReadingRules,
  surroundings: Pick<Surroundings, 'convertPool' | 'stderr' | 'folder'>,
  work: (source: UploadSource, log: RejectLog) => Promise<Result>,
): Promise<Read<Result>> {
  const { rejects } = rules;
  const log = new RejectLog(rejects && path.resolve(surroundings.folder, rejects), input.places);
  if (input.isPlain) {
    const { path: file, bytes } = input.file;
    const incomplete = await cutLineIn(input.file);
    if (incomplete.length > 0 && !rules.acceptsPart) throw new IncompleteInput(incomplete);
    const result = await work(nativeSource(file, bytes), log);
    const shown = shownOf(input, incomplete, surroundings);
    return { result, log, account: undefined, shared: undefined, incomplete: shown };
  }
  let converted: Converted | undefined;
  const onEnd = (found: Converted): void => {
    converted = found;
    noteEnd(found, surroundings);
  };
  const result = await work(await convertedSource(input, rules, { log, onEnd, surroundings }), log);
  const { account, shared, incomplete = [] } = converted ?? {};
  return { result, log, account, shared, incomplete: shownOf(input, incomplete, surroundings) };
}

interface Reading {
  readonly log: RejectLog;
  readonly onEnd: (converted: Converted) => void;
  readonly surroundings: Pick<Surroundings, 'convertPool'>;
}

async function convertedSource(
  input: Input,
  { acceptsPart, countsAmbiguousDates, statesRejects, countsShared }: ReadingRules,
  { log, onEnd, surroundings }: Reading,
): Promise<ConvertedSource> {
  const source = { ...convertSourceOf(input, acceptsPart), countsAmbiguousDates };
  const pool = await surroundings.convertPool();
  return new ConvertedSource({
    fileBytes: bytesIn(input),
    statesRejects,
    countsShared,
    convert: (signal) => convert(source, pool, signal),
    onFiles: (beginnings) => input.places?.add(beginnings),
    onRejects: (rejects: readonly Reject[]) =>
      statesRejects === true ? Promise.resolve() : log.add(rejects),
    onEnd,
  });
}

function noteEnd({ notes, unmatched }: Converted, { stderr }: Pick<Surroundings, 'stderr'>): void {
  for (const [table, count] of Object.entries(unmatched))
    if (count > 0)
      stderr.write(`Of ${table}: ${plural(count, 'row')} not used: no user of this export has their id\n`);
  for (const [note, people] of Object.entries(notes)) stderr.write(`${plural(people, 'user')} ${note}\n`);
}
