/** What is wrong is said before anything is sent: the key, the core, the clock, this machine. */

import { readFileSync } from 'node:fs';
import { CoreClient, refusalOf } from '../client/core-client.ts';
import { addressText, HttpClient, textOf } from '../client/http.ts';
import type { Core } from '../client/server.ts';
import { CommandError } from '../command-error.ts';
import { count, plural } from '../output/format.ts';
import type { Surroundings } from '../surroundings.ts';
import { type AppView, isGuest, listApps } from './app/guest.ts';
import { people } from './measure.ts';

/** A request without a body that the scope opens: the key is looked at before the body, so nothing is changed by it. */
const probes = [
  { scope: 'read', method: 'GET', path: '/recipe/multitenancy/app/list/v2' },
  { scope: 'admin', method: 'POST', path: '/recipe/multitenancy/app/remove' },
  { scope: 'import', method: 'POST', path: '/bulk-import/jobs?onConflict=nothing' },
  { scope: 'sign-in', method: 'POST', path: '/recipe/signin' },
] as const;

/**
 * Makes sure that the key may do all of it.
 * @param scopes that are needed
 * @throws CommandError for a key that lacks one of them; CoreRefusal for one that the core does not know
 */
export async function requireScopes(
  { server }: Core,
  scopes: readonly (typeof probes)[number]['scope'][],
  signal: AbortSignal,
): Promise<void> {
  const http = new HttpClient(server);
  const missing: string[] = [];
  for (const { scope, method, path } of probes.filter((each) => scopes.includes(each.scope))) {
    const body = method === 'GET' ? {} : { body: '{}', headers: { 'content-length': '2' } };
    const response = await http.send({ method, path, ...body, idleTimeoutMs: 60_000, signal });
    const status = response.statusCode ?? 0;
    if (status === 200 || status === 400) await textOf(response);
    else {
      const refused = await refusalOf(response);
      if (refused.code !== 'KEY_SCOPE_MISSING') throw refused;
      missing.push(scope);
    }
  }
  if (missing.length === 0) return;
  throw new CommandError(
    `The key lacks ${missing.length === 1 ? 'the scope' : 'the scopes'} ${missing.join(', ')}, and nothing was sent: give one with ${scopes.join(', ')} (and metrics, to see what is short)`,
    { code: 'KEY_SCOPE_MISSING', field: '--api-key', cure: `give a key with ${scopes.join(', ')}` },
  );
}

/** Users that are not of a load. */
export interface Inhabitants {
  readonly apps: number;
  readonly users: number;
}

/** @returns undefined for a core without users of its own */
export async function inhabitantsOf(
  { client, server }: Core,
  signal: AbortSignal,
): Promise<Inhabitants | undefined> {
  const apps = (await listApps(client, signal)).filter((app) => !isGuest(app));
  const counts: number[] = [];
  for (const app of apps) counts.push(await usersOf(app, server, signal));
  const users = counts.reduce((sum, each) => sum + each, 0);
  return users === 0 ? undefined : { apps: counts.filter((each) => each > 0).length, users };
}

/** An app with keys of its own does not answer this one: it is in use, however many users it has. */
async function usersOf({ appId }: AppView, server: Core['server'], signal: AbortSignal): Promise<number> {
  const client = new CoreClient(new HttpClient({ ...server, app: appId === 'public' ? undefined : appId }));
  const asked = client.call<{ readonly count: number }>({
    method: 'GET',
    path: '/users/count?includeAllTenants=true',
    signal,
  });
  const { count: users } = await asked.catch((error: unknown) => {
    signal.throwIfAborted();
    if (appId === 'public') throw error;
    return { count: 1 };
  });
  return users;
}

/** @throws CommandError unless it is accepted */
export function requireTestCore(
  inhabitants: Inhabitants | undefined,
  { app, load, isKnown, url }: { app: string; load: string; isKnown: boolean; url: URL },
): void {
  if (inhabitants === undefined || isKnown) return;
  const { users, apps } = inhabitants;
  throw new CommandError(
    `The core at ${addressText(url)} is not empty: it has ${plural(users, 'user')} in ${plural(apps, 'app')}, who would wait for this load. ` +
      `It would make the app '${app}', send ${load} into it, and remove it afterwards. Nothing was sent: give the address of a test core, or --i-know`,
    { code: 'CORE_IN_USE', field: '--i-know', cure: 'give the address of a test core, or --i-know' },
  );
}

/** Tokens, and the beginning of a load that several machines send, need clocks that agree. */
const mostAheadMs = 5000;

/** @throws CommandError */
export async function requireClock({ server }: Core, { now, interrupt }: Surroundings): Promise<void> {
  const http = new HttpClient(server);
  const before = now();
  const response = await http.send({
    method: 'GET',
    path: '/livez',
    idleTimeoutMs: 60_000,
    signal: interrupt,
  });
  await textOf(response);
  const theirs = Date.parse(response.headers.date ?? '');
  if (Number.isNaN(theirs)) return;
  // The header has whole seconds; the answer was written somewhere between both moments.
  const ahead = before - (theirs + 1000) > 0 ? before - (theirs + 1000) : Math.min(0, now() - theirs);
  if (Math.abs(ahead) <= mostAheadMs) return;
  throw new CommandError(
    `The clock of this machine is ${count(Math.round(Math.abs(ahead) / 1000))} s ${ahead > 0 ? 'ahead of' : 'behind'} that of ${addressText(server.url)}, and nothing was sent: set it by NTP (timedatectl set-ntp true), or the core's`,
    { code: 'CLOCK_OFF', cure: 'set the clock by NTP' },
  );
}

/** What a client machine has. */
export interface Machine {
  /** Local ports to one address; undefined if unknown. */
  readonly ports: number | undefined;
  readonly files: number | undefined;
}

export function machineHere(): Machine {
  const [low, high] = numbersIn('/proc/sys/net/ipv4/ip_local_port_range', /(\d+)\s+(\d+)/);
  const [files] = numbersIn('/proc/self/limits', /Max open files\s+(\d+)/);
  return { ports: low === undefined || high === undefined ? undefined : high - low + 1, files };
}

function numbersIn(file: string, form: RegExp): (number | undefined)[] {
  try {
    const [, ...found] = form.exec(readFileSync(file, 'utf8')) ?? [];
    return found.map(Number);
  } catch {
    // Not Linux: nothing is known.
    return [];
  }
}

/** For files, standard streams and the metrics. */
const spareFiles = 64;

/**
 * At worst all visitors wait as long as people do: that many connections are open then.
 * @throws CommandError
 */
export function requireRoom({ ports, files }: Machine, rate: number): void {
  const needed = Math.ceil((rate * people.waitMs) / 1000);
  const found = [
    ...(files === undefined
      ? []
      : [{ has: files - spareFiles, what: 'open files', cure: 'raise it (ulimit -n)' }]),
    ...(ports === undefined
      ? []
      : [{ has: ports, what: 'ports', cure: 'widen net.ipv4.ip_local_port_range' }]),
  ];
  const short = found.find(({ has }) => has < needed);
  if (short === undefined) return;
  throw new CommandError(
    `At ${count(rate)}/s up to ${count(needed)} visits may wait at the same time, and this machine has ${count(Math.max(0, short.has))} ${short.what} for them. Nothing was sent: ${short.cure}, send it from several machines (--share 1/2), or lower the rate`,
    { code: 'CLIENT_TOO_SMALL', field: '--rate', cure: short.cure },
  );
}

/** @returns the most visits a second that this machine has room for */
export function roomFor({ ports = Infinity, files = Infinity }: Machine): number {
  return Math.floor((Math.min(ports, files - spareFiles) * 1000) / people.waitMs);
}
