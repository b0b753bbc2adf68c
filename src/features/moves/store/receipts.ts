/** What the receipt of a closed move is made of, and the receipts that were made. */
import type { Database } from '../../../database/database.ts';
import { mapColumns } from '../../../domain/columns.ts';
import { jobFields, jobOutcomes } from '../../../domain/jobs/job-fields.ts';
import type { ClosedMove, KeptReceipt, MovedImport } from '../model.ts';
import { historyOf, numberOfStage } from './rows.ts';

/** The app's last one, also while another move is open. */
const closed = `
  select m.move_no as "moveNo", m.system, m.address, m.label, m.share, m.started_at as "startedAt", m.stage_at as "closedAt"
  from moves m where m.app_no = $1::int and m.stage = ${numberOfStage('closed')}
  order by m.move_no desc limit 1`;

/** Those of the source, whenever they were: the first import may be older than the move. */
const imports = `
  select j.job_id as id, j.name, j.state, j.started_at as "startedAt", j.finished_at as "finishedAt",
    ${Object.values(mapColumns(jobOutcomes, ({ name }, key) => `j.${name} as "${key}"`)).join(', ')},
    encode(sha256(convert_to(r.envelope, 'UTF8')), 'hex') as receipt
  from import_jobs j
  left join import_receipts r on r.app_no = j.app_no and r.job_id = j.job_id
  where j.app_no = $1::int and j.job_id > $2::uuid and j.source = $3::text and not j.dry_run
    and j.state <> ${jobFields.state.words.receiving} and j.started_at <= $4::bigint
  order by j.job_id limit $5::int`;
const firstId = '00000000-0000-0000-0000-000000000000';
const importsAtOnce = 5000;

const find =
  'select r.envelope, r.entries from move_receipts r where r.app_no = $1::int and r.move_no = $2::int';

/** The first one stays. */
const keep = `
  insert into move_receipts (app_no, move_no, envelope, entries)
  select m.app_no, m.move_no, $3::text, decode($4::text, 'hex') from moves m
  where m.app_no = $1::int and m.move_no = $2::int for key share
  on conflict do nothing`;

/** Of the place that has the app. */
const version = `select current_setting('server_version') as version from apps a where a.app_no = $1::int`;

export function moveReceiptStore({ read, write }: Pick<Database, 'read' | 'write'>) {
  return {
    closed: async (appNo: number): Promise<ClosedMove | undefined> =>
      (await read<ClosedMove>(closed, [appNo]))[0],

    /** Oldest first. */
    events: async (appNo: number, { moveNo }: Pick<ClosedMove, 'moveNo'>) =>
      (await historyOf(read, appNo, { moveNo }, 2 ** 31 - 1)).toReversed(),

    /** In the order of their beginnings. */
    async *imports(appNo: number, { label, closedAt }: ClosedMove): AsyncGenerator<MovedImport> {
      for (let after: string | undefined = firstId; after !== undefined;) {
        const page: MovedImport[] = await read(imports, [appNo, after, label, closedAt, importsAtOnce]);
        yield* page;
        after = page.length < importsAtOnce ? undefined : page.at(-1)?.id;
      }
    },

    find: async (appNo: number, { moveNo }: Pick<ClosedMove, 'moveNo'>): Promise<KeptReceipt | undefined> =>
      (await read<KeptReceipt>(find, [appNo, moveNo]))[0],

    keep: async (appNo: number, { moveNo }: Pick<ClosedMove, 'moveNo'>, kept: KeptReceipt): Promise<void> => {
      await write(keep, [appNo, moveNo, kept.envelope, Buffer.from(kept.entries).toString('hex')]);
    },

    postgresqlVersion: async (appNo: number): Promise<string> =>
      (await read<{ version: string }>(version, [appNo]))[0]?.version ?? '',
  };
}

export type MoveReceiptStore = ReturnType<typeof moveReceiptStore>;
