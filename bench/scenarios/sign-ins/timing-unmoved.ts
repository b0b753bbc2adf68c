import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { noLimits } from '../../load/mix.ts';
import { importRecords } from '../../load/people.ts';
import { type CoreProcess, runProcess } from '../../load/processes.ts';
import { withStand } from '../../load/stand.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../../scenario.ts';
import { randomNumbers } from '../../../src/load/random.ts';
import { areaUnderCurve, median } from '../../statistics.ts';
import { guessAll, shuffled } from './timing.ts';

/**
 * Whether the time of a refusal shows that an email belongs to a user who has not moved yet, if the old system is asked about
 * every email: wrong passwords for such users and for unknown emails, one at a time, in random order. The classifier is the time
 * itself, as in `timing`.
 */
export const timingUnmoved: Scenario = {
  name: 'timing-unmoved',
  about:
    'time of wrong passwords for users of an old system, against those for unknown emails that it is asked about',
  run: (options) =>
    withOldSystem((url) =>
      withStand(noLimits, async ({ core }) => {
        const { samples, rounds } = options.quick ? quick : full;
        const app = await appWithUsers(core, url, samples + warmUp);
        await sample(app, { from: samples, count: warmUp });
        const found: Times[] = [];
        for (let n = 0; n < rounds; n++) {
          const count = samples / rounds;
          const times = await sample(app, { from: n * count, count });
          found.push(times);
          sayMedians(options, n, times);
        }
        return [measurement(found)];
      }),
    ),
};

const full = { samples: 3000, rounds: 5 };
const quick = { samples: 20, rounds: 1 };
/** Discarded: connections, prepared statements, code. */
const warmUp = 20;
/** The range of the old system's answer times: narrow, so that a difference of the core's own remains visible. */
const answersMs = { from: 2, to: 6 };

const groups = ['unmoved', 'unknown'] as const;
type Times = Readonly<Record<(typeof groups)[number], readonly number[]>>;

/** It knows no password, and answers so after a random time that does not depend on the user. */
async function withOldSystem<Result>(work: (url: string) => Promise<Result>): Promise<Result> {
  const server = startAnswering();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function startAnswering(): Server {
  const next = randomNumbers(20_261_123);
  return createServer((request, response) => {
    request.resume().on('end', () => {
      const ms = answersMs.from + (next() % (answersMs.to - answersMs.from + 1));
      setTimeout(() => response.writeHead(403).end(), ms);
    });
  });
}

/** An app whose users have not moved yet. @returns the core, its URL that of the app */
async function appWithUsers(core: CoreProcess, oldSystem: string, users: number): Promise<CoreProcess> {
  const source = { name: 'old', speaks: 'http', url: oldSystem, hmac_secret: 'bench', until: '2999-12-31' };
  const coreConfig = { legacy_sources: [{ ...source, unknown: 'ask' }] };
  const answer = await fetch(`${core.url}/recipe/multitenancy/app/v2`, {
    method: 'PUT',
    headers: { 'api-key': core.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ appId: 'moving', coreConfig }),
  });
  if (!answer.ok) throw new Error(`no app: ${await answer.text()}`);
  const app = { ...core, url: `${core.url}/appid-moving` };
  const records = Array.from({ length: users }, (_, n) => ({
    loginMethods: [{ recipeId: 'emailpassword', email: `unmoved-${n}@signs.in`, legacy: 'old' }],
  }));
  await importRecords(app, records);
  return app;
}

/** Wrong passwords for `count` emails of each group. @returns ms of each */
async function sample(
  { url, apiKey }: CoreProcess,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<Times> {
  const order = shuffled(
    groups.flatMap((group) =>
      Array.from({ length: count }, (_, n) => ({ group, email: `${group}-${from + n}@signs.in` })),
    ),
    from,
  );
  const guesses = order.map(({ email }) => ({ email }));
  const timing = new URL('timing.ts', import.meta.url).href;
  const ms = await runProcess(timing, guessAll, { url, apiKey, guesses });
  const of = (group: (typeof groups)[number]) => ms.filter((_, n) => order[n]?.group === group);
  return { unmoved: of('unmoved'), unknown: of('unknown') };
}

function sayMedians(options: BenchOptions, round: number, times: Times): void {
  const medians = groups.map((group) => `${group} ${median(times[group]).toFixed(1)}`);
  options.say(`round ${round + 1}: medians in ms: ${medians.join(', ')}`);
}

/** 0.5 means that nothing can be distinguished: the bar is 0.48 to 0.52. */
const even = 0.5;

function measurement(rounds: readonly Times[]): Measurement {
  const unmoved = rounds.flatMap((times) => times.unmoved);
  const unknown = rounds.flatMap((times) => times.unknown);
  const facts = {
    name: 'timing-unmoved',
    unit: 'AUC against unknown emails',
    reference: 'indistinguishable',
    atLeast: 0.96,
    atMost: 1.04,
    details: {
      samplesOfEach: unmoved.length,
      medianMs: { unmoved: median(unmoved), unknown: median(unknown) },
    },
  };
  const ofRounds = rounds.map((times) => areaUnderCurve(times.unmoved, times.unknown) / even);
  const whole = measured(facts, [[areaUnderCurve(unmoved, unknown), even]]);
  return { ...whole, spread: [Math.min(...ofRounds), Math.max(...ofRounds)] };
}
