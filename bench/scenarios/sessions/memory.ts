import { externalIdOf } from '../../../src/load/made-up.ts';
import { sessionBody } from '../../../src/load/session-bodies.ts';
import { runLoad } from '../../load/run-load.ts';
import { type Stand, withCore } from '../../load/stand.ts';
import type { BenchOptions, Measurement } from '../../scenario.ts';

/** The bar for what 100,000 sessions add to the core's resident memory, MB. */
const promisedMb = 60;
const connections = 64;

/** The growth of a core's memory with many sessions, after some were begun before: they are rows in the database only. */
export async function memoryOfSessions(
  { cluster }: Stand,
  { quick, say }: BenchOptions,
): Promise<Measurement> {
  const [before, sessions] = quick ? [500, 2000] : [20_000, 100_000];
  return withCore(cluster, {}, async (core) => {
    const begin = (count: number) =>
      runLoad(core, {
        traffic: { kind: 'posts', path: '/recipe/session', bodies },
        loop: { kind: 'closed', connections, until: { visits: count } },
        say,
      });
    await begin(before);
    const ofBefore = core.memoryMb();
    await begin(sessions);
    const value = Math.max(0, core.memoryMb() - ofBefore);
    say(`${sessions} sessions: ${value.toFixed(0)} MB more than ${ofBefore.toFixed(0)}`);
    const ratio = value / promisedMb;
    return {
      name: 'sessions/memory',
      value,
      unit: 'MB',
      reference: 'the promise',
      referenceValue: promisedMb,
      ratio,
      spread: [ratio, ratio],
      atMost: 1,
      details: { sessions },
    };
  });
}

const bodies = Array.from({ length: 1000 }, (_, n) => sessionBody(externalIdOf(n)));
