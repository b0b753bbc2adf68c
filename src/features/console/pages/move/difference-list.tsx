import { useMemo } from 'preact/hooks';
import type { AbsentUser } from '../../../../imports/absence.ts';
import {
  changedSides,
  type Difference,
  differenceKinds,
  type Kind,
  ofAbsent,
  ofConflict,
  ofReject,
} from '../../../../imports/difference.ts';
import { count, withMaskedEmails, words } from '../format.ts';
import type { ConflictView, RejectView } from '../jobs/job-model.ts';
import { mostLines, useLines } from '../jobs/use-lines.ts';
import { type LongColumn, LongTable } from '../parts/long-table.tsx';
import { Failure } from '../parts/note.tsx';
import { useReasons } from '../parts/reasons.tsx';
import { linkTo } from '../router.ts';

interface Row {
  readonly code: Kind;
  /** The class in words. */
  readonly message: string;
  readonly found: Difference;
}

const titles = new Map(differenceKinds);

/** In words, the shortest first. */
export function classOf(kind: Kind): { readonly name: string; readonly note: string | undefined } {
  const [name = kind, note] = (titles.get(kind) ?? kind).split(': ');
  return { name: words(name), note };
}

const columns: readonly LongColumn<Row>[] = [
  { name: 'What', width: 'narrow', value: ({ message }) => message, cell: ({ message }) => message },
  { name: 'User', value: ({ found }) => personOf(found), cell: ({ found }) => <Person found={found} /> },
  {
    name: 'Field',
    width: 'code',
    value: ({ found }) => fieldOf(found),
    cell: ({ found }) => (fieldOf(found) === '' ? null : <code>{fieldOf(found)}</code>),
  },
  { name: 'Here', value: ({ found }) => sideOf(found, 'here'), cell: ({ found }) => side(found, 'here') },
  {
    name: 'At the source',
    value: ({ found }) => sideOf(found, 'there'),
    cell: ({ found }) => side(found, 'there'),
  },
  { name: 'Why', value: ({ found }) => whyOf(found) ?? '', cell: ({ found }) => whyOf(found) },
];

/** What a comparison has found: the unexplained first. An empty card is what safe looks like. */
export function DifferenceList({ job }: { readonly job: string }) {
  const { rows, error, isDone, isCut } = useDifferences(job);
  const reasons = useReasons(rows);
  if (rows.length === 0)
    return (
      <div class="card empty">
        <Failure error={error} />
        {isDone ? <p class="good">Nothing differs.</p> : error === undefined && <p class="soft">Loading…</p>}
      </div>
    );
  return (
    <>
      <Failure error={error} />
      {reasons.buttons}
      {isCut && <p class="soft">Of each class the first {count(mostLines)} are shown.</p>}
      <LongTable key={reasons.key} label="Differences" rows={reasons.chosen} empty="" columns={columns} />
    </>
  );
}

function useDifferences(job: string) {
  const base = `/bulk-import/jobs/${job}`;
  const conflicts = useLines<ConflictView>(`${base}/conflicts`);
  const rejects = useLines<RejectView>(`${base}/rejects`);
  const absent = useLines<AbsentUser>(`${base}/absent`);
  const rows = useMemo(() => {
    const all = [
      ...conflicts.lines.map(ofConflict),
      ...rejects.lines.map(ofReject),
      ...absent.lines.map(ofAbsent),
    ];
    return all
      .map((found): Row => ({ code: found.is, message: classOf(found.is).name, found }))
      .toSorted((a, b) => Number(a.found.explained) - Number(b.found.explained));
  }, [conflicts.lines, rejects.lines, absent.lines]);
  const lists = [conflicts, rejects, absent];
  return {
    rows,
    error: lists.find(({ error }) => error !== undefined)?.error,
    isDone: lists.every(({ isDone }) => isDone),
    isCut: lists.some(({ lines }) => lines.length >= mostLines),
  };
}

function Person({ found }: { readonly found: Difference }) {
  const shown = withMaskedEmails(personOf(found));
  return 'userId' in found ? <a href={linkTo('users', found.userId)}>{shown}</a> : <>{shown}</>;
}

function personOf(found: Difference): string {
  return 'userId' in found ? found.userId : (found.externalUserId ?? `record ${count(found.line)}`);
}

function fieldOf(found: Difference): string {
  return 'field' in found ? found.field : '';
}

function side(found: Difference, name: 'here' | 'there') {
  return found.is === 'different' ? <code>{withMaskedEmails(found[name])}</code> : null;
}

function sideOf(found: Difference, name: 'here' | 'there'): string {
  return found.is === 'different' ? found[name] : '';
}

function whyOf(found: Difference): string | null {
  if (found.is === 'different') return changedSides[found.changed];
  if ('message' in found) return withMaskedEmails(found.message);
  if ('signedInSince' in found && found.signedInSince) return 'signed in here since the last import';
  return found.explained ? 'intended' : null;
}
