import { setTimeout as delay } from 'node:timers/promises';
import type { Job } from '../../imports/model.ts';
import type { BulkImports } from '../../imports/ports.ts';
import { Refusal } from '../../domain/errors.ts';
import { body, query, requireTenant } from '../routing/handlers.ts';
import { absentLines, conflictLines, jobView, jobViewIn, listedView, rejectLines } from './job-view.ts';
import { StreamReply } from '../response/replies.ts';
import type { Route, RouteContext } from '../routing/route.ts';
import { inBody, inQuery } from '../../schema/validate.ts';

const jobs = '/bulk-import/jobs';
const common = { method: 'GET', scope: 'app', tag: 'Bulk import', needs: ['import', 'read'] } as const;
const ndjson = 'application/x-ndjson';
const eventStream = 'text/event-stream';
const defaultLimit = 100;
interface EventTiming {
  readonly intervalMs: number;
  /** Unchanged reads after which a comment is sent: proxies drop silent connections. */
  readonly quietLooks: number;
}

/** Includes senders that may only create users. */
const needs = ['import', 'import:new', 'read'] as const;

/** Comments every 15 s: proxies give up after 30 to 60. */
const everySecond: EventTiming = { intervalMs: 1000, quietLooks: 15 };

export function jobRoutes(bulk: BulkImports, timing = everySecond): Route[] {
  return [...listRoutes(bulk), ...streamRoutes(bulk, timing), ...undoRoutes(bulk)];
}

function listRoutes(bulk: BulkImports): Route[] {
  return [
    {
      ...common,
      path: jobs,
      needs,
      summary:
        'Lists the jobs, newest first, page by page; of each series the newest, with the sums of all of its jobs',
      statuses: ['OK'],
      ...query(inQuery.listJobs, (tenant, { series, limit = defaultLimit, paginationToken: before }) =>
        series === undefined
          ? pageOf(limit, listedView, (most) => bulk.list(tenant, { limit: most, before }))
          : pageOf(limit, jobView, (most) => bulk.listSeries(tenant, series, { limit: most, before })),
      ),
    },
    {
      ...common,
      path: `${jobs}/{id}`,
      needs,
      summary: 'Gets the current state of a job',
      statuses: ['OK'],
      handle: async (context) => {
        const job = await requireJob(bulk, context);
        return { status: 'OK', job: jobViewIn(requireTenant(context.tenant), job, Date.now()) };
      },
    },
  ];
}

/** Reads one more than a page, to know whether another follows. */
async function pageOf<Listed extends Job>(
  limit: number,
  view: (job: Listed) => object,
  read: (limit: number) => Promise<readonly Listed[]>,
): Promise<object> {
  const found = await read(limit + 1);
  const page = found.slice(0, limit);
  const nextPaginationToken = found.length > limit ? page.at(-1)?.id : undefined;
  return { status: 'OK', jobs: page.map((job) => view(job)), nextPaginationToken };
}

function streamRoutes(bulk: BulkImports, timing: EventTiming): Route[] {
  return [
    {
      ...common,
      path: `${jobs}/{id}/rejects`,
      needs,
      summary: 'The records that were not imported, and why, one a line',
      contentType: ndjson,
      handle: (context) => rejects(bulk, context),
    },
    {
      ...common,
      path: `${jobs}/{id}/conflicts`,
      summary:
        'Fields that were changed here and at the source since the last import, and what was done, one a line',
      contentType: ndjson,
      handle: (context) => conflicts(bulk, context),
    },
    {
      ...common,
      path: `${jobs}/{id}/absent`,
      summary: 'Users that the source does not have any more, and what was done with them, one per line',
      contentType: ndjson,
      handle: (context) => absentUsers(bulk, context),
    },
    {
      ...common,
      path: `${jobs}/{id}/events`,
      needs,
      summary: 'The job as it advances, until it receives no more',
      contentType: eventStream,
      handle: (context) => events(bulk, context, timing),
    },
  ];
}

async function rejects(bulk: BulkImports, context: RouteContext): Promise<StreamReply> {
  const { id } = await requireJob(bulk, context);
  const tenant = requireTenant(context.tenant);
  return new StreamReply({
    contentType: ndjson,
    async *chunks() {
      for await (const page of bulk.rejects(tenant, id)) yield rejectLines(page);
    },
  });
}

async function conflicts(bulk: BulkImports, context: RouteContext): Promise<StreamReply> {
  const { id } = await requireJob(bulk, context);
  const tenant = requireTenant(context.tenant);
  return new StreamReply({
    contentType: ndjson,
    async *chunks() {
      for await (const page of bulk.conflicts(tenant, id)) yield conflictLines(page);
    },
  });
}

async function absentUsers(bulk: BulkImports, context: RouteContext): Promise<StreamReply> {
  const { id } = await requireJob(bulk, context);
  const tenant = requireTenant(context.tenant);
  return new StreamReply({
    contentType: ndjson,
    async *chunks() {
      for await (const page of bulk.absentUsers(tenant, id)) yield absentLines(page);
    },
  });
}

async function events(bulk: BulkImports, context: RouteContext, timing: EventTiming): Promise<StreamReply> {
  await requireJob(bulk, context);
  return new StreamReply({
    contentType: eventStream,
    headers: [['Cache-Control', 'no-store']],
    chunks: (signal) => jobEvents(() => bulk.find(requireTenant(context.tenant), context.id), timing, signal),
  });
}

function undoRoutes(bulk: BulkImports): Route[] {
  return [foreseeRoute(bulk), undoRoute(bulk)];
}

function foreseeRoute(bulk: BulkImports): Route {
  return {
    ...common,
    path: `${jobs}/{id}/undo`,
    summary: 'How many users an undo would remove, put back and leave, as of now',
    statuses: ['OK'],
    refusals: [409, 410],
    ...query(inQuery.foreseeUndo, async (tenant, { force = false }, { id }) => {
      const result = await bulk.foreseeUndo(tenant, id, force);
      if (result === undefined) throw new Refusal('NOT_FOUND');
      return { status: 'OK', ...result };
    }),
  };
}

function undoRoute(bulk: BulkImports): Route {
  return {
    ...common,
    method: 'POST',
    needs: ['import'],
    path: `${jobs}/{id}/undo`,
    summary: 'Removes what the job created and restores what it replaced',
    statuses: ['OK'],
    bodyMayBeMissing: true,
    audit: { what: 'import.undo', fields: ['force'], counts: 'removed' },
    refusals: [409, 410],
    ...body(inBody.undoJob, async (tenant, { force = false }, { id, act }) => {
      act?.report({ job: id });
      const result = await bulk.undo(tenant, id, force);
      if (result === undefined) throw new Refusal('NOT_FOUND');
      const { removed, restored, left, held = 0 } = result;
      act?.report({ restored, left: left.length, ...(held > 0 && { held }) });
      return { status: 'OK', removed, restored, held, left };
    }),
  };
}

async function requireJob(bulk: BulkImports, { tenant, id }: RouteContext): Promise<Job> {
  const job = await bulk.find(requireTenant(tenant), id);
  if (job === undefined) throw new Refusal('NOT_FOUND');
  return job;
}

/**
 * Server-sent events (WHATWG HTML, section 9.2): the job at once, after each change, and when it no longer receives. Then the
 * stream ends, as it does with the signal or when the job is gone.
 */
async function* jobEvents(
  find: () => Promise<Job | undefined>,
  { intervalMs, quietLooks }: EventTiming,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let shown = '';
  let quiet = 0;
  while (!signal.aborted) {
    const job = await find();
    if (job === undefined) return;
    const text = JSON.stringify(jobView(job));
    if (text !== shown) {
      shown = text;
      quiet = 0;
      yield `data: ${text}\n\n`;
    } else if (++quiet % quietLooks === 0) {
      yield ': nothing new\n\n';
    }
    if (job.state !== 'receiving') return;
    await delay(intervalMs, undefined, { signal }).catch(() => undefined);
  }
}
