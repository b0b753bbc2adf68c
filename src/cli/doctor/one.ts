import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DoctorOptions } from './examine.ts';
import { kindToName } from '../../hashes/spellings.ts';
import { examinationAsJson, examinationText, isSound } from './report.ts';
import { doctorConfig, examineAll } from './examine.ts';
import { CommandError, type ExitCode, exitCodes, fileError } from '../command-error.ts';
import { passwordAsOf, statedHash } from '../input/flags/password-as.ts';
import { stdinText } from '../input/stdin-text.ts';
import type { Surroundings } from '../surroundings.ts';

/** Examines one hash. @throws CommandError when it, or its password, is not given in exactly one way */
export async function examineOne(
  argument: string | undefined,
  options: DoctorOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  if (options.code !== undefined) throw new CommandError('--code goes with --totp');
  if (options.export !== undefined)
    throw new CommandError('--export goes with --pairs, a file of emails and their known passwords');
  if (argument === undefined)
    throw new CommandError('Give a hash in single quotes, - for the standard input, or --pairs with a file');
  if (argument === '-' && options.passwordStdin === true)
    throw new CommandError('The standard input cannot be both: give the password with --password-file');
  const given = argument === '-' ? withoutEnd(await stdinText(surroundings)) : argument;
  const hash = statedHash(given, passwordAsOf(options, surroundings));
  const password = await passwordOf(options, surroundings);
  const question = { hash, hashingAlgorithm: algorithmOf(hash, options.algorithm, surroundings), password };
  const [examination] = await examineAll(doctorConfig(options, surroundings), [question]);
  if (examination === undefined) throw new Error('nothing was examined');
  surroundings.stdout.write(options.json ? examinationAsJson(examination) : examinationText(examination));
  return isSound(examination) ? exitCodes.ok : exitCodes.rejects;
}

/** A kind that the hash shows but that an import has to name is treated as named, and reported. */
function algorithmOf(hash: string, named: string | undefined, { stderr }: Surroundings): string | undefined {
  const kind = named === undefined ? kindToName(hash) : undefined;
  if (kind === undefined) return named;
  stderr.write(`Examined as ${kind}: an import has to say so in hashingAlgorithm\n`);
  return kind;
}

async function passwordOf(options: DoctorOptions, surroundings: Surroundings): Promise<string | undefined> {
  if (options.passwordStdin === true) return firstLine(await stdinText(surroundings));
  if (options.passwordFile === undefined) return options.password;
  const file = path.resolve(surroundings.folder, options.passwordFile);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw fileError(file, error);
  });
  return firstLine(text);
}

/** A byte order mark is not part of it. */
function firstLine(text: string): string {
  return (text.replace(/^\ufeff/, '').split('\n')[0] ?? '').replace(/\r$/, '');
}

/** Everything else may be the fault. */
function withoutEnd(text: string): string {
  return text.replace(/\r?\n$/, '');
}
