import { oneRound, untilKnown } from '../rounds.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../scenario.ts';
import type { LoadResult } from './client/job.ts';
import { addCpu, cpuPlot, type CpuSplit, watchCpu } from './cpu.ts';
import { importPeople } from './import-people.ts';
import { someHash } from './people.ts';
import { runLoad } from './run-load.ts';
import { type Stand, withStand } from './stand.ts';
import { bareVerification } from './verify-floor.ts';

/**
 * Emails of imported users are verified over loopback HTTP: a token is asked for and redeemed, by 64 connections that each
 * wait for their answers. The reference does the same two statements in full batches without HTTP. Client, core and
 * PostgreSQL share the machine.
 */
export const verifyEmail: Scenario = {
  name: 'verify-email',
  about: 'a token and its redemption over HTTP, against the bare batch statements',
  run: (options) => withStand({}, (stand) => compare(stand, options)),
};

const connections = 64;

interface Round {
  readonly floor: number;
  readonly http: LoadResult;
  readonly cpu: CpuSplit;
}

async function compare(stand: Stand, { quick, say }: BenchOptions): Promise<Measurement[]> {
  const people = connections * (quick ? 40 : 400);
  await runRound(stand, connections * 10, say);
  const takeRound = async (n: number): Promise<Round> => {
    const round = await runRound(stand, people, say);
    const rates = [round.floor, round.http.perSecond].map((rate) => Math.round(rate).toLocaleString('en'));
    say(`round ${n}: bare statements ${rates[0]}/s, over HTTP ${rates[1]}/s`);
    return round;
  };
  const limits = quick ? oneRound : { least: 7, most: 20 };
  return untilKnown(limits, takeRound, (rounds) => [comparison(rounds, people)]);
}

/** Half of the people over HTTP, half of them by the bare statements: nobody is verified twice. */
async function runRound({ cluster, core }: Stand, people: number, say: BenchOptions['say']): Promise<Round> {
  await cluster.reset();
  const hash = { passwordHash: someHash, hashingAlgorithm: 'bcrypt' } as const;
  await importPeople(core, 2 * people, () => hash);
  await cluster.database.write('checkpoint');
  const floor = await bareVerification(cluster, { from: people, people });
  const cpu = watchCpu(core.pid, cluster.pid);
  const http = await runLoad(core, {
    traffic: { kind: 'verify-email', from: 0, people },
    loop: { kind: 'closed', connections, until: { visits: people } },
    say,
  });
  return { floor, http, cpu: cpu(http.cpuSeconds) };
}

function comparison(rounds: readonly Round[], people: number): Measurement {
  const last = rounds.at(-1)?.http;
  return measured(
    {
      name: 'verify-email',
      unit: 'emails/s',
      reference: 'bare batch statements',
      details: { connections, latencyMsOfARequest: last?.latencyMs, clientShareOfOneCore: last?.cpuShare },
      plots: [cpuPlot('verify-email', addCpu(rounds.map(({ cpu }) => cpu)), people * rounds.length)],
    },
    rounds.map(({ http, floor }) => [http.perSecond, floor]),
  );
}
