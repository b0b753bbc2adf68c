import type { Job, NewJob } from '../../../imports/model.ts';
import type { BulkImports, Upload } from '../../../imports/ports.ts';
import { Refusal } from '../../../domain/errors.ts';
import type { Tenant } from '../../../domain/model.ts';
import { inBody, inQuery } from '../../../schema/validate.ts';
import { GunzipSink } from '../../request/gunzip.ts';
import { requireTenant } from '../../routing/handlers.ts';
import { jobViewIn } from '../job-view.ts';
import { JsonSink } from '../../request/body.ts';
import { type BodySink, type Outcome, Receive } from '../../response/outcome.ts';
import { bodilessReply, type Header, type Reply } from '../../response/replies.ts';
import type { RouteContext } from '../../routing/route.ts';
import { createsOnlyOf, requireWithin } from './creates-only.ts';
import { continuing, pathOf, sendingAgain } from './way-on.ts';
import {
  isUploadAhead,
  newUploadLength,
  uploadBytes,
  uploadLength,
  uploadOffset,
  versionRefusal,
} from './tus.ts';
import {
  announcesCanaries,
  checkedJobBytesLimit,
  hasBody,
  isGzip,
  mediaType,
  ndjson,
  optionsOf,
  requireSoundSeries,
  requireUploadBytes,
} from './heads.ts';

export async function create(bulk: BulkImports, context: RouteContext): Promise<Outcome | Receive> {
  const { head } = context;
  const tenant = requireTenant(context.tenant);
  const refusal = versionRefusal(head);
  if (refusal !== undefined) return refusal;
  const options = optionsOf(head);
  // With canaries, the body may state other options, which are checked when they are known.
  if (!announcesCanaries(head)) {
    requireSoundSeries(options);
    requireWithin(context.holder, options);
  }
  if (head.method === 'PUT' || mediaType(head) === ndjson) return importWhole(bulk, options, context);
  if (announcesCanaries(head)) return createChecked(bulk, options, context);
  if (hasBody(head)) requireUploadBytes(head, `send ${ndjson}, or ${uploadBytes} with Upload-Length`);
  const job = await bulk.create(tenant, { ...options, uploadLength: newUploadLength(head) });
  reportBeginning(job, context.act);
  if (!hasBody(head)) return created(tenant, job);
  const createsOnly = createsOnlyOf(context.holder);
  const upload = await bulk.openUpload(tenant, job.id, { offset: job.bytes, createsOnly });
  const sink = sinkOf(upload, () => beginning(tenant, job, upload, context.act));
  return new Receive(sink, continuing(job.id, tenant));
}

/** Options in the body override those of the URL. The job is created when all canaries were verified. */
function createChecked(
  bulk: BulkImports,
  options: Omit<NewJob, 'uploadLength'>,
  { head, act, tenant: owner, holder }: RouteContext,
): Receive {
  const tenant = requireTenant(owner);
  const length = newUploadLength(head);
  const sink = new JsonSink(checkedJobBytesLimit, async ({ value, ...text }) => {
    const { canaries, codeCanaries, ...said } = inBody.createCheckedJob.parse(value, text);
    if (canaries === undefined && codeCanaries === undefined)
      throw new Refusal('INVALID_FIELD', "Field name 'canaries' is invalid in JSON input");
    const known = { passwords: canaries, codes: codeCanaries };
    requireSoundSeries({ ...options, ...said });
    requireWithin(holder, { ...options, ...said });
    const job = await bulk.create(tenant, { ...options, ...said, uploadLength: length }, known);
    reportBeginning(job, act);
    return created(tenant, job);
  });
  return new Receive(sink);
}

/** The job begins even if these bytes contain no whole line yet. */
async function beginning(tenant: Tenant, job: Job, upload: Upload, act: RouteAct): Promise<Reply> {
  try {
    const ended = await upload.end();
    reportEnd(ended, act);
    return created(tenant, ended);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'UPLOAD_WITHOUT_LINE') return created(tenant, job);
    throw error;
  }
}

function created({ appId }: Tenant, job: Job): Reply {
  return bodilessReply(201, [['Location', pathOf(job.id, appId)], offsetOf(job)]);
}

async function importWhole(
  bulk: BulkImports,
  options: Omit<NewJob, 'uploadLength'>,
  { head, act, tenant: owner, holder }: RouteContext,
): Promise<Receive> {
  const tenant = requireTenant(owner);
  const isPacked = isGzip(head);
  const job = await bulk.create(tenant, { ...options, uploadLength: undefined });
  const start = { offset: job.bytes, isWhole: true, createsOnly: createsOnlyOf(holder) };
  const upload = await bulk.openUpload(tenant, job.id, start);
  reportBeginning(job, act);
  const sink = sinkOf(upload, async () => {
    const ended = await upload.end();
    reportEnd(ended, act);
    return { status: 'OK', job: jobViewIn(tenant, ended, Date.now()) };
  });
  return new Receive(isPacked ? new GunzipSink(sink) : sink, sendingAgain(job.id, tenant));
}

/** Answers how many bytes the job has. */
export async function answerOffset(bulk: BulkImports, { tenant, id, head }: RouteContext): Promise<Reply> {
  const refusal = versionRefusal(head);
  if (refusal !== undefined) return refusal;
  const job = await bulk.find(requireTenant(tenant), id);
  if (job === undefined) throw new Refusal('NOT_FOUND');
  if (job.state === 'cancelled' || job.state === 'undone') throw new Refusal('UPLOAD_GONE');
  return bodilessReply(200, [['Cache-Control', 'no-store'], offsetOf(job), lengthOf(job)]);
}

/** Receives the next bytes of a job. */
export async function append(bulk: BulkImports, context: RouteContext): Promise<Reply | Receive> {
  const { tenant, id, head } = context;
  const refusal = versionRefusal(head, true);
  if (refusal !== undefined) return refusal;
  requireUploadBytes(head, `send ${uploadBytes}`);
  const { framing } = head;
  const bodyBytes = framing.kind === 'sound' ? framing.bodyBytes : undefined;
  const createsOnly = createsOnlyOf(context.holder);
  const owner = requireTenant(tenant);
  // A job may have been begun with another key, which may do more.
  const begun = createsOnly && (await bulk.find(owner, id));
  if (begun) requireWithin(context.holder, begun);
  const start = {
    offset: uploadOffset(head),
    isAhead: isUploadAhead(head),
    uploadLength: uploadLength(head),
    bodyBytes,
    createsOnly,
  };
  const upload = await bulk.openUpload(owner, id, start);
  const end = async (): Promise<Reply> => {
    const job = await upload.end();
    reportEnd(job, context.act);
    return bodilessReply(204, [offsetOf(job)]);
  };
  return new Receive(sinkOf(upload, end), continuing(id, owner));
}

/** Ends the upload or, with `purge`, removes all personal data of the job. */
export async function cancel(bulk: BulkImports, { tenant, id, head, act }: RouteContext): Promise<Reply> {
  const refusal = versionRefusal(head);
  if (refusal !== undefined) return refusal;
  const { purge = false } = inQuery.cancelJob.parse(head.query);
  act?.report({ job: id, purge });
  const owner = requireTenant(tenant);
  const job = await (purge ? bulk.purge(owner, id) : bulk.cancel(owner, id));
  if (job === undefined) throw new Refusal('NOT_FOUND');
  return bodilessReply(204);
}

type RouteAct = RouteContext['act'];

function reportBeginning({ id, name, dryRun, source }: Job, act: RouteAct): void {
  act?.report({ job: id, dryRun, ...(name && { name }), ...(source && { source }) });
}

function reportEnd({ id, state, dryRun, created: added, updated, rejected }: Job, act: RouteAct): void {
  if (state === 'done') act?.report({ job: id, dryRun, created: added, updated, rejected }, added + updated);
}

function sinkOf(upload: Upload, end: () => Promise<Outcome>): BodySink {
  return {
    write: (bytes) => upload.write(bytes),
    ready: () => upload.ready(),
    end,
    abort: () => upload.abort(),
  };
}

function offsetOf(job: Job): Header {
  return ['Upload-Offset', String(job.bytes)];
}

function lengthOf({ uploadLength: length, state, bytes }: Job): Header {
  const known = length ?? (state === 'done' ? bytes : undefined);
  return known === undefined ? ['Upload-Defer-Length', '1'] : ['Upload-Length', String(known)];
}
