import { type Command, Option } from 'commander';
import { carryover } from '../../../process/called.ts';
import { addKeyOption, type Core, type ServerOptions, withCore } from '../../client/server.ts';
import { CommandError, type ExitCode, exitCodes } from '../../command-error.ts';
import { addYesOption, confirm, type ConfirmOptions } from '../../confirm/confirm.ts';
import { isGuest, listApps, newAppName, removeGuest } from '../../load/app/guest.ts';
import { number, parseDuration, parseRate, parseShare, parseTime, parseUrls } from '../../load/flags.ts';
import { usualBounds } from '../../load/measure.ts';
import { mixNamed } from '../../load/mixes/from-file.ts';
import { mixes, type Share } from '../../load/mixes/mix.ts';
import { madeUpPeople, type People, peopleOfTwin } from '../../load/people/people.ts';
import {
  inhabitantsOf,
  machineHere,
  requireClock,
  requireRoom,
  requireScopes,
  requireTestCore,
  roomFor,
} from '../../load/preflight.ts';
import { liveOn } from '../../load/report/live.ts';
import { askedOf } from '../../load/report/asked.ts';
import { machineOf } from '../../load/report/report.ts';
import { type LoadOptions, runLoad } from '../../load/run.ts';
import { readYaml } from '../../load/yaml.ts';
import { asJson } from '../../output/answer.ts';
import { count, plural } from '../../output/format.ts';
import type { Surroundings } from '../../surroundings.ts';
import { type AddCommand, addJsonOption, type Frame } from '../command.ts';
import { addShortHelp, coreGroup, type HelpGroup } from '../short-help.ts';
import { addMerge } from './merge.ts';
import { addResultOptions, giveResult, type ResultOptions } from './result.ts';

interface LoadCommandOptions extends Omit<ServerOptions, 'url' | 'app'>, ConfirmOptions, ResultOptions {
  readonly mix: string;
  readonly people?: string;
  readonly passwords?: string;
  readonly madeUp: number;
  readonly rate?: number;
  readonly for: number;
  readonly step: number;
  readonly within: number;
  readonly most?: number;
  readonly share: Share;
  readonly at?: number;
  readonly cores: readonly URL[];
  readonly config?: string;
  readonly iKnow?: boolean;
  readonly clean?: boolean;
}

export const addLoad: AddCommand = (program, frame) => {
  const { args, surroundings, action } = frame;
  const command = program
    .command('load')
    .summary('send a load to a deployed core, and say whether it bears it')
    .description(
      'Makes an app in the core, fills it with people, lets them sign in at a rate, or at growing rates until the core is at its limit, and removes the app. Visits begin at their planned moments, however long the ones before them take, and latencies count from there.',
    )
    .argument(
      '[url]',
      'address of the core, or of the balancer before several; left out: CARRYOVER_URL, else this host',
    );
  addResultOptions(addSearchOptions(addLoadOptions(command)))
    .option('--i-know', 'the core has users of its own, and they may wait for this load')
    .option('--clean', 'remove all apps that earlier loads left in the core, and nothing else');
  addKeyOption(addJsonOption(addYesOption(command)));
  addShortHelp(command, { groups: mainOptions, examples: exampleLines, args, hasFormats: false }).action(
    action((url: string | undefined, options: LoadCommandOptions) => {
      const server = { ...options, writes: true, ...(url !== undefined && { url }) };
      return withCore(server, surroundings, (core) =>
        options.clean === true ? clean(core, options, surroundings) : load(core, options, frame),
      );
    }),
  );
  // Options after `merge` are its own, although `load` has some of the same names.
  program.enablePositionalOptions();
  addMerge(command.enablePositionalOptions(), frame);
};

/** What is sent, and how long. */
function addLoadOptions(command: Command): Command {
  return command
    .option(
      '--mix <name|file>',
      `what people do: ${mixes.map(({ name }) => name).join(', ')}, or a file.yaml`,
      'first-morning',
    )
    .option('--people <file>', 'NDJSON of native records, such as a twin of your users; needs --passwords')
    .option('--passwords <file>', 'their known passwords: CSV with email and password, or NDJSON')
    .addOption(
      number('--made-up <N>', 'without --people: so many made-up people', 1, 1_000_000).default(1000),
    )
    .addOption(
      new Option(
        '--rate <N/s>',
        'visits a second; left out: the highest that is borne is searched',
      ).argParser(parseRate),
    )
    .addOption(
      new Option('--for <duration>', 'how long, with --rate: 60s, 5m, 1h')
        .default(60, '60s')
        .argParser(parseDuration),
    );
}

/** How the limit is searched, and how several machines share a load. */
function addSearchOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--step <duration>', 'how long each rate of the search is tried')
        .default(10, '10s')
        .argParser(parseDuration),
    )
    .addOption(number('--within <ms>', 'the p99 that is still borne', 1, 60_000).default(usualBounds.p99Ms))
    .addOption(
      new Option(
        '--most <N/s>',
        'the highest rate that the search tries; left out: what this machine has room for',
      ).argParser(parseRate),
    )
    .addOption(
      new Option(
        '--share <K/N>',
        'this machine sends the K-th of N equal parts of the rate, into an app of its own',
      )
        .default({ part: 1, of: 1 }, '1/1')
        .argParser(parseShare),
    )
    .addOption(
      new Option('--at <time>', 'when the load begins, for several machines: 2026-11-27T10:30:00Z').argParser(
        parseTime,
      ),
    )
    .addOption(
      new Option(
        '--cores <urls>',
        'addresses of the single cores behind a balancer, between commas, for their metrics; left out: the balancer is asked often enough to meet each',
      )
        .default([], 'through the balancer')
        .argParser(parseUrls),
    )
    .option(
      '--config <file>',
      'settings of the app, such as the twin.config.yaml of a twin whose hashes need a key',
    );
}

const exampleLines = [
  `${carryover} load https://core.test.example --made-up 10000`,
  `${carryover} load https://core.test.example --people twin.ndjson --passwords twin.passwords.csv --page load.html`,
  `${carryover} load https://core.test.example --mix steady --rate 200/s --for 5m --fail-if 'p99 > 500 ms' --yes`,
  `${carryover} load --clean https://core.test.example`,
  `${carryover} load merge 1.json 2.json 3.json`,
];

/** The options that `load --help` shows without `--all`. */
const mainOptions: readonly HelpGroup[] = [
  [
    'The load:',
    {
      mix: 'first-morning, steady, import, sign-in, or a file.yaml',
      people: 'a twin of your users; needs --passwords',
      passwords: 'the passwords of the twin',
      config: 'the twin.config.yaml, if there is one',
      'made-up': 'or so many made-up people; 1000 if left out',
      rate: 'visits a second; left out: the limit is searched',
      for: 'how long, with --rate; 60s if left out',
      within: 'the p99 that is still borne; 1000 ms if left out',
      share: 'this machine sends the K-th of N parts of the rate',
      at: 'when all machines begin, such as 2026-11-27T10:30:00Z',
    },
  ],
  [
    'The result:',
    {
      'fail-if': "end with 1 if crossed, such as 'p99 > 500 ms'",
      page: 'write the report as a page, too',
      json: 'print one JSON object at the end, and nothing else',
    },
  ],
  [
    'Care:',
    {
      'i-know': 'the core has users of its own, who may wait',
      clean: 'remove the apps that earlier loads left, nothing else',
      yes: 'do it without asking',
    },
  ],
  [coreGroup[0], { 'api-key': coreGroup[1]['api-key'] ?? '' }],
];

async function load(
  core: Core,
  asked: LoadCommandOptions,
  { surroundings, version }: Frame,
): Promise<ExitCode> {
  const { interrupt, now } = surroundings;
  if (asked.share.of > 1 && asked.rate === undefined)
    throw new CommandError('--share: several machines cannot search the limit together: give --rate', {
      field: '--share',
    });
  if (asked.share.of > 1 && asked.at === undefined)
    throw new CommandError(
      '--share: all machines begin at the same moment: give each the same --at, late enough to fill the apps',
      { field: '--at' },
    );
  const startedAt = now();
  const options = await optionsOf(asked, surroundings);
  const { appId, rate, share } = options;
  await requireScopes(core, ['read', 'admin', 'import', 'sign-in'], interrupt);
  await requireClock(core, surroundings);
  requireRoom(machineHere(), (rate ?? 1) / share.of);
  const load = loadInWords(options);
  const inhabitants = await inhabitantsOf(core, interrupt);
  requireTestCore(inhabitants, { app: appId, load, isKnown: asked.iKnow === true, url: core.server.url });
  const lines = [`Would make the app '${appId}', send ${load} into it, and remove it`];
  await confirm({ lines, would: { makes: appId, sends: load } }, asked, surroundings);
  const loaded = await runLoad(core, options, surroundings, liveOn(surroundings));
  const machine = machineOf(loaded.shown, { app: appId, file: undefined, share });
  const report = { version, asked: askedOf(core.server, options), loaded, startedAt, machines: [machine] };
  return giveResult('load', report, asked, surroundings);
}

async function optionsOf(asked: LoadCommandOptions, surroundings: Surroundings): Promise<LoadOptions> {
  const mix = await mixNamed(asked.mix, surroundings);
  const people = await peopleOf(asked, surroundings);
  const settings = asked.config === undefined ? {} : await readYaml(asked.config, '--config', surroundings);
  return {
    appId: newAppName(surroundings.now()),
    mix,
    people,
    settings: { ...people.settings, ...settings },
    rate: asked.rate,
    seconds: asked.for,
    stepSeconds: asked.step,
    bounds: { ...usualBounds, p99Ms: asked.within },
    share: asked.share,
    at: asked.at,
    cores: asked.cores,
    patienceMs: Number(asked.patience) * 1000,
    mostRate: asked.most ?? Math.max(1, roomFor(machineHere())),
  };
}

async function peopleOf(
  { people, passwords, madeUp }: LoadCommandOptions,
  surroundings: Surroundings,
): Promise<People> {
  if (people === undefined && passwords === undefined) return madeUpPeople(madeUp);
  if (people === undefined || passwords === undefined) {
    const [given, missing] = people === undefined ? ['--passwords', '--people'] : ['--people', '--passwords'];
    throw new CommandError(`${given} needs ${missing}: people sign in with the passwords of that file`, {
      field: missing,
    });
  }
  return peopleOfTwin({ records: people, passwords }, surroundings);
}

function loadInWords({ people, rate, share, seconds, mostRate }: LoadOptions): string {
  const how =
    rate === undefined
      ? `growing rates of visits, up to the limit or ${count(mostRate)}/s`
      : `${rate / share.of} visits a second for ${seconds} s`;
  return `${plural(people.users, 'user')} and ${how}`;
}

/** Removes what earlier loads left: apps with the name and the mark of one. */
async function clean(
  { client }: Core,
  asked: LoadCommandOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { interrupt, stdout, stderr } = surroundings;
  const apps = (await listApps(client, interrupt)).filter(isGuest).map(({ appId }) => appId);
  if (apps.length > 0) {
    const lines = [`Would remove ${plural(apps.length, 'app')} of earlier loads: ${apps.join(', ')}`];
    const question = 'A load that runs now, from another machine too, would lose its app. Remove them?';
    await confirm({ lines, would: { removes: apps }, question }, asked, surroundings);
  }
  for (const appId of apps) {
    await removeGuest(client, appId, interrupt);
    stderr.write(`Removed ${appId}\n`);
  }
  if (asked.json === true) stdout.write(asJson('load', { removed: apps }));
  else
    stdout.write(
      apps.length === 0 ? 'No load has left an app here\n' : `Removed ${plural(apps.length, 'app')}\n`,
    );
  return exitCodes.ok;
}
