/** A core in one environment: started, filled, signed in to, stopped. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ControlGroup, makeControlGroup } from '../helpers/control-group.ts';
import {
  addressOf,
  makeWorkplace,
  type Program,
  runCommand,
  runMain,
  type Workplace,
} from '../helpers/process.ts';
import { type Proxy, startHaproxy, startNginx } from '../helpers/proxies.ts';
import type { Environment } from './environments.ts';
import { type KnownUser, knownUsers, linesOf, secrets } from './known-users.ts';

const bytesPerMiB = 1_048_576;
const key = 'a-key-of-twenty-characters-or-more';
/** A quarter of a CPU needs 40 s for its first start; more is a hang. */
const startMs = 240_000;
const importMs = 900_000;
const signInMs = 120_000;
const stopMs = 60_000;

export interface Outcome extends Environment {
  /** SUCCESS, REFUSED: the core or the import stated why, in the words of the pages; anything else is a fault. */
  readonly outcome: 'SUCCESS' | 'REFUSED' | 'FAULT';
  readonly why?: string;
  readonly startMs?: number;
  readonly importMs?: number;
  readonly signedIn?: number;
  /** Kinds whose hash the import rejected, because it exceeds this memory's limits. */
  readonly rejectedKinds?: readonly string[];
}

export interface TrialOptions {
  readonly environment: Environment;
  readonly users: number;
  /** Of an empty database; undefined for the embedded one. */
  readonly uri: string | undefined;
}

class Fault extends Error {}

/** Never throws: an error is the outcome. */
export async function tryEnvironment(options: TrialOptions): Promise<Outcome> {
  const { environment } = options;
  const place = await makeWorkplace('/var/tmp');
  const group = makeControlGroup(environment.memoryMb * bytesPerMiB, environment.cpus);
  const program = startCore(options, place, group);
  try {
    const tried = await runTrial(options, place, program);
    if (group.killed() > 0) throw new Fault(`the system killed ${group.killed()} processes`);
    return { ...environment, ...tried };
  } catch (error) {
    const killed = group.killed() > 0 ? `; the system killed ${group.killed()} processes` : '';
    const why = `${error instanceof Error ? error.message : String(error)}${killed}; log: ${lastLines(program)}`;
    return { ...environment, outcome: 'FAULT', why };
  } finally {
    program.child.kill('SIGKILL');
    await program.ended;
    await emptied(group);
    await place.remove();
  }
}

function startCore(
  { environment, uri }: TrialOptions,
  { dataDir }: Workplace,
  { enter }: ControlGroup,
): Program {
  const database = uri === undefined ? {} : { POSTGRESQL_CONNECTION_URI: uri };
  const settings = { ...secrets, ...database, FRONT_END: environment.frontEnd, DATA_DIR: dataDir };
  // With the default: tests have one thread for hashes.
  return runMain({ within: enter, environment: { API_KEYS: key, HASHING_THREADS: '', ...settings } });
}

async function runTrial(
  options: TrialOptions,
  place: Workplace,
  program: Program,
): Promise<Omit<Outcome, keyof Environment>> {
  const begun = Date.now();
  const address = await within(startMs, 'the start', ready(program));
  if (address === undefined) return refused(program);
  const started = Date.now() - begun;
  const proxy = await proxyOf(options.environment, new URL(address).port);
  try {
    const url = proxy?.url ?? address;
    const importing = Date.now();
    const { rejected, why } = await within(
      importMs,
      'the import',
      importUsers(url, options.users, path.dirname(place.dataDir)),
    );
    const imported = Date.now() - importing;
    await within(signInMs, 'the sign-ins', signInAll(url, rejected));
    const code = await within(stopMs, 'the stop', program.end());
    if (code[0] !== 0) throw new Fault(`the core ended with ${String(code[0] ?? code[1])}`);
    refuseTraces(program.stdout() + program.stderr());
    return {
      outcome: rejected.length === 0 && why === undefined ? 'SUCCESS' : 'REFUSED',
      ...(why !== undefined && { why }),
      startMs: started,
      importMs: imported,
      signedIn: knownUsers.length - rejected.length,
      ...(rejected.length > 0 && { rejectedKinds: rejected }),
    };
  } finally {
    await proxy?.stop();
  }
}

/** @returns undefined if the core has ended */
async function ready(program: Program): Promise<string | undefined> {
  try {
    const address = await addressOf(program);
    await program.printed(/"msg":"ready"/);
    return address;
  } catch {
    await program.ended;
    return undefined;
  }
}

async function refused(program: Program): Promise<{ readonly outcome: 'REFUSED'; readonly why: string }> {
  const [code, signal] = await program.ended;
  const said = program.stderr();
  if (code !== 1 || !/^[^\n]+\n$/.test(said))
    throw new Fault(`the start ended with ${String(code ?? signal)}: ${said}`);
  return { outcome: 'REFUSED', why: said.trim() };
}

/** With the snippets of the page, as people copy them. */
async function proxyOf({ through }: Environment, port: string): Promise<Proxy | undefined> {
  if (through === 'direct') return undefined;
  const page = await readFile(new URL('../../docs/operate/proxy.md', import.meta.url), 'utf8');
  const [, snippet = ''] = new RegExp(`\`\`\`${through}\n([^]*?)\`\`\``).exec(page) ?? [];
  const configuration = snippet.replaceAll('core:3567', `127.0.0.1:${port}`);
  return through === 'nginx' ? startNginx(configuration) : startHaproxy(configuration);
}

interface Imported {
  /** Kinds whose users were rejected. */
  readonly rejected: readonly string[];
  /** Why the import as a whole was refused. */
  readonly why?: string;
}

async function importUsers(url: string, users: number, folder: string): Promise<Imported> {
  const [file, rejects] = [path.join(folder, 'users.ndjson'), path.join(folder, 'rejects.ndjson')];
  await writeFile(file, [...linesOf(users)].join(''));
  const program = runCommand({
    arguments: [
      'import',
      file,
      '--from',
      'native',
      '--yes',
      '--url',
      url,
      '--rejects',
      rejects,
      '--out-dir',
      folder,
    ],
    environment: { CARRYOVER_API_KEY: key, HOME: folder },
  });
  const [code] = await program.ended;
  refuseTraces(program.stdout() + program.stderr());
  const refusal = /The core has \d+ MiB of memory, and imports need[^\n]*/.exec(program.stderr());
  if (code === 2 && refusal) return { rejected: await addOneByOne(url), why: refusal[0] };
  if (code !== 0 && code !== 1) throw new Fault(`the import ended with ${String(code)}: ${program.stderr()}`);
  if (code === 0) return { rejected: [] };
  const text = await readFile(rejects, 'utf8');
  const kinds = knownUsers.filter(({ email }) => text.includes(email)).map(({ kind }) => kind);
  const lines = text.split('\n').filter((line) => line.includes('"')).length;
  if (lines !== kinds.length) throw new Fault(`the import rejected ${lines} users: ${text.slice(0, 500)}`);
  return { rejected: kinds };
}

/** Users that a core without imports still accepts. @returns the kinds that it refuses */
async function addOneByOne(url: string): Promise<readonly string[]> {
  const rejected: string[] = [];
  for (const { kind, email, passwordHash } of knownUsers) {
    const reply = await fetch(`${url}/recipe/user/passwordhash/import`, {
      method: 'POST',
      headers: { 'api-key': key, connection: 'close' },
      body: JSON.stringify({ email, passwordHash, hashingAlgorithm: kind }),
    });
    const text = await reply.text();
    if (reply.status === 400 && /argon2_max_memory_kb|scrypt_max_memory_mb/.test(text)) rejected.push(kind);
    else if (reply.status !== 200)
      throw new Fault(`a user with ${kind} is answered with ${reply.status} ${text}`);
  }
  return rejected;
}

/** Each once, then four at a time with the most expensive hash, right and wrong, which kills small containers. */
async function signInAll(url: string, rejected: readonly string[]): Promise<void> {
  const able = knownUsers.filter(({ kind }) => !rejected.includes(kind));
  for (const user of able) {
    const status = await signIn(url, user, user.password);
    if (status !== 'OK') throw new Fault(`a sign-in with ${user.kind} is answered with ${status}`);
  }
  const mostExpensive = able.find(({ kind }) => kind === 'argon2');
  if (mostExpensive === undefined) return;
  const atOnce = [mostExpensive.password, mostExpensive.password, 'a wrong one', 'another wrong one'];
  await Promise.all(atOnce.map((password) => signIn(url, mostExpensive, password)));
}

async function signIn(url: string, { email }: KnownUser, password: string): Promise<string> {
  for (;;) {
    const body = JSON.stringify({ email, password });
    const headers = { 'api-key': key, connection: 'close' };
    const reply = await fetch(`${url}/recipe/signin`, { method: 'POST', headers, body });
    const text = await reply.text();
    if (reply.status === 200) return (JSON.parse(text) as { status: string }).status;
    // An overloaded core answers with a way to continue: repeat.
    if (reply.status !== 503) return `${reply.status} ${text}`;
    await delay(500);
  }
}

function refuseTraces(text: string): void {
  const trace = /^ *at .+:\d+:\d+\)?$|"stack":|Something unexpected/m.exec(text);
  if (trace)
    throw new Fault(`a stack trace: ${text.slice(Math.max(0, trace.index - 300), trace.index + 300)}`);
}

async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  const end = new AbortController();
  const late = delay(ms, undefined, { signal: end.signal }).then(() => {
    throw new Fault(`${what} took more than ${ms / 1000} s`);
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    end.abort();
  }
}

function lastLines(program: Program): string {
  return (program.stdout() + program.stderr()).trim().split('\n').slice(-3).join(' | ').slice(-1500);
}

/** PostgreSQL outlives a killed core by a moment. */
async function emptied(group: ControlGroup): Promise<void> {
  for (let turn = 0; turn < 200; turn++) {
    try {
      group.remove();
      return;
    } catch {
      await delay(100);
    }
  }
}
