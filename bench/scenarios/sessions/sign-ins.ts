import { madeUpMix, password } from '../../../src/load/made-up.ts';
import type { Traffic } from '../../load/client/job.ts';
import { importMix, settingsFor, threads } from '../../load/mix.ts';
import { runLoad } from '../../load/run-load.ts';
import { withStand } from '../../load/stand.ts';
import { untilKnown } from '../../rounds.ts';
import { type BenchOptions, measured, type Measurement } from '../../scenario.ts';

const people = 200;
/** The same as in the scenario of sign-ins. */
const connections = 4 * threads;

interface Round {
  readonly withSession: number;
  readonly without: number;
}

/** Sign-ins that are each followed by a session, relative to sign-ins alone: the most that the core can do. */
export async function signInsWithSessions(options: BenchOptions): Promise<Measurement> {
  const mix = madeUpMix;
  return withStand(settingsFor(mix, false), async ({ core }) => {
    await importMix(core, people, mix);
    const run = async (kind: 'sign-in' | 'sign-in-with-session') => {
      const traffic: Traffic = { kind, from: 0, people, password };
      const until = { visits: options.quick ? 60 : 300 };
      return (
        await runLoad(core, { traffic, loop: { kind: 'closed', connections, until }, say: options.say })
      ).perSecond;
    };
    await run('sign-in-with-session');
    const runRound = async (): Promise<Round> => ({
      without: await run('sign-in'),
      withSession: await run('sign-in-with-session'),
    });
    const facts = { name: 'sessions/sign-in', unit: 'sign-ins/s', reference: 'without sessions' };
    const [found] = await untilKnown(
      options,
      { least: 7, most: 14, inWords },
      runRound,
      (rounds) =>
        [
          measured(
            facts,
            rounds.map(({ withSession, without }) => [withSession, without]),
          ),
        ] as const,
    );
    return found;
  });
}

function inWords({ withSession, without }: Round): string {
  return `sign-ins ${without.toFixed(1)}/s, with a session each ${withSession.toFixed(1)}/s`;
}
