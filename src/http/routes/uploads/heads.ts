import type { NewJob } from '../../../imports/model.ts';
import { Refusal } from '../../../domain/errors.ts';
import { type CreateJobQuery, queries } from '../../../schema/requests.ts';
import { inQuery } from '../../../schema/validate.ts';
import type { HandledHead } from '../../routing/route.ts';
import { uploadBytes, uploadMetadata } from './tus.ts';

export const ndjson = 'application/x-ndjson';

const optionNames: ReadonlySet<string> = new Set(Object.keys(queries.createJob.properties));

/** From the query, else from the metadata. */
export function optionsOf(head: HandledHead): Omit<NewJob, 'uploadLength'> {
  const said: CreateJobQuery = {
    ...inQuery.createJob.parse(uploadMetadata(head, optionNames)),
    ...inQuery.createJob.parse(head.query),
  };
  const { name = '', onConflict = 'update', dryRun = false, secondFactor = 'refuse' } = said;
  const {
    sameIds = false,
    idPrefix,
    restoreRemoved = false,
    source = '',
    series,
    whole = false,
    absent,
    absentYes = false,
    receipt = false,
  } = said;
  const marks = { sameIds, idPrefix, restoreRemoved, source, series, whole, absentYes, receipt };
  // A comparison looks for the users of either side, and changes none.
  const how =
    said.compare === true ? ({ compare: true, dryRun: true, absent: 'report' } as const) : { dryRun, absent };
  return { name, onConflict, secondFactor, ...marks, ...how };
}

/** @throws Refusal INVALID_QUERY_PARAMETER for a dry run in a series, whose sums it would falsify, and for a whole of no series */
export function requireSoundSeries({ series, whole = false, dryRun }: Omit<NewJob, 'uploadLength'>): void {
  if (series !== undefined && dryRun)
    throw new Refusal(
      'INVALID_QUERY_PARAMETER',
      "'series' cannot be combined with 'dryRun' or 'compare': leave one of them out",
    );
  if (whole && series === undefined)
    throw new Refusal('INVALID_QUERY_PARAMETER', "'whole' needs 'series': give both, or neither");
}

export function hasBody({ framing }: HandledHead): boolean {
  return framing.kind === 'chunked' || (framing.kind === 'sound' && framing.bodyBytes > 0);
}

export function mediaType({ contentType = '' }: HandledHead): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}

/** @param cure what to send instead @throws Refusal UNSUPPORTED_MEDIA_TYPE */
export function requireUploadBytes(head: HandledHead, cure: string): void {
  if (mediaType(head) === uploadBytes && encoding(head) === 'identity') return;
  throw new Refusal('UNSUPPORTED_MEDIA_TYPE', `The type or encoding of the body is not supported: ${cure}`);
}

/** @throws Refusal UNSUPPORTED_MEDIA_TYPE for any other encoding */
export function isGzip(head: HandledHead): boolean {
  const said = encoding(head);
  if (said === 'gzip' || said === 'x-gzip') return true;
  if (said === 'identity') return false;
  throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'The only Content-Encoding that is supported is gzip');
}

/** Enough for 100 canaries with long hashes. */
export const checkedJobBytesLimit = 64 * 1024;

/** True for a JSON body, which holds canaries; bytes follow by PATCH. @throws Refusal UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE */
export function announcesCanaries(head: HandledHead): boolean {
  if (head.method !== 'POST' || mediaType(head) !== 'application/json' || !hasBody(head)) return false;
  if (encoding(head) !== 'identity')
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'A body of JSON must come without Content-Encoding');
  const { framing } = head;
  if (framing.kind === 'sound' && framing.bodyBytes > checkedJobBytesLimit)
    throw new Refusal('BODY_TOO_LARGE', `The request body is larger than ${checkedJobBytesLimit} bytes`);
  return true;
}

function encoding({ contentEncoding }: HandledHead): string {
  return (contentEncoding ?? '').trim().toLowerCase() || 'identity';
}
