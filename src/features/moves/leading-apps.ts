import type { Database } from '../../database/database.ts';

/** How often a core looks for moves that lead, while users sign in. */
const intervalMs = 5000;
/** For a password that is set: apps learn of a step within a second, too. */
const recentMs = 1000;

const leading = `
  select m.app_no as "appNo", m.move_no as "moveNo", m.stage = 3 as "isLeading", m.second_hash as model
  from moves m where m.stage = 3 or (m.stage = 2 and m.second_hash is not null)`;

/** A move that leads; or has led, and what changed here may still have to be written back. */
export interface LeadingMove {
  readonly moveNo: number;
  readonly isLeading: boolean;
  /** The hash whose like the old system makes; undefined: no second hashes are made. */
  readonly model: string | undefined;
}

interface Row extends Omit<LeadingMove, 'model'> {
  readonly appNo: number;
  readonly model: string | null;
}

type Moves = ReadonlyMap<number, LeadingMove>;

/**
 * The apps whose move leads, so that sign-ins of all others cost nothing: of all sign-ins of a core, one in five seconds starts a
 * statement, and none waits for it. A step that another core takes is known after that time.
 */
export class LeadingApps {
  readonly #databases: readonly Pick<Database, 'read'>[];
  readonly #onLost: (error: unknown) => void;
  /** By database: one that is away keeps its own as they were. */
  readonly #moves: Moves[];
  #readAt = -Infinity;
  #reading: Promise<void> | undefined;

  constructor(databases: readonly Pick<Database, 'read'>[], onLost: (error: unknown) => void) {
    this.#databases = databases;
    this.#onLost = onLost;
    this.#moves = databases.map(() => new Map());
  }

  has(appNo: number): boolean {
    if (performance.now() - this.#readAt >= intervalMs) void this.refresh();
    return this.#find(appNo)?.isLeading === true;
  }

  /** As of a second ago: of all passwords that are set, and hashes that are upgraded, one in a second waits for a statement. */
  async current(appNo: number): Promise<LeadingMove | undefined> {
    if (performance.now() - this.#readAt >= recentMs) await this.refresh();
    else await this.#reading;
    return this.#find(appNo);
  }

  /** Never rejects. */
  async refresh(): Promise<void> {
    this.#readAt = performance.now();
    const reading = Promise.all(this.#databases.map((database, at) => this.#refreshAt(database, at)));
    this.#reading = reading.then(() => undefined);
    await this.#reading;
  }

  #find(appNo: number): LeadingMove | undefined {
    return this.#moves.find((moves) => moves.has(appNo))?.get(appNo);
  }

  async #refreshAt({ read }: Pick<Database, 'read'>, at: number): Promise<void> {
    try {
      const rows = await read<Row>(leading);
      this.#moves[at] = new Map(
        rows.map(({ appNo, model, ...rest }) => [appNo, { ...rest, model: model ?? undefined }]),
      );
    } catch (error) {
      this.#onLost(error);
    }
  }
}
