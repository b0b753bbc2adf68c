import { randomBytes } from 'node:crypto';
/** Sign-ins by password: the most important graph during a cut-over. */
import { Counter, Gauge, type Registry } from 'prom-client';

/**
 * restricted: counted as wrong unless reveal_restrictions is set. moved: accepted by an old system, which refuses in legacy_wrong
 * and does not answer in legacy_unavailable. refused: overload, or the database is down.
 */
export type SignInOutcome =
  | 'ok'
  | 'moved'
  | 'wrong'
  | 'legacy_wrong'
  | 'restricted'
  | 'throttled'
  | 'legacy_unavailable'
  | 'refused'
  | 'failed';

export interface SignInMetrics {
  signIn(outcome: SignInOutcome): void;
  buildInfo(version: string): void;
}

export function signInMetrics(registry: Registry): SignInMetrics {
  const counts: Record<SignInOutcome, number> = {
    ok: 0,
    wrong: 0,
    restricted: 0,
    throttled: 0,
    refused: 0,
    failed: 0,
    moved: 0,
    legacy_wrong: 0,
    legacy_unavailable: 0,
  };
  const counter: Counter = new Counter({
    name: 'carryover_sign_ins_total',
    help: 'Sign-ins by password, by outcome',
    labelNames: ['outcome'],
    registers: [registry],
    // Labels are joined at a scrape: see RequestCounter.
    collect: () => {
      counter.reset();
      for (const [outcome, count] of Object.entries(counts)) counter.inc({ outcome }, count);
    },
  });
  const build = new Gauge({
    name: 'carryover_build_info',
    help: 'Always 1: the version of the core, and of Node',
    labelNames: ['version', 'node'],
    registers: [registry],
  });
  const core = new Gauge({
    name: 'carryover_core_info',
    help: 'Always 1: which of the cores behind one address has answered; another name at each start',
    labelNames: ['core'],
    registers: [registry],
  });
  core.set({ core: randomBytes(4).toString('hex') }, 1);
  return {
    signIn: (outcome) => {
      counts[outcome] += 1;
    },
    buildInfo: (version) => {
      build.set({ version, node: process.versions.node }, 1);
    },
  };
}
