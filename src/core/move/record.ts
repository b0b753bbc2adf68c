import { firstPlaceName } from '../../domain/app-place.ts';
import { StartupError } from '../../process/startup-error.ts';
import type { Database, Query } from '../../database/database.ts';

/** See app_moves in migrations/0015_places.sql. */
export type Stage = 'copying' | 'moved' | 'returning' | 'confirming';

export interface MoveRecord {
  readonly source: string;
  readonly target: string;
  readonly stage: Stage;
}

export interface MovingApp {
  readonly appNo: number;
  /** The name of the place that has it. */
  readonly home: string;
  readonly move: MoveRecord | undefined;
}

const find = `
  select a.app_no, a.home, m.source, m.target, m.stage
  from apps a left join app_moves m using (app_no) where a.app_id = $1`;

interface Row {
  readonly app_no: number;
  readonly home: string | null;
  readonly source: string | null;
  readonly target: string | null;
  readonly stage: Stage | null;
}

/** @throws StartupError for an unknown app */
export async function findApp({ read }: Pick<Database, 'read'>, appId: string): Promise<MovingApp> {
  const [row] = await read<Row>(find, [appId]);
  if (row === undefined) throw new StartupError(`There is no app '${appId}' in the first place`);
  const { source, target, stage } = row;
  return {
    appNo: row.app_no,
    home: row.home ?? firstPlaceName,
    move: source === null || target === null || stage === null ? undefined : { source, target, stage },
  };
}

/** The name of the app's home, once a change of it that may be under way has ended: the outcome of its commit may be unknown. */
export async function settledHome({ write }: Pick<Database, 'write'>, appNo: number): Promise<string> {
  const [row] = await write<{ home: string | null }>('select home from apps where app_no = $1 for update', [
    appNo,
  ]);
  return row?.home ?? firstPlaceName;
}

export async function begin(
  { write }: Pick<Database, 'write'>,
  appNo: number,
  { source, target }: Pick<MoveRecord, 'source' | 'target'>,
): Promise<void> {
  await write('insert into app_moves (app_no, source, target) values ($1, $2, $3) on conflict do nothing', [
    appNo,
    source,
    target,
  ]);
}

/** The app's home and the stage of its move change together. */
export async function enter(
  { transaction }: Pick<Database, 'transaction'>,
  appNo: number,
  { stage, home }: { readonly stage: Stage; readonly home?: string },
): Promise<void> {
  await transaction(async (query: Query) => {
    await query('update app_moves set stage = $2 where app_no = $1', [appNo, stage]);
    if (home === undefined) return;
    const isFirst = home === firstPlaceName;
    // The first place's own rows of the app may be written only while it is their home.
    await query('update apps set home = $2, held = $3 where app_no = $1', [
      appNo,
      isFirst ? null : home,
      !isFirst,
    ]);
  });
}

export async function forget({ write }: Pick<Database, 'write'>, appNo: number): Promise<void> {
  await write('delete from app_moves where app_no = $1', [appNo]);
}
