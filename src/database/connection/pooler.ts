import { randomUUID } from 'node:crypto';
import { StartupError } from '../../process/startup-error.ts';
import { type ConnectionTarget, type Database, openDatabase } from '../database.ts';

interface Seen {
  readonly mark: string | null;
}

const name = 'carryover.connection';
const seen = `select current_setting('${name}', true) as mark`;

/** A connection that was lost meanwhile looks the same once, so two of three rounds decide. */
const rounds = 3;
const enough = 2;

/**
 * Ensures that a session setting stays on its connection. A transaction pooler can pass on all settings of the core and still
 * lose session state.
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
 * One connection sets a mark. With a pooler, the other sees it; or, while the other holds a server connection, the first one's
 * mark is gone; or that happens later, if the pooler rotates connections. A pooler that takes settings along to the next server
 * connection (PgDog) is not refused: the core needs the settings, not the process.
 */
async function areShared(one: Database, other: Database): Promise<boolean> {
  const mark = randomUUID();
  await one.write(`select set_config('${name}', $1, false)`, [mark]);
  const isAnother = async (): Promise<boolean> => {
    const [now] = await one.read<Seen>(seen);
    return now?.mark !== mark;
  };
  const isSeen = await other.transaction(async (query) => {
    const [there] = await query<Seen>(seen);
    return there?.mark === mark || (await isAnother());
  });
  return isSeen || (await isAnother()) || (await isAnother());
}
