import { randomUUID } from 'node:crypto';
import { StartupError } from '../../process/startup-error.ts';
import { type ConnectionTarget, type Database, openDatabase } from '../database.ts';

interface Seen {
  /** Of the server's process. */
  readonly pid: number;
  readonly mark: string | null;
}

const name = 'carryover.connection';
const seen = `select pg_backend_pid() as pid, current_setting('${name}', true) as mark`;

/** A connection that was lost in between looks the same once: two of three rounds decide. */
const rounds = 3;
const enough = 2;

/**
 * That what one of our connections sets is its own. A pooler that gives each transaction whichever connection of the server is free
 * can have all settings of the core and lose what belongs to a session.
 * @throws StartupError
 */
export async function refuseSharedConnections(target: ConnectionTarget): Promise<void> {
  const open = (): Database => openDatabase({ target, poolSize: 1 });
  const [one, other] = [open(), open()];
  try {
    let found = 0;
    for (let round = 1; round <= rounds; round++) if (await areShared(one, other)) found++;
    if (found < enough) return;
  } finally {
    await Promise.all([one, other].map((each) => each.close(1000)));
  }
  throw new StartupError(
    'A pooler gives each transaction another connection of PostgreSQL (PgBouncer: pool_mode = transaction), and the core needs connections of its own: set pool_mode = session for its database, or give the address of PostgreSQL itself; see "PgBouncer" in docs/operate/postgres.md',
  );
}

/**
 * One sets a mark. Either the other gets the server's connection that was set free by that, and sees the mark; or, while the other
 * holds a connection, the first one's mark is gone, or its process is another; or they are later, where a pooler takes its
 * connections in turn.
 */
async function areShared(one: Database, other: Database): Promise<boolean> {
  const mark = randomUUID();
  const set = `select pg_backend_pid() as pid, set_config('${name}', $1, false) as mark`;
  const [before] = await one.write<Seen>(set, [mark]);
  const isAnother = async (): Promise<boolean> => {
    const [now] = await one.read<Seen>(seen);
    return now?.mark !== mark || now.pid !== before?.pid;
  };
  const isSeen = await other.transaction(async (query) => {
    const [there] = await query<Seen>(seen);
    return there?.mark === mark || (await isAnother());
  });
  return isSeen || (await isAnother()) || (await isAnother());
}
