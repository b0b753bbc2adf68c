import { setTimeout as delay } from 'node:timers/promises';
import { type Connection, type ConnectionTarget, connectionsTo, isOfServer } from './driver.ts';

/** The server's processes that work, by pid, or why that is unknown. */
type Look = ReadonlySet<number> | 'unreachable' | 'unclear';

interface Row {
  readonly pid: number;
  readonly works: boolean;
  readonly own: boolean;
}

/**
 * An idle process has answered, or received no statement. An active one that waits for its client has parsed a statement and lacks
 * its parameters; a COPY to the server looks the same, so connections that copy are not examined.
 */
const looking = `
  select pid, pid = pg_backend_pid() as own,
    coalesce(state, '') not like 'idle%' and wait_event is distinct from 'ClientRead' as works
  from pg_stat_activity
  where usename = session_user and backend_type = 'client backend'`;

/** To open a new connection and get an answer, which even a busy server does within this time. */
const lookMs = 5000;

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
    return !look.has(serverPid);
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
  return isDirect ? new Set(rows.filter(({ works }) => works).map(({ pid }) => pid)) : 'unclear';
}
