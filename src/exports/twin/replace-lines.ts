/** Lines of an original → lines of its twin. What an import rejects is rejected for the same reason. */

import { lineBytesLimit } from '../../domain/line-limit.ts';
import { lineOfReject, statedReject } from '../../imports/parse/stated-reject.ts';
import { isFree, parseRecord, parseRecordOf, type RecordResult } from '../../imports/record/parse-record.ts';
import type { RecordRules } from '../../imports/tasks.ts';
import type { HashSecrets } from '../../hashes/kind.ts';
import { declaredNames, type Fields, replaceRecord, type Replacing } from './record.ts';
import type { Listed, Replaced, ReplaceTask, TwinCounts, TwinRules } from './tasks.ts';
import type { Replacer } from './values.ts';

const newline = '\n';

/** @param values of the task's key and originals */
export function replaceLines({ lines, rules, stock }: ReplaceTask, values: Replacer): Replaced {
  const counts: TwinCounts = { records: 0, rejected: 0, stated: 0, known: 0, unknown: {}, leftOut: 0 };
  const listed: Listed[] = [];
  const parts: string[] = [];
  for (const line of linesIn(lines)) {
    const known: Listed[] = [];
    const twin = twinOf(line, { rules, replacing: { values, stock, counts, known } });
    if (twin === undefined) continue;
    counts.records += 1;
    parts.push(twin.text, newline);
    if (twin.mayBeListed) listed.push(...known);
  }
  return { text: Buffer.from(parts.join('')), listed, counts };
}

/** Whole lines, as bytes and as text. */
interface Line {
  readonly bytes: number;
  /** undefined unless it is UTF-8. */
  readonly text: string | undefined;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function* linesIn(lines: Uint8Array): Generator<Line> {
  for (let start = 0; start < lines.length;) {
    const end = lines.indexOf(10, start);
    const line = lines.subarray(start, end);
    yield { bytes: line.length, text: textOf(line)?.replace(/^\ufeff/, '') };
    start = end + 1;
  }
}

function textOf(line: Uint8Array): string | undefined {
  try {
    return decoder.decode(line);
  } catch {
    return undefined;
  }
}

interface Twin {
  readonly text: string;
  /** Whether its user can sign in with the password. */
  readonly mayBeListed: boolean;
}

interface Context {
  readonly rules: TwinRules;
  readonly replacing: Replacing;
}

/** @returns undefined for a blank line */
function twinOf({ bytes, text }: Line, { rules, replacing }: Context): Twin | undefined {
  if (text?.trim() === '') return undefined;
  const { counts } = replacing;
  const own = text === undefined || bytes > lineBytesLimit ? undefined : objectIn(text);
  if (text === undefined || own === undefined) return broken('x'.repeat(bytes), counts);
  const reject = statedReject(text);
  if (reject !== undefined) return restated(reject, { rules, replacing });
  const unknownBefore = { ...counts.unknown };
  const knownBefore = counts.known;
  const replaced = replaceRecord(own, replacing);
  const twin = JSON.stringify(replaced);
  const result = parseRecord(twin, rulesFor(replaced, rules, rules.madeUp));
  // After all that reads the original's values: it normalises them.
  const original = parseRecordOf(text, own, rulesFor(own, rules, rules.secrets));
  if (!original.ok) counts.rejected += 1;
  if (codeOf(result) === codeOf(original))
    return { text: twin, mayBeListed: result.ok && isFree(result.record.restrictions) };
  counts.known = knownBefore;
  Object.assign(counts.unknown, unknownBefore);
  const { code, field } = original.ok ? unlike : original.reject;
  if (!original.ok) counts.rejected -= 1;
  if (code === 'DUPLICATE_KEY') return broken(repeatedKey, counts);
  return stated({ code, field: declaredPath(field), message: notRebuilt }, counts, idOf(own, replacing));
}

/** What JSON.parse has forgotten. */
const repeatedKey = '{"loginMethods":[],"loginMethods":[]}';

/** A line that is no record: not JSON, too long, or with a key twice. */
function broken(text: string, counts: TwinCounts): Twin {
  counts.rejected += 1;
  return { text, mayBeListed: false };
}

const unlike = { code: 'NOT_IMPORTABLE', field: '' } as const;
const notRebuilt =
  'The original record is rejected with this code, for a reason that a made-up record does not show';

/** The beginning of a path that has declared names only: metadata has names of the original. */
function declaredPath(field: string): string {
  const steps = field.split('.');
  const end = steps.findIndex((step) => !declaredNames.has(step) && !/^\d+$/.test(step));
  return (end < 0 ? steps : steps.slice(0, end)).join('.');
}

function codeOf(result: RecordResult): string {
  return result.ok ? '' : result.reject.code;
}

/** In this program's words if they are; any others may contain a value. */
function restated(reject: NonNullable<ReturnType<typeof statedReject>>, { rules, replacing }: Context): Twin {
  const { code, field, message, externalUserId, isGone } = reject;
  const own = rules.isConverted ? { field, message } : { field: '', message: 'Rejected in the original' };
  const id = externalUserId === undefined ? undefined : replacing.values.text(externalUserId);
  replacing.counts.rejected += 1;
  return {
    text: lineOfReject({ code, ...own, externalUserId: id, ...(isGone === true && { isGone }) }),
    mayBeListed: false,
  };
}

function stated(
  reject: Pick<Parameters<typeof lineOfReject>[0], 'code' | 'field' | 'message'>,
  counts: TwinCounts,
  externalUserId?: string,
): Twin {
  counts.rejected += 1;
  counts.stated += 1;
  return { text: lineOfReject({ ...reject, externalUserId }), mayBeListed: false };
}

function idOf({ externalUserId }: Fields, { values }: Replacing): string | undefined {
  return typeof externalUserId === 'string' ? values.text(externalUserId) : undefined;
}

export function objectIn(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Fields)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Of a check like that of an import. Plain-text passwords pass: whether a core accepts them is not shown by the record. */
function rulesFor(own: Fields, { limits, now }: TwinRules, { signerKey, pepper }: HashSecrets): RecordRules {
  return {
    limits,
    allowPlainText: true,
    now,
    signerKey,
    pepper: pepper ?? undefined,
    tenants: tenantsIn(own),
    onConflict: 'update',
    dryRun: true,
    secondFactor: 'refuse',
  };
}

/** Any tenant that the record names: only a core knows which exist. */
function tenantsIn({ loginMethods, userRoles }: Fields): Record<string, number> {
  const tenants = Object.create(null) as Record<string, number>;
  tenants.public = 0;
  for (const list of [loginMethods, userRoles]) {
    if (!Array.isArray(list)) continue;
    for (const of of list as ({ readonly tenantIds?: unknown } | null)[]) {
      const tenantIds: unknown = of?.tenantIds;
      if (!Array.isArray(tenantIds)) continue;
      for (const each of tenantIds) {
        const id = typeof each === 'string' ? each.trim().toLowerCase() : '';
        if (/^[a-z0-9-]{1,64}$/.test(id)) tenants[id] ??= 1;
      }
    }
  }
  return tenants;
}
