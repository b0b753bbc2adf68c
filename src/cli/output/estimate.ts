import { type ServerOptions, withCore } from '../client/server.ts';
import type { Surroundings } from '../surroundings.ts';

/** How fast an import will be. */
export interface ImportRate {
  readonly usersPerSecond: number;
  /** Where the number comes from, for people. */
  readonly basis: string;
}

/** Without a core to ask: what a machine with 2 cores does, core and PostgreSQL on it, with room to spare. */
const assumedUsersPerSecond = 10_000;
const jobsAsked = 5;

/** From the last imports of the core, if it can be asked. */
export async function estimateRate(options: ServerOptions, surroundings: Surroundings): Promise<ImportRate> {
  const signal = AbortSignal.any([surroundings.interrupt, AbortSignal.timeout(5000)]);
  const jobs = await withCore(options, surroundings, ({ client }) => client.jobs(signal)).catch(
    () => undefined,
  );
  surroundings.interrupt.throwIfAborted();
  const done = (jobs ?? [])
    .filter(({ state, lines, usersPerSecond }) => state === 'done' && lines > 0 && usersPerSecond > 0)
    .slice(0, jobsAsked);
  const users = done.reduce((sum, { lines }) => sum + lines, 0);
  const seconds = done.reduce((sum, { lines, usersPerSecond }) => sum + lines / usersPerSecond, 0);
  if (seconds > 0) return { usersPerSecond: users / seconds, basis: 'as the last imports of this core' };
  const why = jobs ? 'this core has imported nothing yet' : 'no core could be asked';
  return { usersPerSecond: assumedUsersPerSecond, basis: `assumed: ${why}` };
}
