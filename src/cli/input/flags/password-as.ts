/** `--password-as`: the transforms that the source applied to the typed password before hashing. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { passwordAsOption } from '../../../exports/convert/transforms.ts';
import {
  asTyped,
  formsText,
  hasSecret,
  parseForms,
  statedBeside,
} from '../../../hashes/transforms/transforms.ts';
import { CommandError } from '../../command-error.ts';
import type { Surroundings } from '../../surroundings.ts';

/** As commander gives it. */
export interface PasswordAsOptions {
  readonly passwordAs?: string | undefined;
}

/** For a prefix or suffix, which every user of the machine could see in the arguments. */
const variable = 'CARRYOVER_PASSWORD_AS';

export function addPasswordAs(command: Command): Command {
  return command.addOption(
    new Option(
      '--password-as <steps>',
      `what the source did to the typed password before it hashed it, in the order of application, such as slashed,md5-hex; several lists with | between them are all tried, and "typed" is the empty list. A prefix or suffix is better given in ${variable}`,
    ).argParser(parsePasswordAs),
  );
}

/** The conversion's part of it: the options, and which of them are secrets. */
export interface PasswordAsSetting {
  readonly options: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

/** @throws CommandError for an invalid variable */
export function passwordAsOf(
  { passwordAs }: PasswordAsOptions,
  { environment }: Pick<Surroundings, 'environment'>,
): PasswordAsSetting {
  const value = passwordAs ?? fromEnvironment(environment[variable]);
  if (value === undefined) return { options: {}, secrets: [] };
  const forms = parseForms(value);
  const isSecret = forms !== undefined && !('message' in forms) && hasSecret(forms);
  return { options: { [passwordAsOption]: value }, secrets: isSecret ? [passwordAsOption] : [] };
}

/** `hash` with the stated password forms. */
export function statedHash(hash: string, { options }: PasswordAsSetting): string {
  const stated = statedBeside(hash, options[passwordAsOption] ?? asTyped);
  if (typeof stated === 'string') return stated;
  throw new CommandError(`--password-as ${stated.message}`);
}

function fromEnvironment(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  const value = canonical(text);
  if (typeof value === 'string') return value;
  throw new CommandError(`${variable} ${value.message}`);
}

function parsePasswordAs(text: string): string {
  const value = canonical(text);
  if (typeof value === 'string') return value;
  throw new InvalidArgumentError(`It ${value.message}.`);
}

function canonical(text: string): string | { readonly message: string } {
  const forms = parseForms(text);
  if (forms === undefined) return asTyped;
  return 'message' in forms ? forms : formsText(forms);
}
