import { differenceKinds } from '../../../../imports/difference.ts';
import { count } from '../format.ts';
import type { ComparisonResult, Run } from '../import/run-model.ts';
import { Figures } from '../parts/figures.tsx';
import { classOf, DifferenceList } from './difference-list.tsx';
import { RecordInMove } from './record.tsx';
import { Settle } from './settle.tsx';

/** The result of a comparison that this core has made, and what settles it. */
export function ComparisonView({ run, found }: { readonly run: Run; readonly found: ComparisonResult }) {
  const { records, unexplained, source, users, digest, startedAt, job } = found;
  return (
    <>
      <ClassFigures {...found} />
      <DifferenceList job={job} />
      {users.missingHere + users.different > users.changedHere && <Settle run={run} />}
      <RecordInMove
        report="comparison"
        isWanted={(move) => move.stage !== 'closed' && move.source.label === source}
        isRecorded={(move) => move.reports.comparison?.figures.digest === digest}
        // It is as old as its beginning.
        bodyOf={({ now }) => ({
          users: records,
          unexplained,
          counts: users,
          digest,
          tookMs: Math.max(0, now - startedAt),
        })}
      />
    </>
  );
}

interface ClassFiguresProps {
  readonly unexplained: number;
  readonly users: Readonly<Record<string, number>>;
  /** Left out: not known. */
  readonly equal?: number;
}

/** Users of each class that there are. */
export function ClassFigures({ unexplained, users, equal }: ClassFiguresProps) {
  const classes = differenceKinds.flatMap(([kind]) => {
    const value = users[kind] ?? 0;
    return value === 0 ? [] : [{ ...classOf(kind), value: count(value) }];
  });
  return (
    <Figures
      items={[
        { name: 'Unexplained', value: count(unexplained), kind: unexplained === 0 ? 'good' : 'bad' },
        ...(equal === undefined ? [] : [{ name: 'Equal', value: count(equal) }]),
        ...classes,
      ]}
    />
  );
}
