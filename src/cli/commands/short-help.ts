/**
 * Help that fits one screen. A command with many options lists the main ones in groups, each in a few words; `--help --all` lists
 * every option in full, and `--from <format> --help` adds those of the format.
 */

import type { Command, Option } from 'commander';
import { carryover } from '../../process/called.ts';
import { findProvider } from '../../exports/providers/index.ts';
import type { Provider } from '../../exports/providers/provider.ts';
import { flagNames } from '../input/flags/provider-flags.ts';

/** A heading, and the options under it: by their long names without dashes, each with a short text. */
export type HelpGroup = readonly [title: string, options: Readonly<Record<string, string>>];

/** For every command that reads a file of users. */
export const readingGroup: HelpGroup = [
  'Reading the file:',
  {
    from: 'its format; left out: recognised from the content',
    map: "a field and the file's column, such as email=mail",
    'hash-as': 'what hashes are that do not show it, such as md5',
    'without-password': 'users with only an email: passwordless, reject …',
    'id-prefix': 'put before every external id, such as forum:',
    tenant: 'tenant of the users; left out: public',
  },
];

/** For every command that calls a core. */
export const coreGroup: HelpGroup = [
  'Which core:',
  {
    url: 'its address, else CARRYOVER_URL, else this host',
    'api-key': 'better in CARRYOVER_API_KEY, or in a file',
    app: 'its app; left out: public',
  },
];

/** The arrangement of a command's help. */
interface Arranged {
  readonly groups: readonly HelpGroup[];
  /** As the user types them. */
  readonly examples: readonly string[];
  /** The command line's. */
  readonly args: readonly string[];
  /** Whether it reads exports. Default true. */
  readonly hasFormats?: boolean;
}

/** Arranges the help of a command whose options were all added. */
export function addShortHelp(
  command: Command,
  { groups, examples, args, hasFormats = true }: Arranged,
): Command {
  const provider = () => findProvider(command.opts<{ from?: string }>().from ?? '');
  const isWhole = args.includes('--all');
  if (!isWhole) arrange(command, groups, provider);
  return command.addHelpText('after', () =>
    footer({ command, examples, isWhole, hasFormats, provider: provider() }),
  );
}

function arrange(command: Command, groups: readonly HelpGroup[], provider: () => Provider | undefined): void {
  const short = new Map(groups.flatMap(([, options]) => Object.entries(options)));
  const usual = command.createHelp();
  command.configureHelp({
    visibleOptions: ({ options }) => {
      const of = provider();
      const names = of === undefined ? [...short.keys()] : flagNames(of);
      return options.filter((each) => names.includes(nameOf(each)));
    },
    optionDescription: (option) =>
      provider() === undefined ? (short.get(nameOf(option)) ?? '') : usual.optionDescription(option),
    // Its first sentence, and the alternatives to a single file.
    argumentDescription: (argument) => usual.argumentDescription(argument).split(';', 2).join(';'),
    groupItems: <Item extends Command | Option>(_all: Item[], visible: Item[]) =>
      provider() === undefined
        ? grouped(visible, groups)
        : new Map([[`Options of ${provider()?.name ?? ''}:`, visible]]),
  });
}

function nameOf(item: Command | Option): string {
  return ('long' in item ? (item.long ?? '') : '').replace(/^--(no-)?/, '');
}

/** By heading, in the order of the groups. */
function grouped<Item extends Command | Option>(
  items: readonly Item[],
  groups: readonly HelpGroup[],
): Map<string, Item[]> {
  return new Map(
    groups.map(([title, options]) => [
      title,
      Object.keys(options).flatMap((name) => items.filter((each) => nameOf(each) === name)),
    ]),
  );
}

interface Footer {
  readonly command: Command;
  readonly examples: readonly string[];
  readonly isWhole: boolean;
  readonly hasFormats: boolean;
  readonly provider: Provider | undefined;
}

function footer({ command, examples, isWhole, hasFormats, provider }: Footer): string {
  const help = (flags: string) => `${carryover} ${command.name()} ${flags}--help`;
  const lines = [
    ...(provider === undefined ? [] : [`${provider.title}: docs/from/${provider.name}.md`]),
    ...(isWhole || !hasFormats || provider !== undefined
      ? []
      : [`Options of a format: ${help('--from auth0 ')}`]),
    ...(provider === undefined ? [] : [`Main options: ${help('')}`]),
    ...(isWhole ? [] : [`All options: ${help('')} --all`]),
  ];
  return `\n${['Examples:', ...examples.map((line) => `  ${line}`), ...lines].join('\n')}\n`;
}
