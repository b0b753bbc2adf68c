/** How passwords of an app are hashed while its move leads: ../second-hash.ts. */
import type { Database } from '../../../database/database.ts';

/**
 * A rule that is set is known to every core after this time, in ms: a core obeys none that it has read earlier, and takes no password
 * while it cannot read. So what waits for this time may rely on the rule.
 */
export const knownAfterMs = 1000;

const read = `
  select m.app_no as "appNo", a.app_id as "appId", m.move_no as "moveNo", m.second_hash as model
  from moves m join apps a on a.app_no = m.app_no where m.keeps_hashes and m.stage in (2, 3)`;

const set = `
  update moves set keeps_hashes = true, second_hash = $3::text where app_no = $1::int and move_no = $2::int`;

/** No hash is upgraded. */
export interface HashRule {
  readonly appId: string;
  readonly moveNo: number;
  /** The hash whose like the old system makes; undefined: no second hashes are made. */
  readonly model: string | undefined;
}

interface Row {
  readonly appNo: number;
  readonly appId: string;
  readonly moveNo: number;
  readonly model: string | null;
}

type Rules = ReadonlyMap<number, HashRule>;

/** The rules of all apps of a database: of the passwords that are set there, one in a second waits for a statement. */
export function hashRuleStore(database: Pick<Database, 'read' | 'write'>) {
  let readAt = -Infinity;
  let rules: Promise<Rules> = Promise.resolve(new Map());
  async function readAll(): Promise<Rules> {
    const rows = await database.read<Row>(read);
    return new Map(rows.map(({ appNo, model, ...rule }) => [appNo, { ...rule, model: model ?? undefined }]));
  }
  /** After a step of this core. @param appNo of any app of the database */
  const forget: (appNo: number) => void = () => {
    readAt = -Infinity;
  };
  return {
    /** @throws what the database throws */
    async find(appNo: number): Promise<HashRule | undefined> {
      if (performance.now() - readAt >= knownAfterMs) {
        readAt = performance.now();
        rules = readAll();
        // The next password asks again.
        rules.catch(() => {
          readAt = -Infinity;
        });
      }
      return (await rules).get(appNo);
    },

    /** @param model undefined: the old system's hashes are not made here */
    async set(appNo: number, moveNo: number, model: string | undefined): Promise<void> {
      await database.write(set, [appNo, moveNo, model ?? null]);
    },

    forget,
  };
}

export type HashRuleStore = ReturnType<typeof hashRuleStore>;
