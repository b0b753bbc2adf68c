/** What the core counts of old systems that it asks about passwords. */
import { Counter, Histogram, type Registry } from 'prom-client';

export interface LegacyMetrics {
  /** Counts a question to an old system. @param seconds 0 where it was not sent */
  legacyAsked(source: string, outcome: string, seconds: number): void;
}

const seconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Tenants name their sources as they like: of so many names each has its own series. */
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
  const names = new Set<string>();
  const labelOf = (source: string): string => {
    if (names.size < maxNames) names.add(source);
    return names.has(source) ? source : 'other';
  };
  return {
    legacyAsked: (name, outcome, tookSeconds) => {
      const source = labelOf(name);
      questions.inc({ source, outcome });
      if (tookSeconds > 0) durations.observe({ source }, tookSeconds);
    },
  };
}
