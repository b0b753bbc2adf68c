/** An upload that is sent through several cores, as `carryover import --url A,B,C` does. */
import { HttpClient, type Server } from '../../src/cli/client/http.ts';
import { type RelayCore, type RelayRun } from '../../src/cli/client/relay.ts';
import { Patience } from '../../src/cli/client/retry.ts';
import { TusClient } from '../../src/cli/client/tus.ts';
import type { UploadSource } from '../../src/cli/input/source.ts';

/** @param isLengthKnown if not, the source knows its length at its end, like an export that is converted */
export function sourceOf(bytes: Buffer, isLengthKnown = true): UploadSource {
  let length = isLengthKnown ? bytes.length : undefined;
  return {
    unit: 'line',
    get length() {
      return length;
    },
    fileBytes: bytes.length,
    async *open(offset) {
      for (let at = offset; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
      length = await Promise.resolve(bytes.length);
    },
    fileBytesAt: (offset) => offset,
  };
}

export type Relaying = Omit<RelayRun, 'id' | 'source'>;

/**
 * Parts have 20 kB, so that a small file has many.
 * @param onPart called with the number of parts that were sent, before each is sent
 */
export function relayingOf(
  servers: readonly Server[],
  signal: AbortSignal,
  onPart?: (count: number) => Promise<void> | void,
): Relaying {
  const [first, ...others] = servers;
  if (first === undefined) throw new Error('there is no core');
  let sent = 0;
  const counted = (server: Server): RelayCore => {
    const tus = new TusClient(new HttpClient(server));
    const append = tus.append.bind(tus);
    tus.append = async (...args) => {
      await onPart?.(++sent);
      return append(...args);
    };
    return { name: server.url.href, tus };
  };
  return {
    tus: new TusClient(new HttpClient(first, others)),
    cores: servers.map(counted),
    patience: new Patience(300_000, Date.now),
    patienceMs: 0,
    now: Date.now,
    onTrouble: () => undefined,
    signal,
    partBytes: 20_000,
  };
}
