/** Work to do before the event loop reads from connections again. */
interface Waiting {
  turnEnds(): void;
}

let waiting: Waiting[] = [];

/** One immediate for all requests of a turn: one for each would cost more than it saves. */
export function atEndOfTurn(one: Waiting): void {
  if (waiting.push(one) === 1) setImmediate(endTurn);
}

function endTurn(): void {
  const all = waiting;
  waiting = [];
  for (const one of all) one.turnEnds();
}
