/** Commands as a shell accepts them: the one that runs, and those that follow from it. */

import { carryover } from '../../process/called.ts';

/** Options whose values are secrets. A printed command names the variable from which the value can be read. */
const secretOptions =
  /^--(api-key|password|pepper|[\w-]*(?:signer|app|otp|primary|encryption)[\w-]*key|[\w-]*(?:secret|salt))$/;

/** As a shell accepts it. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** @param args of the command, without its name; secrets are replaced by variables */
export function exactCommand(args: readonly string[], ...more: readonly string[]): string {
  const end = args.indexOf('--');
  const all = end < 0 ? [...args, ...more] : [...args.slice(0, end), ...more, ...args.slice(end)];
  return [carryover, ...withoutSecretValues(all)].join(' ');
}

function withoutSecretValues(args: readonly string[]): string[] {
  return args.map((arg, place) => {
    const [, name = '', value] = /^(--[\w-]+)(?:=([^]*))?$/.exec(arg) ?? [];
    if (value !== undefined && isSecret(name, value)) return `${name}=${variableFor(name)}`;
    const before = args[place - 1] ?? '';
    return isSecret(before, arg) ? variableFor(before) : quoted(arg);
  });
}

/** The texts of prefix and suffix in `--password-as` are secrets. */
function isSecret(option: string, value: string): boolean {
  return secretOptions.test(option) || (option === '--password-as' && value.includes('='));
}

function variableFor(option: string): string {
  return `"$CARRYOVER_${option.slice(2).toUpperCase().replaceAll('-', '_')}"`;
}

/** Options that belong to one command, and do not apply to another one about the same file. */
export interface LeftOut {
  readonly switches?: readonly string[];
  readonly valued?: readonly string[];
}

/** @returns the arguments without some options, and without the name of their command */
export function argumentsWithout(
  [, ...args]: readonly string[],
  { switches = [], valued = [] }: LeftOut,
): string[] {
  return args.filter((arg, place) => {
    const name = arg.split('=', 1)[0] ?? '';
    return !switches.includes(arg) && !valued.includes(name) && !valued.includes(args[place - 1] ?? '');
  });
}
