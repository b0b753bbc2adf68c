import { useEffect, useState } from 'preact/hooks';
import { linesOf } from '../api.ts';
import { messageOf } from '../hooks.ts';

/** Enough to see what is wrong; the command writes all of them to a file. */
export const mostLines = 5000;

/** Lines of a list of the core, as they arrive. */
export interface Lines<Line> {
  readonly lines: readonly Line[];
  readonly error: string | undefined;
  readonly isDone: boolean;
}

export function useLines<Line>(path: string): Lines<Line> {
  const [lines, setLines] = useState<readonly Line[]>([]);
  const [error, setError] = useState<string>();
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    setLines([]);
    setDone(false);
    const read = async (): Promise<void> => {
      for await (const more of linesOf<Line>(path, { most: mostLines, signal: stop.signal }))
        setLines((before) => [...before, ...more]);
      setDone(true);
    };
    read().catch((failure: unknown) => {
      if (!stop.signal.aborted) setError(messageOf(failure));
    });
    return () => {
      stop.abort();
    };
  }, [path]);
  return { lines, error, isDone };
}
