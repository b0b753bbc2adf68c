import type { NamingColumn } from './named.ts';
import type { LogMessage, Lsn } from './pgoutput.ts';

/** More names are not remembered: all users are read then. */
const mostNames = 200_000;

interface Extent {
  /** Where the look begins. */
  readonly start: Lsn;
  /** The end of the log when it began. */
  readonly flushed: Lsn;
  /** The server stops after a transaction with which it has given this number of messages. */
  readonly most: number;
}

/** The names of changed users in some transactions, in the order of their commits. */
export class LogChanges {
  readonly #extent: Extent;
  readonly #transactions: { readonly xid: number; readonly end: Lsn }[] = [];
  /** By column and value, the first transaction that has it. */
  readonly #named = new Map<NamingColumn, Map<string, number>>();
  readonly #removed = new Map<string, number>();
  readonly #truncated = new Map<string, number>();
  #xid = 0;
  #messages = 0;
  #names = 0;

  constructor(extent: Extent) {
    this.#extent = extent;
  }

  add(message: LogMessage<NamingColumn>): void {
    this.#messages++;
    const at = this.#transactions.length;
    if (message.kind === 'begin') this.#xid = message.xid;
    else if (message.kind === 'commit') this.#transactions.push({ xid: this.#xid, end: message.end });
    else if (message.kind === 'truncate')
      for (const table of message.tables) keepFirst(this.#truncated, table, at);
    else if (message.kind === 'change') this.#note(message, at);
  }

  #note({ isDelete, cells }: LogMessage<NamingColumn> & { readonly kind: 'change' }, at: number): void {
    for (const { of, value } of cells) {
      if (isDelete && of.isUser && this.#removed.size < mostNames) keepFirst(this.#removed, value, at);
      if (this.isMany) return;
      const named = this.#named.get(of) ?? new Map<string, number>();
      this.#named.set(of, named);
      if (keepFirst(named, value, at)) this.#names++;
    }
  }

  /** Whether more users are named than are remembered. */
  get isMany(): boolean {
    return this.#names >= mostNames;
  }

  /** Whether no user is named. */
  get isEmpty(): boolean {
    return this.#names === 0 && this.#truncated.size === 0;
  }

  /** All of them, for a look that reads no user. */
  get all(): SeenChanges {
    return this.#first(this.#transactions.length);
  }

  /**
   * A commit is in the log before other sessions see it, long before if it waits for a standby. What the snapshot does not show yet
   * must stay in the log.
   * @param snapshot as `txid_current_snapshot()` writes it
   * @returns those before the first one that it does not show
   */
  visibleIn(snapshot: string): SeenChanges {
    const isVisible = visibility(snapshot);
    const hidden = this.#transactions.findIndex(({ xid }) => !isVisible(xid));
    return this.#first(hidden < 0 ? this.#transactions.length : hidden);
  }

  #first(count: number): SeenChanges {
    const { start, flushed, most } = this.#extent;
    const isHidden = count < this.#transactions.length;
    const isMore = !isHidden && this.#messages >= most;
    const isAll = !isHidden && !isMore;
    const last = this.#transactions[count - 1]?.end ?? start;
    const before = (names: ReadonlyMap<string, number>): string[] =>
      [...names].filter(([, at]) => at < count).map(([name]) => name);
    return {
      // A commit may end after what was the end of the log.
      end: isAll && last < flushed ? flushed : last,
      isAll,
      isMore,
      named: new Map([...this.#named].map(([column, names]) => [column, before(names)])),
      removed: before(this.#removed).length,
      truncated: before(this.#truncated),
    };
  }
}

/** What a look may import. */
export interface SeenChanges {
  /** Where the next look begins. */
  readonly end: Lsn;
  /** Whether this is all that was in the log. */
  readonly isAll: boolean;
  /** Whether the next look finds more at once. */
  readonly isMore: boolean;
  readonly named: ReadonlyMap<NamingColumn, readonly string[]>;
  /** Users whose rows were removed. */
  readonly removed: number;
  readonly truncated: readonly string[];
}

/** @returns whether it was new */
function keepFirst(names: Map<string, number>, name: string, at: number): boolean {
  if (names.has(name)) return false;
  names.set(name, at);
  return true;
}

/** @param snapshot `xmin:xmax:xip,…` @returns whether a transaction that has committed shows in it */
function visibility(snapshot: string): (xid: number) => boolean {
  const [, xmax = '0', open = ''] = snapshot.split(':');
  const next = BigInt(xmax);
  const hidden = new Set(open === '' ? [] : open.split(',').map(BigInt));
  return (xid) => {
    // The log has the lower half of the number: of those near the snapshot's.
    const whole = next + BigInt.asIntN(32, BigInt(xid) - next);
    return whole < next && !hidden.has(whole);
  };
}
