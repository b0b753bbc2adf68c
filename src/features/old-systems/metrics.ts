/** Counts of questions to old systems. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { cachedRead } from '../../process/metrics/cached-read.ts';

export interface LegacyMetrics {
  /** Calls `read` for the number of users with a password in an old system, at a scrape and at most once a minute. */
  watchLegacyUsers(read: () => Promise<Left>): void;
  /** Counts a question to an old system. @param seconds 0 if it was not sent */
  legacyAsked(source: string, outcome: string, seconds: number): void;
  /** Counts a question that begins or ends its wait for a turn. */
  legacyWaiting(source: string, change: 1 | -1): void;
}

type Left = readonly { readonly source: string; readonly users: number }[];

const validMs = 60_000;
const seconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Tenants choose the names of their sources: this number of names gets a series each. */
const maxNames = 100;

export function legacyMetrics(registry: Registry): LegacyMetrics {
  const questions = new Counter({
    name: 'carryover_legacy_questions_total',
    help: 'Passwords that an old system had to decide about, by what came of it',
    labelNames: ['source', 'outcome'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'carryover_legacy_question_duration_seconds',
    help: 'From a question to an old system to its answer',
    labelNames: ['source'],
    buckets: seconds,
    registers: [registry],
  });
  const waiting = new Gauge({
    name: 'carryover_legacy_questions_waiting',
    help: 'Passwords that wait until an old system has time for them',
    labelNames: ['source'],
    registers: [registry],
  });
  let usersLeft: () => Promise<Left | undefined> = () => Promise.resolve(undefined);
  const left: Gauge = new Gauge({
    name: 'carryover_legacy_users',
    help: 'Users whose password an old system still knows',
    labelNames: ['source'],
    registers: [registry],
    collect: async () => {
      const counts = await usersLeft();
      if (counts === undefined) return;
      left.reset();
      for (const { source, users } of counts) left.inc({ source: labelOf(source) }, users);
    },
  });
  const names = new Set<string>();
  const labelOf = (source: string): string => {
    if (names.size < maxNames) names.add(source);
    return names.has(source) ? source : 'other';
  };
  return {
    watchLegacyUsers: (read) => {
      usersLeft = cachedRead(read, { validMs });
    },
    legacyWaiting: (name, change) => {
      waiting.inc({ source: labelOf(name) }, change);
    },
    legacyAsked: (name, outcome, tookSeconds) => {
      const source = labelOf(name);
      questions.inc({ source, outcome });
      if (tookSeconds > 0) durations.observe({ source }, tookSeconds);
    },
  };
}
