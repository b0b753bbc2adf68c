import { Counter, type Registry } from 'prom-client';

export interface CarryMetrics {
  /** @param result of a token of an old system: carried, repeated, throttled, or why it was refused */
  sessionCarried(result: string): void;
}

export function carryMetrics(registry: Registry): CarryMetrics {
  const carried = new Counter({
    name: 'carryover_session_carries_total',
    help: 'Tokens of old systems that were to be exchanged for sessions, by outcome',
    labelNames: ['result'],
    registers: [registry],
  });
  return {
    sessionCarried: (result) => {
      carried.inc({ result });
    },
  };
}
