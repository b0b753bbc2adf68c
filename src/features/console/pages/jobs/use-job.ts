import { useEffect, useState } from 'preact/hooks';
import { call, eventsOf } from '../api.ts';
import { messageOf } from '../hooks.ts';
import type { JobView } from './job-model.ts';

const againMs = 2000;

/** A job as it advances: it is committed work that is counted, from whichever core it comes. */
export function useJob(
  id: string | undefined,
  turn = 0,
): { readonly job: JobView | undefined; readonly error: string | undefined } {
  const [job, setJob] = useState<JobView>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    setJob(undefined);
    setError(undefined);
    if (id === undefined) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    const isOver = (): boolean => signal.aborted;
    const follow = async (): Promise<void> => {
      while (!isOver()) {
        try {
          for await (const seen of eventsOf<JobView>(`/bulk-import/jobs/${id}/events`, signal)) {
            setJob(seen);
            setError(undefined);
          }
          const { job: last } = await call<{ job: JobView }>(`/bulk-import/jobs/${id}`, { signal });
          setJob(last);
          setError(undefined);
          if (last.state !== 'receiving') return;
        } catch (failure) {
          if (isOver()) return;
          setError(messageOf(failure));
        }
        await new Promise((resolve) => setTimeout(resolve, againMs));
      }
    };
    void follow();
    return () => {
      stop.abort();
    };
  }, [id, turn]);
  return { job, error };
}
