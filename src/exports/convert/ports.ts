import type { ConvertResult, ConvertTask } from '../tasks.ts';

/** What converting needs of threads. */
export interface ConvertPool {
  readonly threads: number;
  /** Rejects with what the task threw, or with an Error when its thread died. */
  run<Task extends ConvertTask>(task: Task): Promise<ConvertResult<Task>>;
  close(): Promise<void>;
}
