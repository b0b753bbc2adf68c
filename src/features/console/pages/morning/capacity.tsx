import { useEffect, useRef, useState } from 'preact/hooks';
import { send } from '../api.ts';
import { count } from '../format.ts';
import { Figures } from '../parts/figures.tsx';
import { Failure } from '../parts/note.tsx';

const everyMs = 5000;

interface Sample {
  readonly values: ReadonlyMap<string, number>;
}

/** Of the core that answers. */
export function Capacity() {
  const [now, setNow] = useState<Sample>();
  const [error, setError] = useState<string>();
  const stop = useRef(new AbortController());
  useEffect(() => {
    stop.current = new AbortController();
    const look = (): void => {
      send('/metrics', { signal: stop.current.signal })
        .then(async (response) => {
          setNow({ values: sums(await response.text()) });
          setError(undefined);
        })
        .catch((failure: unknown) => {
          if (!stop.current.signal.aborted)
            setError(failure instanceof Error ? failure.message : String(failure));
        });
    };
    look();
    const timer = setInterval(look, everyMs);
    return () => {
      clearInterval(timer);
      stop.current.abort();
    };
  }, []);
  const value = (name: string): number => now?.values.get(name) ?? 0;
  const threads = value('carryover_hashing_pool_threads');
  const running = value('carryover_hashing_pool_running');
  const waiting = value('carryover_hashing_pool_waiting');
  return (
    <section>
      <h2>Capacity</h2>
      <Failure error={error} />
      {now && (
        <Figures
          items={[
            {
              name: 'Threads for passwords',
              value: `${count(running)} of ${count(threads)} busy`,
              kind: running >= threads && threads > 0 ? 'warn' : undefined,
            },
            {
              name: 'Sign-ins that wait for one',
              value: count(waiting),
              kind: waiting > threads * 4 ? 'bad' : undefined,
            },
            { name: 'Waiting for the database', value: count(value('carryover_batch_backlog')) },
            { name: 'Cores', value: count(Math.max(1, value('carryover_cores'))) },
            {
              name: 'Memory',
              value: `${count(Math.round(value('process_resident_memory_bytes') / 2 ** 20))} MiB`,
            },
            {
              name: 'Main thread late by',
              value: `${count(Math.round(value('nodejs_eventloop_lag_p99_seconds') * 1000))} ms`,
              note: 'p99',
            },
          ]}
        />
      )}
    </section>
  );
}

/** Of each metric the sum over its labels. */
function sums(text: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, name, value] = /^([a-z_]+)(?:\{.*\})? (\S+)/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) found.set(name, (found.get(name) ?? 0) + Number(value));
  }
  return found;
}
