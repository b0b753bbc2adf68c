/** Computes the CPU cores needed while users sign in: plain arithmetic over measurements. */

/** Some of those who sign in with a password. */
export interface MixPart {
  /** Of all of them, 0 to 1. */
  readonly share: number;
  /** ms of one core's time to verify its hash. */
  readonly verifyMs: number;
  /** Whether a first sign-in replaces its hash. */
  readonly isUpgraded: boolean;
}

/** ms of one core's time. */
export interface SignInCosts {
  /** Computing a hash by the policy, and so verifying one. */
  readonly policyMs: number;
  /** A sign-in without its password: the core's process, which is one thread, and PostgreSQL. */
  readonly coreMs: number;
  readonly databaseMs: number;
}

/** The cost of sign-ins at a fixed rate while some users' hashes are already upgraded. */
export interface MorningStep {
  /** The share that has been upgraded, of the hashes to upgrade, 0 to 1. */
  readonly upgraded: number;
  /** ms of one core's time a sign-in, in total. */
  readonly cpuMs: number;
  /** The part for the upgrades. */
  readonly upgradeMs: number;
  /** For passwords, at the target utilisation. */
  readonly hashingCores: number;
  readonly coreCores: number;
  readonly databaseCores: number;
  /** The sum, as whole cores. */
  readonly cores: number;
  /** ms that a sign-in waits for a core on average, with that number of cores. */
  readonly waitMs: number;
}

/** Of the users, in the busiest hour of the first morning: assumed unless arrivals are stated. */
export const busiestHourShare = 0.1;
/** Arrivals in each hour of the first morning, relative to the busiest: all users have come after twelve. */
export const morningHours: readonly number[] = [0.3, 0.6, 0.9, 1, 1, 1, 1, 0.9, 0.9, 0.8, 0.8, 0.8];

/** @returns sign-ins a second in the busiest hour of the first morning */
export function busiestArrivals(users: number): number {
  return (users * busiestHourShare) / secondsAnHour;
}

const secondsAnHour = 3600;

/** Above it waiting grows faster than load; below it cores are idle. */
export const targetUtilisation = 0.7;
export const upgradedShares: readonly number[] = [0, 0.25, 0.5, 0.75, 1];

/**
 * @param arrivals password sign-ins a second
 * @param upgraded share of the upgradable users who have signed in before, 0 to 1
 */
export function morningStep(
  arrivals: number,
  mix: readonly MixPart[],
  costs: SignInCosts,
  upgraded: number,
): MorningStep {
  const { policyMs, coreMs, databaseMs } = costs;
  const first =
    mix.reduce((sum, { share, isUpgraded }) => sum + (isUpgraded ? share : 0), 0) * (1 - upgraded);
  const verifyMs = mix.reduce((sum, part) => sum + part.share * verifyMsOf(part, policyMs, upgraded), 0);
  const perSecond = arrivals / 1000;
  // An upgrade computes a hash and writes once more.
  const hashingLoad = perSecond * (verifyMs + first * policyMs);
  const coreLoad = perSecond * coreMs * (1 + first);
  const databaseLoad = perSecond * databaseMs * (1 + first);
  const load = hashingLoad + coreLoad + databaseLoad;
  const cores = Math.max(1, Math.ceil(load / targetUtilisation - 1e-9));
  return {
    upgraded,
    cpuMs: load / perSecond,
    upgradeMs: first * (policyMs + coreMs + databaseMs),
    hashingCores: hashingLoad / targetUtilisation,
    coreCores: coreLoad / targetUtilisation,
    databaseCores: databaseLoad / targetUtilisation,
    cores,
    waitMs: meanWaitMs(load, cores, load / perSecond),
  };
}

function verifyMsOf({ verifyMs, isUpgraded }: MixPart, policyMs: number, upgraded: number): number {
  return isUpgraded ? (1 - upgraded) * verifyMs + upgraded * policyMs : verifyMs;
}

/**
 * Mean wait of an M/M/c queue, by Erlang's formula C in its stable recursion.
 * @param load arriving work, in cores @param serviceMs of one piece of it
 * @returns Infinity when more arrives than `cores` can do
 */
export function meanWaitMs(load: number, cores: number, serviceMs: number): number {
  if (load >= cores) return Infinity;
  let blocked = 1; // Erlang B with no server
  for (let n = 1; n <= cores; n++) blocked = (load * blocked) / (n + load * blocked);
  const waits = blocked / (1 - (load / cores) * (1 - blocked));
  return (waits * serviceMs) / (cores - load);
}
