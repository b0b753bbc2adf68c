import { guessTablesInMemory } from '../../operations/sign-in/guess-tables.ts';
import { GuessThrottle } from '../../operations/sign-in/throttle.ts';
import type { Logger } from '../../process/log.ts';
import { removeInAll } from '../../store/expired-rows.ts';
import type { FeatureParts } from '../feature.ts';
import { sessions } from '../sessions/feature.ts';
import { carryOperations, type CarryOperations as Carrying } from './carry.ts';
import type { CarryContext } from './context.ts';
import { RailsKeys } from './cookies/rails.ts';
import { KeySets } from './jwt/key-sets.ts';
import { type CarryMetrics, carryMetrics } from './metrics.ts';
import { Redeemer } from './redeem.ts';
import { carryStore } from './store/store.ts';
import { removeExpiredCarries, removeExpiredOpaque } from './store/expired.ts';

export interface CarryOperations extends Carrying {
  /** @returns how many rows of exchanged and imported tokens it removed */
  removeExpired(): Promise<number>;
}

/** Tokens and addresses that are remembered for their refusals. */
const throttleEntries = 20_000;

export function openSessionCarry(parts: FeatureParts): CarryOperations {
  const { context: heart, openStores, databases, outgoing, config, log } = parts;
  const { now } = heart;
  const metrics = carryMetrics(parts.metrics.registry);
  const carries = openStores(({ batches, live }) => carryStore(batches, live));
  const context: CarryContext = {
    heart,
    carries,
    sessions: parts.offered(sessions),
    opening: {
      keySets: new KeySets(outgoing.exchange, now),
      redeemer: new Redeemer(outgoing.sendOnce),
      railsKeys: new RailsKeys(),
      store: carries,
      now,
    },
    throttle: new GuessThrottle({
      limits: config.guesses,
      tables: guessTablesInMemory(throttleEntries),
      now,
      onRefused: () => {
        metrics.sessionCarried('throttled');
      },
    }),
    onToken: noteToken(metrics, log),
  };
  return {
    ...carryOperations(context),
    removeExpired: async () =>
      (await removeInAll(databases, removeExpiredCarries, now())) +
      (await removeInAll(databases, removeExpiredOpaque, now())),
  };
}

function noteToken(metrics: CarryMetrics, log: Logger): CarryContext['onToken'] {
  return (token) => {
    metrics.sessionCarried(token.result);
    if (token.result !== 'carried' && token.result !== 'repeated')
      log.info(token, 'a token of an old system was refused');
  };
}
