import { Piscina } from 'piscina';

type Movable = Parameters<typeof Piscina.move>[0];

/**
 * What a thread returns, with buffers in it that are handed over instead of copied: here they are empty from then on, so
 * nothing else may be in their memory.
 */
export function handingOver<Result extends object>(result: Result, buffers: readonly ArrayBuffer[]): Result {
  const wrapped = { [Piscina.transferableSymbol]: buffers, [Piscina.valueSymbol]: result };
  // The pool takes the result out again before it sends it, so that is what the caller gets.
  return Piscina.move(wrapped as unknown as Movable) as unknown as Result;
}
