import { setTimeout as delay } from 'node:timers/promises';
import { firstPlaceName } from '../../domain/app-place.ts';
import { StartupError } from '../../process/startup-error.ts';
import type { Database } from '../../database/database.ts';
import { placedTtlMs } from '../../store/places/tenants.ts';
import { removeTriggers, requireSettled, settleTriggers } from './app-triggers.ts';
import { differences, sumsOf } from './compare.ts';
import { asMover, drained, lower, markerOf, raise, setHeld } from './fence.ts';
import { begin, enter, findApp, forget, type MovingApp, settledHome } from './record.ts';
import {
  end,
  hasReceived,
  isSubscribed,
  offer,
  positionOf,
  type Side,
  standingOf,
  type Stream,
  streamOf,
  subscribe,
  tablesOfApps,
} from './replication.ts';

export interface MoveContext {
  readonly appId: string;
  readonly first: Database;
  readonly sides: ReadonlyMap<string, Side>;
  readonly interrupt: AbortSignal;
  /** Receives progress, a sentence each. */
  readonly note: (line: string) => void;
}

export interface Stopped {
  /** For how long writes of the app were refused, ms; cores notice the new home within half a second. */
  readonly stoppedMs: number;
}

/** Writes are refused meanwhile, so it gives up early: what takes longer is another transaction, or a server that is too slow. */
const stopLimitMs = 15_000;
const pollMs = 20;
const noteMs = 2000;
/** Cores have read tenants again by then, also those whose clocks run a tenth slower. */
const forgottenMs = placedTtlMs * 1.1;
/** For requests that were under way. */
const noticedMs = 3000;
/** The receiving server repeats after each error, some of which pass: a lock, a lost connection. */
const mostErrors = 5;

interface Pair {
  readonly app: MovingApp;
  readonly source: Side;
  readonly target: Side;
  /** From source to target. */
  readonly out: Stream;
  /** From target to source. */
  readonly back: Stream;
}

/**
 * Moves an app to another place, or continues a move that was interrupted at any point. Ends with the source following the target, until
 * `confirm` or `goBack`.
 *
 *   copying     the target follows the source       the source is held: nothing is written; both are compared → moved
 *   moved       the source follows the target       goBack: as above, the other way → returning; confirm → confirming
 *   returning   only the target's rows are left     removed → no move
 *   confirming  only the source's rows are left     removed → no move
 *
 * The home changes in one transaction in the first place, while neither place accepts writes of the app.
 * @throws StartupError with the cure
 */
export async function move(context: MoveContext, to: string): Promise<Stopped> {
  const { first, appId } = context;
  const app = await findApp(first, appId);
  const source = app.move?.source ?? app.home;
  refuseOther(app, appId, to);
  const pair = pairOf(context, app, { source, target: to });
  await Promise.all([requireLogical(pair.source), requireLogical(pair.target)]);
  await begin(first, app.appNo, { source, target: to });
  await follow(context, pair);
  await settleTriggers(pair.target, app.appNo);
  return switchOver(context, pair.out, async () => {
    await hold(context, pair.out, app.appNo);
    await requireSettled(pair.target, app.appNo);
    await end(pair.out);
    await takeNumbers(pair);
    await skipAll(pair.back);
    await subscribe(pair.back, false);
    await enter(first, app.appNo, { stage: 'moved', home: to });
  });
}

/** Returns to the source, with all that changed since. @throws StartupError */
export async function goBack(context: MoveContext): Promise<Stopped> {
  const { first, appId } = context;
  const app = await findApp(first, appId);
  const pair = pairOf(context, app, requireMove(app, appId));
  const { appNo, move: { stage } = { stage: 'copying' as const } } = app;
  if (stage === 'confirming')
    throw new StartupError(`The move is confirmed, and rows were removed: move the app again`);
  let stopped: Stopped = { stoppedMs: 0 };
  if (stage === 'moved') {
    await raise(pair.target.database, appNo);
    await caughtUp(context, pair.back);
    await settleTriggers(pair.source, appNo);
    stopped = await switchOver(context, pair.back, async () => {
      await hold(context, pair.back, appNo);
      await requireSettled(pair.source, appNo);
      await takeNumbers({ app, source: pair.target, target: pair.source });
      await setHeld(pair.source.database, appNo, false);
      await enter(first, appNo, { stage: 'returning', home: pair.source.name });
    });
  } else await enter(first, appNo, { stage: 'returning' });
  await finish(context, pair, { left: pair.target, home: pair.source });
  return stopped;
}

/** Ends the way back, and removes the rows at the source. @throws StartupError */
export async function confirm(context: MoveContext): Promise<void> {
  const { first, appId } = context;
  const app = await findApp(first, appId);
  const pair = pairOf(context, app, requireMove(app, appId));
  if (app.move?.stage !== 'moved' && app.move?.stage !== 'confirming')
    throw new StartupError(`The app is not at '${pair.target.name}' yet: continue the move first`);
  await enter(first, app.appNo, { stage: 'confirming' });
  await finish(context, pair, { left: pair.source, home: pair.target });
}

function requireMove(app: MovingApp, appId: string): NonNullable<MovingApp['move']> {
  if (app.move === undefined) throw new StartupError(`No move of the app '${appId}' is under way`);
  return app.move;
}

function refuseOther(app: MovingApp, appId: string, to: string): void {
  const { move } = app;
  if (move === undefined) {
    if (app.home === to) throw new StartupError(`The app '${appId}' is in the place '${to}' already`);
    return;
  }
  if (move.stage !== 'copying')
    throw new StartupError(
      `The app has been moved to '${move.target}': end that move with --confirm or --back first`,
    );
  if (move.target !== to)
    throw new StartupError(
      `A move of the app to '${move.target}' is under way: continue it with --to ${move.target}, or end it with --back`,
    );
}

function pairOf(
  { sides }: MoveContext,
  app: MovingApp,
  names: { readonly source: string; readonly target: string },
): Pair {
  const side = (name: string): Side => {
    const found = sides.get(name);
    if (found !== undefined) return found;
    throw new StartupError(
      `There is no place '${name}': the setting 'places' has ${[...sides.keys()].join(', ')}`,
    );
  };
  const [source, target] = [side(names.source), side(names.target)];
  return {
    app,
    source,
    target,
    out: streamOf(app.appNo, 'out', source, target),
    back: streamOf(app.appNo, 'back', target, source),
  };
}

/** @throws StartupError unless the server can send its changes */
async function requireLogical({ name, database }: Side): Promise<void> {
  const [row] = await database.read<{ level: string }>(`select current_setting('wal_level') as level`);
  if (row?.level === 'logical') return;
  throw new StartupError(
    `The server of '${name}' has wal_level ${row?.level ?? 'unknown'}: set it to logical and restart the server, since moves are logical replication`,
  );
}

/** Resolves when the target has the app's rows and follows the source. */
async function follow(context: MoveContext, { app, source, target, out, back }: Pair): Promise<void> {
  const { appNo } = app;
  const { note } = context;
  // After an interrupted stop.
  await setHeld(source.database, appNo, false);
  if (!(await isSubscribed(out))) {
    await end(back);
    await removeRows(target, appNo);
    await makeRow(context, target, appNo);
  }
  await offer(out, appNo);
  await raise(source.database, appNo);
  await subscribe(out, true);
  let notedAt = -Infinity;
  const { errors: before } = await standingOf(out);
  await until(context, `the copy to '${target.name}'`, async () => {
    const { tables, copied, errors } = await standingOf(out);
    const isCopied = tables > 0 && copied === tables;
    if (isCopied || performance.now() - notedAt > noteMs) {
      note(`Copied: ${copied} of ${tables} tables`);
      notedAt = performance.now();
    }
    if (errors - before >= mostErrors)
      throw new StartupError(
        `The server of '${target.name}' cannot receive the rows: its log says why. Mend that and run the command again`,
      );
    return isCopied;
  });
  await offer(back, appNo);
  await caughtUp(context, out);
}

async function caughtUp(context: MoveContext, stream: Stream): Promise<void> {
  const position = await positionOf(stream.from);
  await until(context, `'${stream.to.name}' to catch up`, () => hasReceived(stream, position));
}

/** Runs the steps of the stop, and lets writes in again if one fails: the home has not changed then. */
async function switchOver(
  { note, first, appId }: MoveContext,
  { from, to }: Stream,
  steps: () => Promise<void>,
): Promise<Stopped> {
  const { appNo } = await findApp(first, appId);
  note(`Writes of the app are refused now`);
  const startedAt = performance.now();
  try {
    await steps();
  } catch (error) {
    if ((await settledHome(first, appNo)) !== to.name) await setHeld(from.database, appNo, false);
    throw error;
  }
  const stoppedMs = Math.round(performance.now() - startedAt);
  note(`The app is in '${to.name}': its writes were refused for ${stoppedMs} ms`);
  return { stoppedMs };
}

/** Resolves when nothing of the app is written any more, and both places have the same. */
async function hold(context: MoveContext, stream: Stream, appNo: number): Promise<void> {
  const { from, to } = stream;
  await setHeld(from.database, appNo, true);
  const forgotten = delay(forgottenMs);
  const marker = await markerOf(from.database);
  await until(
    context,
    `the transactions in '${from.name}' that began before`,
    () => drained(from.database, marker),
    stopLimitMs,
  );
  const position = await positionOf(from);
  // A commit of the app behind the position: receiving it shows that everything before has been received.
  await asMover(from.database, (query) =>
    query('update tenants set tenant_id = tenant_id where app_no = $1 and tenant_no = 0', [appNo]),
  );
  await until(context, `'${to.name}' to catch up`, () => hasReceived(stream, position), stopLimitMs);
  await forgotten;
  const [one, other] = await Promise.all([sumsOf(from.database, appNo), sumsOf(to.database, appNo)]);
  const different = differences(one, other);
  if (different.length > 0)
    throw new StartupError(
      `'${to.name}' has not the same rows: ${different.join(', ')}. The app stays where it is: end the move with --back, and begin again`,
    );
}

/** What no row of the app's tables has: the numbers of its next tenant and change, and the order of arrival in the queue. */
async function takeNumbers({ app, source, target }: Pick<Pair, 'app' | 'source' | 'target'>): Promise<void> {
  const [row] = await source.database.read<{ next: number; arrivals: number; changes: number }>(
    `select a.next_tenant_no as next, (select last_value from import_queue_arrivals) as arrivals,
       (select last_value from move_changes_change_no_seq) as changes
     from apps a where a.app_no = $1`,
    [app.appNo],
  );
  if (row === undefined) throw new Error('the app is not in its place');
  await target.database.write('update apps set next_tenant_no = $2 where app_no = $1', [app.appNo, row.next]);
  await target.database.write(
    `select setval('import_queue_arrivals', greatest(nextval('import_queue_arrivals'), $1::bigint))`,
    [row.arrivals],
  );
  await target.database.write(
    `select setval('move_changes_change_no_seq', greatest(nextval('move_changes_change_no_seq'), $1::bigint))`,
    [row.changes],
  );
}

/** The stream begins with what is written from now on. */
async function skipAll({ name, from }: Stream): Promise<void> {
  await from.database.write('select pg_replication_slot_advance($1, pg_current_wal_insert_lsn())', [name]);
}

/** Removes what the move has made, and the rows that are left. */
async function finish(
  { first }: MoveContext,
  { app, source, target, out, back }: Pair,
  { left, home }: { readonly left: Side; readonly home: Side },
): Promise<void> {
  const { appNo } = app;
  await end(out);
  await end(back);
  // A core that has not noticed the home yet would take the app for removed.
  await delay(noticedMs);
  await removeRows(left, appNo);
  await setHeld(home.database, appNo, false);
  await Promise.all([source, target].map(({ database }) => lower(database, appNo)));
  await forget(first, appNo);
}

async function removeRows(side: Side, appNo: number): Promise<void> {
  const { name, database } = side;
  await removeTriggers(side, appNo);
  const tables = await tablesOfApps(database);
  await asMover(database, async (query) => {
    for (const table of tables) await query(`delete from ${table} where app_no = $1`, [appNo]);
    if (name !== firstPlaceName) await query('delete from apps where app_no = $1', [appNo]);
  });
}

async function makeRow({ appId }: MoveContext, { database }: Side, appNo: number): Promise<void> {
  await database.write('insert into apps (app_no, app_id) values ($1, $2) on conflict do nothing', [
    appNo,
    appId,
  ]);
}

/** @throws StartupError if it takes too long for what is under way, and the signal's reason if the user interrupts it */
async function until(
  { interrupt }: Pick<MoveContext, 'interrupt'>,
  what: string,
  check: () => Promise<boolean>,
  limitMs = Infinity,
): Promise<void> {
  const startedAt = performance.now();
  while (!(await check())) {
    if (performance.now() - startedAt > limitMs)
      throw new StartupError(`Waited too long for ${what}: the app stays where it is. Run the command again`);
    interrupt.throwIfAborted();
    await delay(pollMs);
  }
}
