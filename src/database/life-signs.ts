import { setTimeout as delay } from 'node:timers/promises';
import { type Connection, type ConnectionTarget, connectionsTo, isOfServer } from './driver.ts';

/** What the server's processes do, by their pid; or why that cannot be said. */
type Look = ReadonlyMap<number, string> | 'unreachable' | 'unclear';

interface Row {
  readonly pid: number;
  readonly state: string | null;
  readonly own: boolean;
}

const looking = `
  select pid, state, pid = pg_backend_pid() as own from pg_stat_activity
  where usename = session_user and backend_type = 'client backend'`;

/** For a new connection to be opened and to answer: a server that is only busy has done both by then. */
const lookMs = 5000;

/** A process in one of these has answered, or was never asked. */
const waitsForUs = 'idle';

/**
 * Distinguishes a dead connection from a slow statement. A host that vanishes, or a firewall that drops, ends no connection: what is
 * sent on it gets no answer, and TCP takes minutes to notice. So the server is asked on a new connection what the process
 * behind the old one does. One look serves all statements that are late at the same time.
 */
export class LifeSigns {
  readonly #target: ConnectionTarget;
  #underWay: Promise<Look> | undefined;

  constructor(target: ConnectionTarget) {
    this.#target = target;
  }

  /**
   * Whether no answer will come to a statement that was sent on this connection. A server that is out of reach is taken for
   * lost. Behind a pooler, whose processes have other numbers, only that is found out. Never rejects.
   */
  async isDead({ serverPid }: Pick<Connection, 'serverPid'>): Promise<boolean> {
    this.#underWay ??= this.#look().finally(() => {
      this.#underWay = undefined;
    });
    const look = await this.#underWay;
    if (typeof look === 'string') return look === 'unreachable';
    if (serverPid === undefined) return false;
    const state = look.get(serverPid);
    return state === undefined || state.startsWith(waitsForUs);
  }

  async #look(): Promise<Look> {
    const [connection] = connectionsTo(this.#target, 1);
    if (connection === undefined) return 'unclear';
    const ended = new AbortController();
    const late = delay(lookMs, 'unreachable' as const, { signal: ended.signal });
    const look = lookFrom(connection);
    try {
      return await Promise.race([look, late.catch(() => 'unreachable' as const)]);
    } catch (error) {
      // It answers, if only to refuse.
      return isOfServer(error) ? 'unclear' : 'unreachable';
    } finally {
      ended.abort();
      look.catch(() => undefined);
      connection.abandon();
      await connection.close();
    }
  }
}

async function lookFrom(connection: Connection): Promise<Look> {
  const sql = await connection.open();
  const query = sql.unsafe<Row[]>(looking);
  const rows = await query;
  connection.noteServer(query);
  const isDirect = rows.some(({ pid, own }) => own && pid === connection.serverPid);
  return isDirect ? new Map(rows.map(({ pid, state }) => [pid, state ?? ''])) : 'unclear';
}
