import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { carryover } from '../../process/called.ts';
import { secretFrom } from '../../process/secret-file.ts';
import { portOfCore } from '../../process/listening-note.ts';
import { CoreClient, CoreRefusal } from './core-client.ts';
import { commandErrorOf } from './core-errors.ts';
import { CommandError } from '../command-error.ts';
import { addressText, HttpClient, type Server } from './http.ts';
import { serveFolder } from '../serve-folder.ts';
import type { Surroundings } from '../surroundings.ts';
import type { RelayCore } from './relay.ts';
import { TusClient } from './tus.ts';
import { waitForCore } from './wait.ts';

/** As commander gives them. */
export interface ServerOptions {
  /** Left out: from the environment, or else this machine's. */
  readonly url?: string;
  /** Seconds to wait for a core that is away. */
  readonly patience: string;
  /** Whether it changes users: if so, a core whose database accepts no writes is waited for. */
  readonly writes?: boolean;
  readonly apiKey?: string;
  readonly app?: string;
  readonly insecureHttp?: boolean;
  /** Does not report where the API key comes from. */
  readonly isQuiet?: boolean;
}

/** Its clients reach any of several cores that have one database. */
export interface Core {
  /** The one that messages name. */
  readonly server: Server;
  readonly client: CoreClient;
  readonly tus: TusClient;
  /** Each address alone, for the parts of an upload; the server's first. */
  readonly cores: readonly RelayCore[];
}

/** For a private network, such as that of compose.yaml. */
const insecureHttp = 'CARRYOVER_INSECURE_HTTP';
const serverGroup = 'Which core:';
export const defaultUrl = 'http://127.0.0.1:3567';
/** Environment variable with the address of the core. */
const addressVariable = 'CARRYOVER_URL';

export function addServerOptions(command: Command): Command {
  command.addOption(
    new Option(
      '--url <url>',
      `address of the core; of several with one database, between commas: import sends its parts through all, other commands ask one that answers; left out: ${addressVariable}, else ${defaultUrl}`,
    ).helpGroup(serverGroup),
  );
  return addKeyOption(command).addOption(
    new Option('--app <id>', 'app of the core; left out: public').helpGroup(serverGroup),
  );
}

/** The API key, and whether it may be sent unencrypted. */
export function addKeyOption(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--api-key <key>',
        'better in CARRYOVER_API_KEY, or a file that CARRYOVER_API_KEY_FILE names, where no other user sees it; for a core on this machine, the key of ./data or of `carryover serve` is found',
      ).helpGroup(serverGroup),
    )
    .addOption(
      new Option(
        '--insecure-http',
        `send the API key and the records to another host in the clear; or ${insecureHttp}=true`,
      ).helpGroup(serverGroup),
    )
    .addOption(
      new Option(
        '--patience <duration>',
        'how long to wait for a core that does not listen yet, restarts or cannot reach its database, such as 90s, 5m or 1h; 0 for no wait',
      )
        .default('300', '5m')
        .argParser(parsePatience)
        .helpGroup(serverGroup),
    );
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, min: 60, h: 3600 };

/** @returns whole seconds, as text */
function parsePatience(text: string): string {
  return String(parseSeconds(text));
}

/** @param text such as 90s, 5m or 1h @throws InvalidArgumentError */
export function parseSeconds(text: string): number {
  const [, amount, unit = 's'] = /^(\d{1,7})(s|m|min|h)?$/.exec(text.trim()) ?? [];
  if (amount === undefined) throw new InvalidArgumentError('It takes a duration such as 90s, 5m or 1h.');
  return Number(amount) * (unitSeconds[unit] ?? 1);
}

/**
 * Runs `work` with a core, and turns the core's refusals into messages.
 * @throws CommandError
 */
export async function withCore<Result>(
  options: ServerOptions,
  surroundings: Surroundings,
  work: (core: Core) => Promise<Result>,
): Promise<Result> {
  const urls = addressesOf(options, surroundings);
  const { patience, writes = false } = options;
  const url = await waitForCore({ urls, patience: Number(patience), writes }, surroundings);
  // The key of a core on this machine is known once it listens.
  const server = await resolveServer(url, options, surroundings);
  const others = urls.filter((each) => each !== url).map((each) => ({ ...server, url: each }));
  try {
    return await work(coreAt(server, others));
  } catch (error) {
    throw commandErrorOf(error, server);
  }
}

/**
 * `withCore`, for a question about one import.
 * @throws CommandError also if the core has no such import
 */
export function withImport<Result>(
  id: string,
  options: ServerOptions,
  surroundings: Surroundings,
  work: (core: Core) => Promise<Result>,
): Promise<Result> {
  return withCore(options, surroundings, async (core) => {
    try {
      return await work(core);
    } catch (error) {
      if (!(error instanceof CoreRefusal) || error.code !== 'NOT_FOUND') throw error;
      throw new CommandError(
        `There is no import ${JSON.stringify(id)} in this core: '${carryover} jobs${flagsFor(core.server)}' lists them`,
        {
          cause: error,
          code: 'UNKNOWN_JOB',
          field: 'job',
          next: [
            { command: `${carryover} jobs${flagsFor(core.server)}`, reason: 'lists the imports of the core' },
          ],
        },
      );
    }
  });
}

/** The flags by which a later command reaches the same app of the same core; begins with a blank, and is empty if none are needed. */
export function flagsFor({ url, app }: Pick<Server, 'url' | 'app'>): string {
  const isDefault = url.href === new URL(defaultUrl).href;
  return `${isDefault ? '' : ` --url ${addressText(url)}`}${app === undefined ? '' : ` --app ${app}`}`;
}

/** @param others of the same database */
export function coreAt(server: Server, others: readonly Server[] = []): Core {
  const http = new HttpClient(server, others);
  const cores = [server, ...others].map((each) => ({
    name: addressText(each.url),
    tus: new TusClient(new HttpClient(each)),
  }));
  return { server, client: new CoreClient(http), tus: new TusClient(http), cores };
}

/** The addresses in the form of `--url`, the server's first. */
export function addressesText({ cores }: Pick<Core, 'cores'>): string {
  return cores.map(({ name }) => name).join(',');
}

/**
 * The core's addresses: `--url`, or else the environment, which is shown because the command line does not have it.
 * @throws CommandError for an address that is not usable
 */
function addressesOf(options: ServerOptions, surroundings: Surroundings): URL[] {
  const fromEnvironment = surroundings.environment[addressVariable]?.trim() ?? '';
  const isStated = options.url !== undefined || fromEnvironment === '';
  const text = isStated ? (options.url ?? defaultUrl) : fromEnvironment;
  const urls = text
    .split(',')
    .map((each) => parseUrl(each.trim(), isStated ? '--url' : addressVariable))
    .map((url) => allowedUrl(url, options, surroundings));
  const names = urls.map(addressText);
  const twice = names.find((name, place) => names.indexOf(name) < place);
  if (twice !== undefined) throw new CommandError(`${twice} is given twice: give each core once`);
  if (!isStated && options.isQuiet !== true)
    surroundings.stderr.write(`Core: ${names.join(', ')} (${addressVariable})\n`);
  return urls;
}

function allowedUrl(url: URL, options: ServerOptions, surroundings: Surroundings): URL {
  if (url.protocol === 'http:' && !isThisMachine(url) && !isInsecureAllowed(options, surroundings))
    throw new CommandError(
      `${url.origin} is another host, and http:// would show the API key and all hashes on the way: give an https:// address, or --insecure-http in a network of your own`,
    );
  return url;
}

async function resolveServer(url: URL, options: ServerOptions, surroundings: Surroundings): Promise<Server> {
  const app = options.app?.trim().toLowerCase();
  if (app !== undefined && !/^[a-z0-9-]{1,64}$/.test(app))
    throw new CommandError('--app takes letters, digits and hyphens, at most 64');
  const given = options.apiKey ?? secretFrom(surroundings.environment, 'CARRYOVER_API_KEY');
  const apiKey =
    given === undefined || given.trim() === ''
      ? await keyOfThisMachine(url, options, surroundings)
      : given.trim();
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    throw new CommandError('The API key holds a character that no key can: give it again');
  return { url, apiKey, app: app === 'public' ? undefined : app };
}

/** @param name of the option or variable with it */
function parseUrl(text: string, name: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new CommandError(`${name} takes an address such as ${defaultUrl}`);
  if (url.username !== '' || url.password !== '')
    throw new CommandError(`${name} takes no user and password: give the key with --api-key`);
  url.search = '';
  url.hash = '';
  return url;
}

function isThisMachine({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

function isInsecureAllowed({ insecureHttp: allowed }: ServerOptions, { environment }: Surroundings): boolean {
  return allowed === true || environment[insecureHttp] === 'true';
}

/**
 * The key that the first start of a core created: of one whose data is in `./data`, or of `carryover serve`. Given only to the
 * process that listens for it.
 */
async function keyOfThisMachine(
  url: URL,
  { isQuiet = false }: ServerOptions,
  surroundings: Surroundings,
): Promise<string | undefined> {
  if (!isThisMachine(url)) return undefined;
  const { folder } = surroundings;
  const note = (line: string): void => {
    if (!isQuiet) surroundings.stderr.write(line);
  };
  const own = serveFolder(surroundings);
  const unsent: string[] = [];
  for (const [dataDir, name] of [
    [path.join(folder, 'data'), './data'],
    [own, own],
  ] as const) {
    const key = (await readFile(path.join(dataDir, 'api-key'), 'utf8').catch(() => '')).trim();
    if (key === '') continue;
    const port = await portOfCore(dataDir);
    if (port === portOf(url)) {
      note(`API key: from ${name}/api-key\n`);
      return key;
    }
    unsent.push(unsentKey(name, url, port));
  }
  for (const line of unsent) note(line);
  return undefined;
}

function unsentKey(name: string, url: URL, port: number | undefined): string {
  const cure =
    port === undefined
      ? 'start it, or give the key of the core that does with --api-key'
      : `it listens at port ${port}: give --url ${url.protocol}//${url.hostname}:${port}, or --api-key with the key of the other core`;
  return `API key: that of ${name}/api-key is not sent, because the core of ${name} does not listen at ${url.origin}: ${cure}\n`;
}
