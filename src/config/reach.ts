/** Limits for an app's own key: the addresses of its sources, and the costs of its hashes. */
import { mayBePublic, type Reach } from '../domain/access/reach.ts';
import type { HashLimits, SessionSource } from '../domain/model.ts';
import { readSources } from './legacy/read-sources.ts';
import { readSessionSources } from './sources/session-sources.ts';

/** Stored next to each list of sources; never accepted from a request. */
export const reachKeys = {
  legacy_sources: 'legacy_sources_reach',
  session_sources: 'session_sources_reach',
} as const;
export type ReachKey = (typeof reachKeys)[keyof typeof reachKeys];

type Lists = Readonly<Partial<Record<keyof typeof reachKeys, unknown>>>;
type Reaches = Readonly<Partial<Record<ReachKey, unknown>>>;
const lists = Object.keys(reachKeys) as (keyof typeof reachKeys)[];

/** @returns the reach of each list in a change, null for a removed list */
export function reachesOf(change: Lists, reach: Reach): Partial<Record<ReachKey, Reach | null>> {
  const given = lists.filter((list) => change[list] !== undefined);
  return Object.fromEntries(given.map((list) => [reachKeys[list], change[list] === null ? null : reach]));
}

/** States the default reach of stored lists, which would otherwise inherit another level's. */
export function withStatedReaches<Config extends Lists & Reaches>(config: Config): Config {
  const unstated = lists.filter(
    (list) => config[list] !== undefined && config[reachKeys[list]] === undefined,
  );
  return { ...config, ...Object.fromEntries(unstated.map((list) => [reachKeys[list], 'unstated'])) };
}

/** A list without a stated reach may have been set with the app's own key, if the app has one. */
export function reachIn(own: Reaches, list: keyof typeof reachKeys, hasOwnKeys: boolean): Reach {
  const stated = own[reachKeys[list]];
  if (stated === 'any' || stated === 'public') return stated;
  return hasOwnKeys ? 'public' : 'any';
}

/** @returns a problem with a change by an app's own key, as words that follow the setting's name */
export function beyondReach({
  legacy_sources: legacy,
  session_sources: sessions,
}: Lists): string | undefined {
  const read = legacy === undefined || legacy === null ? undefined : readSources(legacy);
  const place = read?.ok === true ? read.value.findIndex(({ url }) => !isReachable(url)) : -1;
  if (place >= 0) return `'legacy_sources' source ${place + 1}: 'url' ${notPublic}`;
  const sources = typeof sessions === 'string' ? readSessionSources(sessions) : [];
  for (const source of sources) {
    const field = Object.entries(urlsOf(source)).find(([, url]) => url !== undefined && !isReachable(url));
    if (field) return `'session_sources' source '${source.name}': '${field[0]}' ${notPublic}`;
  }
  return undefined;
}

const notPublic =
  'is a loopback, link-local or private address: give a public one, or set it with a key of the core';

function isReachable(url: string): boolean {
  return mayBePublic(new URL(url).hostname);
}

function urlsOf(source: SessionSource): Readonly<Record<string, string | undefined>> {
  if (source.speaks !== 'jwt' && source.speaks !== 'refresh') return {};
  const { keys } = source;
  return {
    jwks: keys.from === 'url' ? keys.url : undefined,
    ...(source.speaks === 'refresh' && { token_url: source.tokenUrl }),
  };
}

/**
 * @param keys the setting of each ceiling
 * @param highest the core's own ceilings, or higher ones that a key of the core gave the app
 * @returns a problem with a change by an app's own key
 */
export function aboveCeiling(
  change: Readonly<Record<string, unknown>>,
  keys: Readonly<Record<keyof HashLimits, string>>,
  highest: HashLimits,
): string | undefined {
  for (const [name, key] of Object.entries(keys) as [keyof HashLimits, string][])
    if (Number(change[key] ?? 0) > highest[name])
      return `'${key}' must be at most ${highest[name]} with a key of the app: lower it, or set it with a key of the core`;
  return undefined;
}
