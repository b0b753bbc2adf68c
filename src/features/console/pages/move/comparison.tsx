import { useState } from 'preact/hooks';
import { differenceKinds } from '../../../../imports/difference.ts';
import { call } from '../api.ts';
import { count, plural } from '../format.ts';
import { useDoing } from '../hooks.ts';
import { ofNative } from '../import/again.ts';
import { choices } from '../import/more-options.ts';
import type { ComparisonResult, Run, StagedFile } from '../import/run-model.ts';
import { startRun } from '../import/start-run.ts';
import { Figures } from '../parts/figures.tsx';
import { Failure } from '../parts/note.tsx';
import { go } from '../router.ts';
import { classOf, DifferenceList } from './difference-list.tsx';
import { RecordInMove } from './record.tsx';

/** The result of a comparison that this core has made, and what settles it. */
export function ComparisonView({ run, found }: { readonly run: Run; readonly found: ComparisonResult }) {
  const { records, unexplained, source, users, digest, startedAt, job } = found;
  return (
    <>
      <ClassFigures {...found} />
      <DifferenceList job={job} />
      <Settle run={run} found={found} />
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

const [, , rules] = choices[0];

/** The records of users who are missing here, or were changed there or on both sides. */
function Settle({ run, found: { users } }: { readonly run: Run; readonly found: ComparisonResult }) {
  const doing = useDoing();
  const [onConflict, setOnConflict] = useState('');
  const records = users.missingHere + users.different - users.changedHere;
  if (records === 0) return null;
  const settle = (): void => {
    doing.run(async () => {
      const { file } = await call<{ file: StagedFile }>(`/console/runs/${run.id}/repair`, { method: 'POST' });
      const begun = await startRun(ofNative(run.input, file.id, onConflict));
      go('import', begun.id);
    });
  };
  return (
    <section>
      <h2>What settles it</h2>
      <p class="soft">
        Users who are missing here, and fields that were changed there. Users who are gone there are settled
        by an import of the whole export with a rule for them.
      </p>
      <div class="row wrap">
        <label class="field">
          Where both sides have changed
          <select
            value={onConflict}
            onChange={({ currentTarget }) => {
              setOnConflict(currentTarget.value);
            }}
          >
            {rules.slice(0, 3).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <button type="button" disabled={doing.isBusy} onClick={settle}>
          Import the {plural(records, 'record')}
        </button>
      </div>
      <Failure error={doing.error} />
    </section>
  );
}
