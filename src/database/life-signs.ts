import { setTimeout as delay } from 'node:timers/promises';
import { type Connection, type ConnectionTarget, connectionsTo, isOfServer } from './driver.ts';

/** State of the server's processes by pid, or why it is unknown. */
type Look = ReadonlyMap<number, string> | 'unreachable' | 'unclear';

interface Row {
  readonly pid: number;
  readonly state: string | null;
  readonly own: boolean;
}

const looking = `
  select pid, state, pid = pg_backend_pid() as own from pg_stat_activity
  where usename = session_user and backend_type = 'client backend'`;

/** To open a new connection and get an answer, which even a busy server does within this time. */
const lookMs = 5000;

/** A process in this state has answered, or received no statement. */
const waitsForUs = 'idle';

/**
 * Distinguishes a dead connection from a slow statement. A vanished host or a firewall closes no connection, and TCP takes
 * minutes to notice, so a new connection asks for the state of the old one's process. Late statements share one look.
 */
export class LifeSigns {
  readonly #target: ConnectionTarget;
  #underWay: Promise<Look> | undefined;

  constructor(target: ConnectionTarget) {
    this.#target = target;
  }

  /**
   * Whether a statement sent on this connection will get no answer. An unreachable server counts as lost; with a pooler, whose
   * pids differ, only that is detected. Never rejects.
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
      // The server answered, even if with a refusal.
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
