import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { body } from '../../http/routing/handlers.ts';
import { StreamReply } from '../../http/response/replies.ts';
import type { Route, RouteContext } from '../../http/routing/route.ts';
import { allows, lackOf } from '../../domain/access/key-holder.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Tenant } from '../../domain/model.ts';
import { bodyForms } from '../../schema/forms.ts';
import { readsDatabase, shownAddress } from './command-line.ts';
import { chosenRecords, corrected, rejectLines } from './mend.ts';
import { appOf } from './app-of.ts';
import { common as shared, path, type Run, type Settled } from './model.ts';
import type { ConsoleOperations } from './operations.ts';
import { consoleBodies } from './schema.ts';
import { presenceOf } from './session-routes.ts';
import { settlingCounts, writeSettling } from './settle.ts';

const inBody = bodyForms(consoleBodies);
const runs = `${path}/runs`;
const oneRun = `${runs}/{id}`;
const common = { ...shared, needs: ['import', 'import:new'] } as const;
const ndjson = 'application/x-ndjson';

/** Runs of the command, by this core. */
export function runRoutes(console: ConsoleOperations): Route[] {
  return [
    ...beginAndEnd(console),
    ...lookRoutes(console),
    ...recordRoutes(console),
    ...settleRoutes(console),
  ];
}

function beginAndEnd(console: ConsoleOperations): Route[] {
  return [
    {
      ...common,
      method: 'POST',
      path: runs,
      statuses: ['OK'],
      summary: 'Inspects, tries, compares or imports files, or reads a database, as the command does',
      audit: { what: 'console.run', fields: ['kind', 'from'] },
      refusals: [503],
      ...body(inBody.startRun, async (tenant, input, { holder, act, head }) => {
        requireInput(input);
        if (input.address !== undefined) act?.report({ address: shownAddress(input.address) });
        const isPresent = presenceOf(console, head.cookies);
        const run = await console.runs.start({ input, appId: tenant.appId, holder, isPresent });
        act?.report({ run: run.id, files: run.subject });
        return { status: 'OK', run };
      }),
    },
    {
      ...common,
      method: 'DELETE',
      path: oneRun,
      statuses: ['OK'],
      summary: 'Stops a run: what is committed stays, and the same file goes on from there',
      audit: { what: 'console.stop' },
      handle: (context) => ({ status: 'OK', run: brief(console.runs.stop(appOf(context), context.id)) }),
    },
  ];
}

function lookRoutes(console: ConsoleOperations): Route[] {
  return [
    {
      ...common,
      method: 'GET',
      path: runs,
      statuses: ['OK'],
      summary: 'Lists the runs of this core, newest first',
      handle: async (context) => ({
        status: 'OK',
        runs: (await console.runs.list(appOf(context))).map(brief),
      }),
    },
    {
      ...common,
      method: 'GET',
      path: oneRun,
      statuses: ['OK'],
      summary: 'A run, with what it printed',
      handle: async (context) => {
        const { folder: _folder, ...run } = await console.runs.find(appOf(context), context.id);
        return { status: 'OK', run };
      },
    },
  ];
}

function recordRoutes(console: ConsoleOperations): Route[] {
  return [
    {
      ...common,
      method: 'GET',
      path: `${oneRun}/rejects`,
      summary: 'The records that a run could not take, and why, one a line',
      contentType: ndjson,
      audit: { what: 'console.rejects' },
      handle: (context) => rejects(console, context),
    },
    {
      ...common,
      method: 'POST',
      path: `${oneRun}/mend`,
      statuses: ['OK'],
      summary: 'Makes a file of rejected records that were corrected, to import it',
      unaudited: 'the run that reads the file has an entry',
      maxBodyBytes: 8 * 2 ** 20,
      ...body(inBody.mendRecords, async (tenant, { records }, { id }) =>
        staged(console, tenant, id, { prefix: 'corrected', of: (folder) => corrected(folder, records) }),
      ),
    },
    {
      ...common,
      method: 'POST',
      path: `${oneRun}/decide`,
      statuses: ['OK'],
      summary: 'Makes a file of records with conflicts that were decided alike, to import it',
      unaudited: 'the run that reads the file has an entry',
      ...body(inBody.decideRecords, async (tenant, { lines }, { id }) =>
        staged(console, tenant, id, { prefix: 'decided', of: (folder) => chosenRecords(folder, lines) }),
      ),
    },
  ];
}

/** Of comparisons. */
function settleRoutes(console: ConsoleOperations): Route[] {
  return [
    {
      ...common,
      method: 'GET',
      path: `${oneRun}/settle`,
      statuses: ['OK'],
      summary: 'The number of users of each class that an import settles of what a comparison has found',
      handle: async (context) => {
        const { folder } = await console.runs.findEnded(appOf(context), context.id);
        return { status: 'OK', users: await settlingCounts(folder, context.signal) };
      },
    },
    {
      ...common,
      method: 'POST',
      path: `${oneRun}/settle`,
      // The scope move is checked, too.
      needs: ['import'],
      statuses: ['OK'],
      summary: 'Makes a file of the records of a class that a comparison has found, to settle them alike',
      audit: { what: 'console.settle', fields: ['kind', 'choice'] },
      ...body(inBody.settleDifferences, (tenant, input, context) => settled(console, tenant, input, context)),
    },
  ];
}

async function settled(
  { runs: kept, files }: ConsoleOperations,
  { appId }: Tenant,
  input: Settled,
  { id, holder, act, signal }: RouteContext,
) {
  if (!allows(holder, ['move']))
    throw new Refusal('KEY_SCOPE_MISSING', lackOf(holder, ['move'], 'settling differences'));
  const { folder } = await kept.findEnded(appId, id);
  const draft = `${folder}/${randomUUID()}.ndjson`;
  try {
    const records = await writeSettling({ folder, to: draft }, input, signal);
    act?.report({ run: id }, records);
    const name = `settled-${input.kind}-${input.choice}.ndjson`;
    return { status: 'OK', records, file: await files.copy(appId, name, draft) };
  } finally {
    await rm(draft, { force: true });
  }
}

interface Content {
  /** Of the file's name. */
  readonly prefix: string;
  /** @param folder of the run's job */
  readonly of: (folder: string) => Promise<string>;
}

/** A file of records of a run. */
async function staged(
  { runs: kept, files }: ConsoleOperations,
  { appId }: Tenant,
  id: string,
  content: Content,
) {
  const run = await kept.findEnded(appId, id);
  const name = `${content.prefix}-${run.subject[0] ?? 'records'}.ndjson`;
  return { status: 'OK', file: await files.write(appId, name, await content.of(folderOf(run))) };
}

type Input = Parameters<ConsoleOperations['runs']['start']>[0]['input'];

/** @throws Refusal INVALID_FIELD */
function requireInput(input: Input): void {
  const { kind, files = [], address, from, canaries } = input;
  const missing = (field: string, why: string): Refusal =>
    new Refusal('INVALID_FIELD', `Field name '${field}' is invalid in JSON input: ${why}`);
  if (readsDatabase(input)) {
    if (address === undefined) throw missing('address', 'is needed to read a database');
    if (from === undefined) throw missing('from', 'must name the system that the tables belong to');
  } else if (files.length === 0) throw missing('files', 'must name at least one file');
  if (kind === 'doctor' && files.length > 1)
    throw missing('files', 'must name one file, in which the doctor looks the hashes up');
  if (kind === 'doctor' && canaries === undefined)
    throw missing('canaries', 'must name a file with emails and known passwords');
}

/** A list needs no results. */
function brief({ said, result: _result, ...rest }: Run) {
  return { ...rest, said: said.slice(-500) };
}

async function rejects({ runs: kept }: ConsoleOperations, context: RouteContext): Promise<StreamReply> {
  const folder = folderOf(await kept.find(appOf(context), context.id));
  return new StreamReply({
    contentType: ndjson,
    headers: [['Cache-Control', 'no-store']],
    chunks: (signal) => rejectLines(folder, signal),
  });
}

/** Of its job, if it has one. */
function folderOf({
  folder,
  jobId,
}: {
  readonly folder: string;
  readonly jobId: string | undefined;
}): string {
  return jobId === undefined ? folder : `${folder}/${jobId}`;
}
