import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Beside,
  inTimeMsOf,
  inTimeOf,
  latenciesOf,
  measuredInTime,
  middleOf,
  phasesOf,
  type Slices,
} from '../../load/latencies.ts';
import { noLimits } from '../../load/mix.ts';
import { importPeople, importRecords } from '../../load/people.ts';
import { type CoreProcess, type Listening, startServerProcess } from '../../load/processes.ts';
import { runLoad } from '../../load/run-load.ts';
import { withStand } from '../../load/stand.ts';
import { untilKnown } from '../../rounds.ts';
import type { BenchOptions, Measurement, Scenario } from '../../scenario.ts';
import { hash as argon2 } from '@node-rs/argon2';

/**
 * The effect of an old system's trouble on unrelated users: users who have moved sign in at a fixed rate, once alone and once
 * together with users who have not, for which a system is asked that is down, slow or answers garbage.
 */
export const oldSystem: Scenario = {
  name: 'old-system',
  about:
    'sign-ins of users who have moved, while the old system of others is in trouble, against the same without them',
  run: async (options) => {
    const server = await startServerProcess(import.meta.url, serveTroubles);
    try {
      return await withStand(
        { ...noLimits, LOG_LEVEL: 'error', LEGACY_SOURCES: sourcesAt(server.url) },
        async ({ core }) => {
          await importAll(core);
          const stand: Stand = { core, slices: options.quick ? quick : full, say: options.say };
          if (!options.quick) await movedSignIn(stand);
          return untilKnown(
            options,
            { least: 4, most: 8 },
            () => runRound(stand),
            (rounds) => troubles.map((trouble) => measurement(trouble, rounds, stand.slices)),
          );
        },
      );
    } finally {
      await server.stop();
    }
  },
};

const troubles = ['down', 'slow', 'garbage'] as const;
type Trouble = (typeof troubles)[number];
type Round = Readonly<Record<Trouble, Beside>>;

interface Stand {
  readonly core: CoreProcess;
  readonly slices: Slices;
  readonly say: BenchOptions['say'];
}

const full: Slices = { warmUpSeconds: 2, seconds: 4, count: 3 };
const quick: Slices = { warmUpSeconds: 0.5, seconds: 1, count: 1 };
const password = 'correct horse battery staple';
/** Users who have moved, and who have not, for each kind of trouble. */
const [moved, unmoved] = [50, 200];
/** Sign-ins a second: a third of the capacity of two CPU cores, and those of the other users. */
const [rate, unmovedRate] = [40, 20];
/** The bar for the p99 with them, as a multiple of that without. */
const times = 1.1;

/** A system that is down has a port without a listener: this one is never assigned. */
const nobodyListens = 'http://127.0.0.1:1';

function sourcesAt(url: string): string {
  const urls: Record<Trouble, string> = {
    down: nobodyListens,
    slow: `${url}/slow`,
    garbage: `${url}/garbage`,
  };
  const common = { speaks: 'http', hmac_secret: 'bench', until: '2999-12-31' };
  return JSON.stringify(troubles.map((name) => ({ name, url: urls[name], ...common })));
}

/** An old system in trouble; in a separate process. */
export async function serveTroubles(): Promise<Listening> {
  const listener: RequestListener = (request, response) => {
    request.resume();
    // A slow one makes everyone wait beyond the deadline.
    if (request.url === '/garbage') response.end('<html>It works!</html>');
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.once('SIGTERM', () => process.exit(0));
  return { port: (server.address() as AddressInfo).port };
}

async function importAll(core: CoreProcess): Promise<void> {
  const hash = { passwordHash: await argon2(password, policy), hashingAlgorithm: 'argon2' };
  await importPeople(core, moved, () => hash);
  for (const trouble of troubles)
    await importRecords(
      core,
      Array.from({ length: unmoved }, (_, n) => ({
        loginMethods: [{ recipeId: 'emailpassword', email: unmovedEmail(trouble, n), legacy: trouble }],
      })),
    );
}

/** The core's own: see src/config/schema.ts. */
const policy = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

function unmovedEmail(trouble: Trouble, n: number): string {
  return `${trouble}-${n}@signs.in`;
}

async function runRound(stand: Stand): Promise<Round> {
  const found: Partial<Record<Trouble, Beside>> = {};
  for (const trouble of troubles) {
    const atRest = latenciesOf(await movedSignIn(stand));
    const others = unmovedSignIn(stand, trouble);
    const signedIn = await movedSignIn(stand, inTimeMsOf(atRest, times));
    const outcomes = await others;
    if (Object.keys(outcomes).some((outcome) => outcome !== '503'))
      throw new Error(`unmoved users were answered otherwise than by 503: ${JSON.stringify(outcomes)}`);
    const beside = latenciesOf(signedIn);
    const [alone, with_] = [middleOf(atRest).p99, middleOf(beside).p99];
    stand.say(`${trouble}: p99 ${alone.toFixed(0)} ms alone, ${with_.toFixed(0)} ms beside it`);
    found[trouble] = { atRest, beside, inTime: inTimeOf(signedIn) };
  }
  return found as Round;
}

function movedSignIn({ core, slices, say }: Stand, inTimeMs?: number) {
  const traffic = { kind: 'sign-in', from: 0, people: moved, password } as const;
  const loop = { kind: 'open', phases: phasesOf(rate, slices) } as const;
  return runLoad(core, { traffic, loop, say, ...(inTimeMs !== undefined && { inTimeMs }) });
}

async function unmovedSignIn({ core, slices, say }: Stand, trouble: Trouble) {
  const bodies = Array.from({ length: unmoved }, (_, n) =>
    JSON.stringify({ email: unmovedEmail(trouble, n), password }),
  );
  const traffic = { kind: 'posts', path: '/recipe/signin', bodies } as const;
  const loop = { kind: 'open', phases: phasesOf(unmovedRate, slices) } as const;
  const { outcomes } = await runLoad(core, { traffic, loop, say, mayFail: true });
  return outcomes;
}

function measurement(trouble: Trouble, rounds: readonly Round[], slices: Slices): Measurement {
  const all = rounds.map((round) => round[trouble]);
  return measuredInTime(
    { name: `old-system/${trouble}`, times, details: { rate, unmovedRate, slices } },
    {
      atRest: all.flatMap(({ atRest }) => atRest),
      beside: all.flatMap(({ beside }) => beside),
      inTime: all.flatMap(({ inTime }) => inTime),
    },
  );
}
