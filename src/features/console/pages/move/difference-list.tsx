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
import { Failure } from '../parts/note.tsx';
import { usePages } from '../parts/pages.tsx';
import { useReasons } from '../parts/reasons.tsx';
import { Table } from '../parts/table.tsx';
import { linkTo } from '../router.ts';

interface Row {
  readonly code: Kind;
  /** The class in words. */
  readonly message: string;
  readonly key: string;
  readonly found: Difference;
}

const titles = new Map(differenceKinds);

/** In words, the shortest first. */
export function classOf(kind: Kind): { readonly name: string; readonly note: string | undefined } {
  const [name = kind, note] = (titles.get(kind) ?? kind).split(': ');
  return { name: words(name), note };
}

/** What a comparison has found: the unexplained first. An empty card is what safe looks like. */
export function DifferenceList({ job }: { readonly job: string }) {
  const { rows, error, isDone, isCut } = useDifferences(job);
  const reasons = useReasons(rows);
  const pages = usePages(reasons.chosen, reasons.key);
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
      <Table
        label="Differences"
        rows={pages.rows}
        keyOf={({ key }) => key}
        empty=""
        columns={[
          { name: 'What', cell: ({ message }) => message },
          { name: 'User', cell: ({ found }) => <Person found={found} /> },
          {
            name: 'Field',
            cell: ({ found }) => ('field' in found && found.field !== '' ? <code>{found.field}</code> : null),
          },
          { name: 'Here', cell: ({ found }) => side(found, 'here') },
          { name: 'At the source', cell: ({ found }) => side(found, 'there') },
          { name: 'Why', cell: ({ found }) => whyOf(found) },
        ]}
      />
      {pages.buttons}
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
      .map((found, at): Row => ({ code: found.is, message: classOf(found.is).name, key: String(at), found }))
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
  if ('userId' in found) return <a href={linkTo('users', found.userId)}>{withMaskedEmails(found.userId)}</a>;
  return <>{withMaskedEmails(found.externalUserId ?? `record ${count(found.line)}`)}</>;
}

function side(found: Difference, name: 'here' | 'there') {
  return found.is === 'different' ? <code>{withMaskedEmails(found[name])}</code> : null;
}

function whyOf(found: Difference): string | null {
  if (found.is === 'different') return changedSides[found.changed];
  if ('message' in found) return withMaskedEmails(found.message);
  if ('signedInSince' in found && found.signedInSince) return 'signed in here since the last import';
  return found.explained ? 'intended' : null;
}
