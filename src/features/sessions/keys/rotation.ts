/** Settings of the rotation of dynamic keys. */
export interface RotationTimes {
  /** How long a dynamic key signs, in ms. */
  readonly intervalMs: number;
  readonly accessTokenValidityMs: number;
}

interface Dated {
  readonly createdAt: number;
}

const usualOverlapMs = 60_000;

/** A key is published this long before anything is signed with it; less only where keys live for seconds, in tests. */
export function overlapOf({ intervalMs }: RotationTimes): number {
  return intervalMs < usualOverlapMs ? intervalMs / 5 : usualOverlapMs;
}

/** How far the clocks of cores may differ. */
const skewMs = 300_000;

/** Leaves out keys from a core whose clock is ahead: such a key would sign until its time has come and its interval is over. */
function ofThePast<Key extends Dated>(keys: readonly Key[], now: number): Key[] {
  return keys.filter(({ createdAt }) => createdAt <= now + skewMs);
}

/** @param keys dynamic ones, newest first */
export function needsNewKey(keys: readonly Dated[], now: number, times: RotationTimes): boolean {
  const [newest] = ofThePast(keys, now);
  return newest === undefined || newest.createdAt < now - times.intervalMs + overlapOf(times);
}

/** The newest, unless it is so young that verifiers may not have it and the one before still signs. */
export function signingKeyOf<Key extends Dated>(
  keys: readonly Key[],
  now: number,
  times: RotationTimes,
): Key | undefined {
  const [newest, before] = ofThePast(keys, now);
  const isYoung = newest !== undefined && newest.createdAt > now - overlapOf(times);
  return isYoung && before !== undefined && before.createdAt >= now - times.intervalMs ? before : newest;
}

/** Whether tokens that the key signed may still be valid. */
export function isBelieved({ createdAt }: Dated, now: number, times: RotationTimes): boolean {
  return now <= createdAt + times.intervalMs + 2 * times.accessTokenValidityMs;
}

/** How long verifiers may keep the list of keys, in s: until the next key will be made. */
export function listMaxAgeSeconds(keys: readonly Dated[], now: number, times: RotationTimes): number {
  const made = ofThePast(keys, now)[0]?.createdAt ?? now;
  return Math.max(1, Math.floor((made + times.intervalMs - overlapOf(times) - now) / 1000));
}
