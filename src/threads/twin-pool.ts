import type { TwinResult, TwinTask } from '../exports/twin/tasks.ts';
import { startThreads } from './piscina.ts';
import { ownModule } from '../process/own-module.ts';

/** The threads that make a twin. */
export interface TwinPool {
  readonly threads: number;
  run<Task extends TwinTask>(task: Task): Promise<TwinResult<Task>>;
  close(): Promise<void>;
}

const twinWorker = ownModule('../../workers/twin', import.meta.url);

/** Waiting tasks for each thread: the caller bounds them. */
const queuePerThread = 16;

/** Starts the threads. A task whose thread dies rejects; the thread is replaced. */
export function createTwinPool(threads: number): TwinPool {
  const workers = startThreads<TwinTask, TwinResult<TwinTask>>({
    file: twinWorker,
    count: threads,
    maxQueue: threads * queuePerThread,
  });
  return {
    threads,
    // A result has the type that belongs to its task, which TypeScript cannot infer through the union.
    run: <Task extends TwinTask>(task: Task) => workers.run(task, movedOf(task)) as Promise<TwinResult<Task>>,
    close: () => workers.close(),
  };
}

/** Only the thread needs the lines. */
function movedOf(task: TwinTask): readonly ArrayBuffer[] {
  return task.type === 'make' ? [] : [task.lines.buffer as ArrayBuffer];
}
