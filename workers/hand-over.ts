import { Piscina } from 'piscina';

type Movable = Parameters<typeof Piscina.move>[0];

/**
 * Marks buffers in a thread's result as transferred instead of copied. They are empty here afterwards, so nothing else may use
 * their memory.
 */
export function handingOver<Result extends object>(result: Result, buffers: readonly ArrayBuffer[]): Result {
  const wrapped = { [Piscina.transferableSymbol]: buffers, [Piscina.valueSymbol]: result };
  // The pool unwraps the result before it sends it.
  return Piscina.move(wrapped as unknown as Movable) as unknown as Result;
}
