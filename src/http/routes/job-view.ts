import { sourceOfKind } from '../../domain/legacy-mark.ts';
import type { Tenant } from '../../domain/model.ts';
import { absentRefusals } from '../../domain/jobs/absent-refusals.ts';
import type { Absence, AbsentUser } from '../../imports/absence.ts';
import { linesOf, shownFields } from '../../domain/jobs/job-fields.ts';
import { shownStates } from '../../domain/jobs/sign-in-states.ts';
import type { Conflict, Job, ListedJob, Reject } from '../../imports/model.ts';
import { cancelReasons } from '../../domain/jobs/cancel-reasons.ts';

/** The job as shown. JSON.stringify omits absent fields. */
export function jobView(job: Job): object {
  const { cancelReason: code, source, series: name, whole, absence } = job;
  const lines = linesOf(job);
  return {
    ...shownFields({ ...job }),
    ...shownStates(job.byState),
    cancelReason: code && { code, message: cancelReasons[code] },
    source: source === '' ? undefined : source,
    series: name === undefined ? undefined : { name, whole },
    lines,
    usersPerSecond: rate(job, lines),
    ...absenceView(absence),
  };
}

/** Of a series: its newest job, with what is counted over all of its jobs. */
export function listedView({ seriesCounts, ...job }: ListedJob): object {
  const { series: name, whole } = job;
  return { ...jobView(job), ...(seriesCounts && { series: { name, whole, ...seriesCounts } }) };
}

/** Adds the old systems that its records name and the tenant does not ask, if any: users who depend on them cannot sign in. */
export function jobViewIn({ settings: { legacySources = [] } }: Tenant, job: Job, now: number): object {
  const asked = legacySources.filter(({ until }) => until > now).map(({ name }) => name);
  const named = Object.keys(job.byKind).flatMap((kind) => sourceOfKind(kind) ?? []);
  const unasked = named.filter((name) => !asked.includes(name));
  return { ...jobView(job), ...(unasked.length > 0 && { legacySourcesNotAsked: unasked }) };
}

function absenceView({ known, count, active, done, refused }: Partial<Absence> = {}): object {
  return {
    absent: count,
    absentKnown: known,
    absentActive: active,
    absentDone: done,
    absentRefused: refused && { code: refused, message: absentRefusals[refused] },
  };
}

/** NDJSON. */
export function absentLines(users: readonly AbsentUser[]): string {
  return users
    .map(
      ({ userId, signedInSince, done, origin }) =>
        `${JSON.stringify({ userId, signedInSince, done, origin })}\n`,
    )
    .join('');
}

/** Records per second of its uploads up to the last commit, to one decimal; 0 before the first commit. */
function rate({ startedAt, lastCommitAt, pausedMs }: Job, lines: number): number {
  if (lastCommitAt === undefined) return 0;
  const seconds = Math.max(lastCommitAt - startedAt - pausedMs, 1) / 1000;
  return Math.round((lines / seconds) * 10) / 10;
}

/** NDJSON. */
export function rejectLines(rejects: readonly Reject[]): string {
  return rejects
    .map(({ line, externalUserId, code, field, message, otherUserId, isGone }) => {
      return `${JSON.stringify({ line, externalUserId, code, field, message, otherUserId, isGone })}\n`;
    })
    .join('');
}

/** NDJSON. */
export function conflictLines(conflicts: readonly Conflict[]): string {
  return conflicts
    .map(({ line, externalUserId, userId, group, field, here, source, done, changed }) => {
      return `${JSON.stringify({ line, externalUserId, userId, group, field, here, source, done, changed })}\n`;
    })
    .join('');
}
