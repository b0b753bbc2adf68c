import { type Command, Option } from 'commander';
import type { Provider } from '../../../exports/providers/provider.ts';
import { CommandError } from '../../command-error.ts';

/** One flag for all providers that have it: `--pepper`. */
interface ProviderFlag {
  /** Without dashes. */
  readonly name: string;
  readonly takes: 'file' | 'value' | 'nothing';
  readonly isSecret: boolean;
  readonly about: string;
  readonly providers: readonly string[];
}

export interface ProviderSettings {
  readonly options: Readonly<Record<string, string>>;
  /** Which of the options are secrets. */
  readonly secrets: readonly string[];
  /** Files by table, as they were given. */
  readonly related: Readonly<Record<string, string>>;
}

type Values = Readonly<Record<string, unknown>>;

/** Adds the flags of every provider; `onlySecrets` for continuing an import. */
export function addProviderFlags(
  command: Command,
  providers: readonly Provider[],
  onlySecrets = false,
): Command {
  for (const flag of flagsOf(providers)) if (flag.isSecret || !onlySecrets) command.addOption(optionOf(flag));
  return command;
}

function optionOf({ name, takes, isSecret, about, providers }: ProviderFlag): Option {
  const secret = isSecret ? `; better in ${variableOf(name)}` : '';
  // Some options belong to nearly all formats.
  const whose = providers.length > 8 ? '' : ` (${providers.join(', ')}${secret})`;
  const flag = takes === 'nothing' ? `--${name}` : `--${name} <${takes}>`;
  return new Option(flag, `${about}${whose}`).helpGroup('Of the formats:');
}

function variableOf(name: string): string {
  return `CARRYOVER_${name.toUpperCase().replaceAll('-', '_')}`;
}

function flagsOf(providers: readonly Provider[]): ProviderFlag[] {
  const flags = new Map<string, ProviderFlag>();
  const add = (provider: Provider, flag: Omit<ProviderFlag, 'providers'>): void => {
    const known = flags.get(flag.name);
    flags.set(flag.name, {
      ...flag,
      about: known?.about ?? flag.about,
      isSecret: flag.isSecret || (known?.isSecret ?? false),
      providers: [...(known?.providers ?? []), provider.name],
    });
  };
  for (const provider of providers) {
    for (const { name, about, isSecret = false, isSwitch = false } of provider.options ?? [])
      add(provider, { name, about, isSecret, takes: isSwitch ? 'nothing' : 'value' });
    for (const { flag, name } of provider.tables)
      if (flag !== undefined)
        add(provider, { name: bare(flag), about: `file of its ${name}`, isSecret: false, takes: 'file' });
  }
  return [...flags.values()];
}

/** Providers write their flags with or without dashes and the word FILE. */
function bare(flag: string): string {
  return flag.replace(/^--/, '').replace(/[ =].*$/, '');
}

/**
 * The values given for this provider; secrets from the environment too.
 * @throws CommandError for a flag that belongs to others only, and would otherwise be ignored
 */
export function readProviderFlags(
  values: Values,
  provider: Provider,
  environment: Readonly<Record<string, string | undefined>>,
  providers: readonly Provider[],
): ProviderSettings {
  refuseForeign(values, provider, providers);
  const options: Record<string, string> = {};
  const secrets: string[] = [];
  for (const { name, isSecret } of provider.options ?? []) {
    const value = valueOf(values, name) ?? (isSecret ? environment[variableOf(name)] : undefined);
    if (value === undefined) continue;
    options[name] = value;
    if (isSecret) secrets.push(name);
  }
  const related = provider.tables.flatMap(({ flag, name }): [string, string][] => {
    const file = flag === undefined ? undefined : valueOf(values, bare(flag));
    return file === undefined ? [] : [[name, file]];
  });
  return { options, secrets, related: Object.fromEntries(related) };
}

function refuseForeign(values: Values, provider: Provider, providers: readonly Provider[]): void {
  const foreign = flagsOf(providers).find(
    ({ name, providers: of }) => valueOf(values, name) !== undefined && !of.includes(provider.name),
  );
  if (foreign)
    throw new CommandError(
      `--${foreign.name} is for ${foreign.providers.join(', ')}, and this is read as ${provider.name}: leave it out, or give another --from`,
    );
}

/** The flags of one provider, a line each. */
export function flagTexts(provider: Provider): string[] {
  return flagsOf([provider]).map(
    ({ name, takes, about }) => `--${name}${takes === 'nothing' ? '' : ` ${takes.toUpperCase()}`}  ${about}`,
  );
}

/** The names of its flags, without dashes. */
export function flagNames(provider: Provider): string[] {
  return flagsOf([provider]).map(({ name }) => name);
}

/** Commander stores `--firebase-signer-key` as `firebaseSignerKey`. */
function valueOf(values: Values, name: string): string | undefined {
  const value = values[name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
  if (value === true) return 'true';
  return typeof value === 'string' ? value : undefined;
}
