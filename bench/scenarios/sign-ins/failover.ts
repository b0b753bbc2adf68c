import { setTimeout as delay } from 'node:timers/promises';
import { type Replicated, startReplicated } from '../../../test/helpers/replicated.ts';
import { type CoreProcess, startCoreProcess } from '../../load/processes.ts';
import { noLimits } from '../../load/mix.ts';
import { untilKnown } from '../../rounds.ts';
import { measured, type Measurement, type Scenario } from '../../scenario.ts';

/**
 * A primary is killed and its synchronous standby promoted, under sign-ins. The promotion is the operator's part: what is measured
 * begins when it has ended.
 */
export const failover: Scenario = {
  name: 'failover',
  about: 'sign-ins after the primary was killed and its standby promoted, against two seconds',
  run: (options) =>
    untilKnown(
      options,
      {
        least: 5,
        most: 5,
        inWords: ({ backMs, awayMs }) =>
          `back after ${backMs.toFixed(0)} ms, away for ${awayMs.toFixed(0)} ms`,
      },
      runRound,
      (rounds) => [result(rounds)] as const,
    ),
};

const promisedMs = 2000;
const clients = 4;
const person = { email: 'ada@failover.test', password: 'correct horse battery staple' };

interface Round {
  /** From the end of the promotion to the first sign-in. */
  readonly backMs: number;
  /** From the kill to the first sign-in, promotion included. */
  readonly awayMs: number;
}

async function runRound(): Promise<Round> {
  const pair = await startReplicated();
  try {
    await pair.makeSynchronous();
    const core = await startCoreProcess(pair.uri, undefined, { ...noLimits, LOG_LEVEL: 'error' });
    try {
      return await failOver(pair, core);
    } finally {
      await core.stop();
    }
  } finally {
    await pair.stop();
  }
}

async function failOver(pair: Replicated, core: CoreProcess): Promise<Round> {
  if ((await ask(core, '/recipe/signup')) !== 'OK') throw new Error('the first sign-up was refused');
  const signIns = signingIn(core);
  await signIns.next();
  const killedAt = performance.now();
  await pair.primary.kill();
  await pair.promote();
  const promotedAt = performance.now();
  const backAt = await signIns.next();
  await signIns.stop();
  return { backMs: backAt - promotedAt, awayMs: backAt - killedAt };
}

/** @returns the status, or what went wrong */
async function ask({ url, apiKey }: CoreProcess, path: string): Promise<string> {
  try {
    const headers = { 'api-key': apiKey };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(person) });
    return String(((await answer.json()) as { status?: unknown }).status);
  } catch (error) {
    return String(error);
  }
}

interface SigningIn {
  /** Resolves with the time of the next sign-in that begins and succeeds from now on, as of `performance.now()`. */
  next(): Promise<number>;
  stop(): Promise<void>;
}

/** Clients that sign in, and after a refusal a moment later again. */
function signingIn(core: CoreProcess): SigningIn {
  let isOver = false;
  let next = Promise.withResolvers<number>();
  let since = 0;
  const client = async (): Promise<void> => {
    while (!isOver) {
      const begunAt = performance.now();
      const status = await ask(core, '/recipe/signin');
      if (status === 'OK' && begunAt >= since) next.resolve(performance.now());
      if (status !== 'OK') await delay(5);
    }
  };
  const going = Promise.all(Array.from({ length: clients }, client));
  return {
    next: () => {
      since = performance.now();
      next = Promise.withResolvers();
      return next.promise;
    },
    stop: async () => {
      isOver = true;
      await going;
    },
  };
}

function result(rounds: readonly Round[]): Measurement {
  return measured(
    {
      name: 'failover',
      unit: 'ms until a sign-in succeeds',
      reference: 'two seconds after the promotion',
      atMost: 1,
      details: { awayMs: rounds.map(({ awayMs }) => Math.round(awayMs)) },
    },
    rounds.map(({ backMs }) => [backMs, promisedMs]),
  );
}
