/**
 * The entry of processes and threads of the benchmarks: they call one exported function of a given file, so that parts of a
 * scenario which need a separate process or thread are in the scenario's file.
 */
import { isMainThread, type MessagePort, parentPort, workerData } from 'node:worker_threads';

/** A function by the file that exports it, and its argument. */
export interface Call {
  /** A file: URL. */
  readonly module: string;
  readonly name: string;
  readonly task: unknown;
}

/** @param port of the thread; a process has none */
async function call({ module, name, task }: Call, port?: MessagePort): Promise<unknown> {
  const exported = (await import(module)) as Record<string, unknown>;
  const run = exported[name];
  if (typeof run !== 'function') throw new Error(`${module} exports no function ${name}`);
  return (run as (task: unknown, port?: MessagePort) => unknown)(task, port);
}

if (isMainThread) {
  process.once('message', (message: Call) => {
    void call(message).then((result) =>
      process.send?.(result, () => {
        process.disconnect();
      }),
    );
  });
} else if (parentPort) {
  await call(workerData as Call, parentPort);
}
