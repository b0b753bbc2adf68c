import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import { count, plural } from '../format.ts';
import { useDoing } from '../hooks.ts';
import { useLines } from '../jobs/use-lines.ts';
import { LongList } from '../parts/long-list.tsx';
import { Failure } from '../parts/note.tsx';
import { useReasons } from '../parts/reasons.tsx';
import type { Field } from '../parts/rows.ts';
import { go } from '../router.ts';
import { ofCorrected } from './again.ts';
import type { Run, StagedFile } from './run-model.ts';
import { secretsOf, startRun } from './start-run.ts';

interface Reject {
  readonly line: number;
  readonly file?: string;
  readonly code: string;
  readonly field?: string;
  readonly message: string;
  readonly record?: unknown;
  /** Its place among those that can be corrected here. */
  readonly mend?: number;
}

const fields: readonly Field<Reject>[] = [
  { name: 'Line', value: ({ line }) => line },
  { name: 'File', value: ({ file = '' }) => file },
  { name: 'Code', value: ({ code }) => code },
  { name: 'Field', value: ({ field = '' }) => field },
  { name: 'Message', value: ({ message }) => message },
  { name: 'Record', value: ({ record }) => JSON.stringify(record ?? '') },
];

/** Rejected records with their reasons, corrected in place and imported again: without the rest of the file. */
export function MendTable({ run }: { readonly run: Run }) {
  const { lines, error } = useLines<Reject>(`/console/runs/${run.id}/rejects`);
  const [edits, setEdits] = useState<ReadonlyMap<number, string>>(new Map());
  const doing = useDoing();
  const reasons = useReasons(lines);
  if (lines.length === 0) return <Failure error={error} />;
  const send = (): void => {
    doing.run(async () => {
      const records = [...edits].map(([mend, record]) => ({ mend, record }));
      const { file } = await call<{ file: StagedFile }>(`/console/runs/${run.id}/mend`, {
        method: 'POST',
        body: { records },
      });
      const input = { ...ofCorrected(run.input, file.id), secrets: secretsOf(run.id) };
      go('import', (await startRun(input)).id);
    });
  };
  return (
    <section>
      <h2>Rejected: {count(lines.length)}</h2>
      <p class="soft">
        Correct records here, and import only these. What shows as (masked) stays as it is in the file.
      </p>
      <Failure error={error} />
      {reasons.buttons}
      <LongList
        key={reasons.key}
        label="Rejected records"
        rows={reasons.chosen}
        fields={fields}
        item={(reject) => (
          <RejectRow
            reject={reject}
            edit={reject.mend === undefined ? undefined : edits.get(reject.mend)}
            onEdit={(text) => {
              const { mend } = reject;
              if (mend === undefined) return;
              const next = new Map(edits);
              if (text === undefined) next.delete(mend);
              else next.set(mend, text);
              setEdits(next);
            }}
          />
        )}
      />
      {edits.size > 0 && (
        <div class="row">
          <button type="button" disabled={doing.isBusy} onClick={send}>
            {run.kind === 'import' ? 'Import' : 'Try'} {plural(edits.size, 'corrected record')}
          </button>
        </div>
      )}
      <Failure error={doing.error} />
    </section>
  );
}

interface RejectRowProps {
  readonly reject: Reject;
  readonly edit: string | undefined;
  readonly onEdit: (text: string | undefined) => void;
}

function RejectRow({
  reject: { line, file, code, field, message, record, mend },
  edit,
  onEdit,
}: RejectRowProps) {
  const original = record === undefined ? '' : JSON.stringify(record, undefined, 2);
  return (
    <>
      <div class="row wrap">
        <span class="tag cancelled">{code}</span>
        <span>
          {file === undefined ? '' : `${file}, `}record {count(line)}
          {field === undefined ? '' : ', '}
          {field !== undefined && <code>{field}</code>}
        </span>
      </div>
      <p>{message}</p>
      {record !== undefined && edit === undefined && (
        <details>
          <summary>The record</summary>
          <pre>{original}</pre>
        </details>
      )}
      {mend !== undefined && edit === undefined && (
        <button
          type="button"
          class="quiet small"
          onClick={() => {
            onEdit(original);
          }}
        >
          Correct it
        </button>
      )}
      {edit !== undefined && (
        <>
          <label class="field">
            The corrected record
            <textarea
              rows={Math.min(16, edit.split('\n').length + 1)}
              spellcheck={false}
              value={edit}
              onInput={({ currentTarget }) => {
                onEdit(currentTarget.value);
              }}
            />
          </label>
          <button
            type="button"
            class="quiet small"
            onClick={() => {
              onEdit(undefined);
            }}
          >
            Leave it
          </button>
        </>
      )}
    </>
  );
}
