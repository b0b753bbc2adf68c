import { oneRound, untilKnown } from '../../rounds.ts';
import type { BenchOptions, Scenario } from '../../scenario.ts';
import type { Phase } from '../client/job.ts';
import type { CoreProcess } from '../processes.ts';
import { runLoad } from '../run-load.ts';
import { withCore, withStand } from '../stand.ts';
import { importMix, settingsFor, signInAtCapacity, threads } from './capacity.ts';
import { makeMix, type Mix, password } from './mix.ts';
import { comparison, inWords, judge, overload, patience, type Storm, underload } from './storm-results.ts';

/**
 * The morning after: people sign in at two and a half times the rate that the core can do, for a minute, then at half of
 * it. They wait 5 s for an answer, hang up and try again, or come back when a refusal says so, three times in all; and each
 * right password replaces a weaker hash when there is time. Overload must not lower what is done: sign-ins a second
 * during the storm, against those in a closed loop without upgrades in the same round.
 */
export const storm: Scenario = {
  name: 'storm',
  about: 'everybody signs in the morning after: what is done under overload, against the capacity',
  run: async (options) => {
    const mix = await makeMix();
    return withStand(settingsFor(mix, false), ({ cluster, core: calm }) =>
      withCore(cluster, { ...settingsFor(mix, true), ...usualWait }, async (stormed) => {
        const takeRound = async (): Promise<Storm> => {
          await cluster.reset();
          return runRound({ calm, stormed, mix }, options);
        };
        const limits = options.quick ? oneRound : { least: 3, most: 5 };
        return untilKnown(limits, takeRound, (results) => [comparison(results)]);
      }),
    );
  },
};

/** The core's own default: what is measured. */
const usualWait = { WAIT_LIMIT_MS: '3000' };
/** Who signs in to find the capacity. */
const regulars = 500;

interface Cores {
  /** Where the capacity is measured: it upgrades nothing. */
  readonly calm: CoreProcess;
  readonly stormed: CoreProcess;
  readonly mix: Mix;
}

async function runRound({ calm, stormed, mix }: Cores, { quick, say }: BenchOptions): Promise<Storm> {
  const [capacitySeconds, stormSeconds, calmSeconds] = quick ? [1, 4, 2] : [8, 60, 20];
  await importMix(calm, regulars, mix);
  const probe = { people: regulars, expectedRate: 20 * threads, seconds: capacitySeconds, say };
  for (const cold of [calm, stormed]) await signInAtCapacity(cold, { ...probe, seconds: 0, mayFail: true });
  const { perSecond: before } = await signInAtCapacity(calm, probe);
  const phases = [
    { rate: overload * before, seconds: stormSeconds },
    { rate: underload * before, seconds: calmSeconds },
  ];
  const people = crowdOf(phases);
  await importMix(calm, people, mix, regulars);
  const load = await runLoad(stormed, {
    traffic: { kind: 'sign-in', from: regulars, people, password },
    loop: { kind: 'open', phases, patience },
    mayFail: true,
    say,
  });
  // Compared with what was before and after it: a shared machine becomes faster or slower meanwhile.
  const { perSecond: after } = await signInAtCapacity(calm, probe);
  const result = judge(load, (before + after) / 2);
  say(inWords(result));
  return result;
}

/** So many that hardly anybody comes twice. */
function crowdOf(phases: readonly Phase[]): number {
  const expected = phases.reduce((sum, { rate, seconds }) => sum + rate * seconds, 0);
  return Math.ceil(expected * 1.1) + 50;
}
