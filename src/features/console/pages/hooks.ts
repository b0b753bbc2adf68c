import { useEffect, useRef, useState } from 'preact/hooks';
import { Refused } from './api.ts';

export interface Loaded<Value> {
  readonly value: Value | undefined;
  readonly error: Error | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

interface Given<Value> {
  readonly key: string;
  readonly value: Value | undefined;
  readonly error: Error | undefined;
}

/**
 * Loads when the key changes, and again each `everyMs` while the page is visible. Of an error at a repetition the last value stays.
 * @param key names what is loaded
 */
export function useLoaded<Value>(
  key: string,
  load: (signal: AbortSignal) => Promise<Value>,
  everyMs?: number,
): Loaded<Value> {
  const [given, setGiven] = useState<Given<Value>>({ key: '', value: undefined, error: undefined });
  const [turn, setTurn] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    const stop = new AbortController();
    const once = async (): Promise<void> => {
      try {
        const value = await latest.current(stop.signal);
        if (!stop.signal.aborted) setGiven({ key, value, error: undefined });
      } catch (error) {
        if (stop.signal.aborted) return;
        const known = error instanceof Error ? error : new Error(String(error));
        setGiven((before) => ({ key, value: before.key === key ? before.value : undefined, error: known }));
      }
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const repeat = async (): Promise<void> => {
      if (document.visibilityState === 'visible') await once();
      if (everyMs !== undefined && !stop.signal.aborted) timer = setTimeout(() => void repeat(), everyMs);
    };
    void once().then(() => {
      if (everyMs !== undefined && !stop.signal.aborted) timer = setTimeout(() => void repeat(), everyMs);
    });
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [key, turn, everyMs]);
  const isOld = given.key !== key;
  return {
    value: isOld ? undefined : given.value,
    error: isOld ? undefined : given.error,
    isLoading: isOld,
    reload: () => {
      setTurn((before) => before + 1);
    },
  };
}

/** Loads again each `everyMs`, until a value is final. */
export function useLoadedUntil<Value>(
  key: string,
  load: (signal: AbortSignal) => Promise<Value>,
  { isFinal, everyMs }: { readonly isFinal: (value: Value) => boolean; readonly everyMs: number },
): Loaded<Value> {
  const [isOver, setOver] = useState(false);
  const once = async (signal: AbortSignal): Promise<Value> => {
    const value = await load(signal);
    setOver(isFinal(value));
    return value;
  };
  return useLoaded(key, once, isOver ? undefined : everyMs);
}

export interface Doing {
  readonly isBusy: boolean;
  readonly error: string | undefined;
  readonly run: (work: () => Promise<void>) => void;
  readonly clear: () => void;
}

/** One thing at a time that a button starts, and its error in words. */
export function useDoing(): Doing {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  return {
    isBusy,
    error,
    clear: () => {
      setError(undefined);
    },
    run: (work) => {
      setBusy(true);
      setError(undefined);
      work()
        .catch((failure: unknown) => {
          setError(messageOf(failure));
        })
        .finally(() => {
          setBusy(false);
        });
    },
  };
}

export function messageOf(error: unknown): string {
  if (error instanceof Refused && error.code === 'KEY_SCOPE_MISSING')
    return `${error.message}. Sign in with a key that has it.`;
  return error instanceof Error ? error.message : String(error);
}
