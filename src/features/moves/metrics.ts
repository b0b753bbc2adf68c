import { Counter, Gauge, type Registry } from 'prom-client';
import type { Database } from '../../database/database.ts';
import { cachedRead } from '../../process/metrics/cached-read.ts';
import { type Role, roles, stages } from './model.ts';
import { stageOf } from './store/rows.ts';

export interface MoveMetrics {
  /** Counts a share that returned to 0 automatically. */
  readonly stopped: () => void;
}

const validMs = 10_000;

/** What the open moves of a database show. */
interface Figures {
  readonly stage: number;
  readonly moves: number;
  /** The greatest lag of each process, by its number; null: unknown, or it is not running. */
  readonly follow: number | null;
  readonly writeBack: number | null;
  readonly unexplained: number | null;
}

const figures = `
  select m.stage, count(*)::int as moves,
    max(f.lag_ms) as follow, max(w.lag_ms) as "writeBack", sum(c.unexplained)::float8 as unexplained
  from moves m
  left join move_leases f on f.app_no = m.app_no and f.move_no = m.move_no and f.role = 1
  left join move_leases w on w.app_no = m.app_no and w.move_no = m.move_no and w.role = 2
  left join lateral (
    select (e.figures ->> 'unexplained')::bigint as unexplained from move_events e
    where e.app_no = m.app_no and e.move_no = m.move_no and e.kind = 'comparison'
    order by e.event_no desc limit 1
  ) c on true
  where m.stage <> 4
  group by m.stage`;

export function moveMetrics(registry: Registry, databases: readonly Pick<Database, 'read'>[]): MoveMetrics {
  const readAll = async (): Promise<Figures[]> =>
    (await Promise.all(databases.map(({ read }) => read<Figures>(figures)))).flat();
  const read = cachedRead(readAll, { validMs });
  const gauge = (
    name: string,
    help: string,
    labelNames: string[],
    set: (of: Gauge, all: Figures[]) => void,
  ) => {
    const made: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect: async () => {
        const all = await read();
        made.reset();
        if (all !== undefined) set(made, all);
      },
    });
  };
  gauge('carryover_moves', 'Open moves from an old system', ['stage'], (of, all) => {
    for (const stage of stages.slice(0, -1)) {
      const found = all.filter((each) => stageOf(each.stage) === stage);
      of.set(
        { stage },
        found.reduce((sum, { moves }) => sum + moves, 0),
      );
    }
  });
  gauge('carryover_move_lag_seconds', 'Lag of the slowest process of a move', ['role'], (of, all) => {
    for (const role of roles) {
      const lag = Math.max(-1, ...all.map((each) => lagOf(each, role) ?? -1));
      if (lag >= 0) of.set({ role }, lag / 1000);
    }
  });
  gauge(
    'carryover_move_differences',
    'Differences that are not settled, by the last comparisons',
    [],
    (of, all) => {
      const known = all.flatMap(({ unexplained }) => unexplained ?? []);
      if (known.length > 0) of.set(known.reduce((sum, each) => sum + each, 0));
    },
  );
  const stops = new Counter({
    name: 'carryover_move_stops_total',
    help: 'Shares that returned to 0 because more users were refused than before',
    registers: [registry],
  });
  return {
    stopped: () => {
      stops.inc();
    },
  };
}

function lagOf({ follow, writeBack }: Figures, role: Role): number | null {
  return role === 'follow' ? follow : writeBack;
}
