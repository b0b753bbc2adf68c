import { firstPlaceName } from '../domain/app-place.ts';
import { type Logger, reasonOf } from '../process/log.ts';
import type { Sealer } from '../process/sealer.ts';
import type { ConnectionTarget, Database } from '../database/database.ts';
import { OutageLog } from '../database/outage-log.ts';
import { joinPlace } from '../store/places/joining.ts';
import { onePlace, type Places, severalPlaces } from '../store/places/places.ts';
import { type ConnectionOptions, type Connections, onceReached, openConnections } from './connections.ts';
import type { Readiness } from './readiness.ts';
import { reach } from './reach.ts';

interface PlacesOptions extends Pick<ConnectionOptions, 'config' | 'someoneSignsIn' | 'statementTimeoutMs'> {
  readonly first: ConnectionTarget;
  readonly others: readonly NamedTarget[];
  readonly sealer: Sealer;
  readonly readiness: Readiness;
  readonly log: Logger;
  /** ms since the epoch */
  readonly now: () => number;
}

export interface NamedTarget {
  readonly name: string;
  readonly target: ConnectionTarget;
}

/** The databases of a core. */
export interface OpenPlaces extends Places {
  readonly all: readonly [Connections, ...Connections[]];
  /**
   * Begins to reach the places after the first one, which must be reached. Resolves when each was reached or found away: a place
   * that is away is tried again in the background, and its apps are refused until then.
   * @throws errors that no retry can fix
   */
  readonly reachOthers: () => Promise<void>;
  readonly close: (timeoutMs: number) => Promise<void>;
}

export function openPlaces(options: PlacesOptions): OpenPlaces {
  const { readiness, others } = options;
  const first = open(options, { name: firstPlaceName, target: options.first }, () => readiness.reached);
  const opened = others.map((other) => openOther(options, other));
  const all: OpenPlaces['all'] = [first, ...opened.map(({ connections }) => connections)];
  const places = opened.length === 0 ? onePlace(first) : severalPlaces(all);
  return {
    ...places,
    all,
    reachOthers: async () => {
      await Promise.all(opened.map((place) => place.reach(first.live)));
    },
    close: async (timeoutMs) => {
      await Promise.all(all.map((place) => place.close(timeoutMs)));
    },
  };
}

function open(options: PlacesOptions, place: NamedTarget, isReached: () => boolean): Connections {
  const { config, someoneSignsIn, statementTimeoutMs, now } = options;
  const log = logOf(options, place);
  const outages = new OutageLog({ log, now, hasBegun: isReached });
  return openConnections({ ...place, config, log, someoneSignsIn, outages, isReached, statementTimeoutMs });
}

/** With one place only, lines are without its name. */
function logOf({ log, others }: PlacesOptions, { name }: NamedTarget): Logger {
  return others.length === 0 ? log : log.child({ place: name });
}

interface OtherPlace {
  readonly connections: Connections;
  /** @param first the database of the first place */
  readonly reach: (first: Database) => Promise<void>;
}

function openOther(options: PlacesOptions, place: NamedTarget): OtherPlace {
  let isReached = false;
  const log = logOf(options, place);
  const connections = open(options, place, () => isReached);
  const gated = (database: Database): Database => onceReached(database, () => isReached);
  return {
    connections: {
      ...connections,
      live: gated(connections.live),
      imports: gated(connections.imports),
      lanes: gated(connections.lanes),
    },
    reach: (first) => {
      const firstAttempt = Promise.withResolvers<undefined>();
      const reaching = reach({
        database: connections.live,
        target: place.target,
        log,
        sealer: options.sealer,
        stopped: options.readiness.stopped,
        finish: () => joinPlace(connections.live, place.name, first.read),
        onAway: () => {
          firstAttempt.resolve(undefined);
        },
      }).then(async (wasReached) => {
        isReached = wasReached;
        if (wasReached) await connections.failoverWatch?.read();
      });
      // After the first attempt, the start no longer waits for the outcome.
      reaching.then(
        () => {
          firstAttempt.resolve(undefined);
        },
        (error: unknown) => {
          firstAttempt.reject(error);
          log.error({ reason: reasonOf(error) }, 'the place cannot be used: its apps are refused');
        },
      );
      return firstAttempt.promise;
    },
  };
}
