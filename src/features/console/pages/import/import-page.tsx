import { useEffect, useState } from 'preact/hooks';
import { call, send } from '../api.ts';
import { ago, bytes } from '../format.ts';
import { useDoing, useLoaded } from '../hooks.ts';
import { Failure } from '../parts/note.tsx';
import { Progress } from '../parts/progress.tsx';
import { Table } from '../parts/table.tsx';
import { go, linkTo } from '../router.ts';
import { DatabaseForm } from './database-form.tsx';
import { Demo } from './demo.tsx';
import { Drop } from './drop.tsx';
import { kindWords, type Run, type StagedFile } from './run-model.ts';
import { RunPage } from './run-page.tsx';
import { startRun } from './start-run.ts';
import { sendFile, type Sending } from './uploads.ts';

export function ImportPage({ id }: { readonly id: string | undefined }) {
  return id === undefined ? <Begin /> : <RunPage key={id} id={id} />;
}

const everyMs = 3000;

interface Held {
  readonly files: readonly StagedFile[];
  /** Bytes that a new file may have. */
  readonly room: number;
}

/** What is on its way, and what the core holds already. */
function Begin() {
  const held = useLoaded('files', (signal) => call<Held>('/console/files', { signal }), everyMs);
  const { files, room } = held.value ?? {};
  const [sendings, setSendings] = useState<readonly Sending[]>([]);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [tooLarge, setTooLarge] = useState<string>();
  const doing = useDoing();
  const { reload } = held;
  const take = async (dropped: readonly File[]): Promise<void> => {
    // Files may be dropped before the room is known. If the core does not answer, it refuses what is too large when it is sent.
    const known = held.value ?? (await call<Held>('/console/files').catch(() => undefined));
    const refused = known && withoutRoom(dropped, known);
    setTooLarge(refused);
    if (refused !== undefined) return;
    const begun = dropped.map((file) =>
      sendFile(file, {
        onChange: (changed) => {
          setSendings((before) => before.map((each) => (each.key === changed.key ? changed : each)));
        },
        onDone: (key, fileId) => {
          setSendings((before) => before.filter((each) => each.key !== key));
          setChosen((before) => [...before, fileId]);
          reload();
        },
      }),
    );
    setSendings((before) => [...before, ...begun]);
  };
  useLeaveWarning(sendings.length > 0);
  const inspect = (): void => {
    doing.run(async () => {
      const run = await startRun({ kind: 'inspect', files: chosen });
      go('import', run.id);
    });
  };
  const complete = files?.filter(({ offset, size }) => size === offset) ?? [];
  const present = chosen.filter((each) => complete.some(({ id }) => id === each));
  return (
    <>
      <h1 tabIndex={-1}>Import</h1>
      <Drop
        onFiles={(dropped) => {
          void take(dropped);
        }}
        room={room}
      />
      <Failure error={tooLarge} />
      {sendings.map((sending) => (
        <Uploading
          key={sending.key}
          sending={sending}
          onStop={() => {
            sending.stop();
            setSendings((before) => before.filter(({ key }) => key !== sending.key));
          }}
        />
      ))}
      <Failure error={held.error?.message} />
      {files !== undefined && files.length > 0 && (
        <section>
          <h2>Files on this core</h2>
          <p class="soft">Removed a day after their last use. Choose those that make up one export.</p>
          <FileTable files={files} chosen={chosen} onChoose={setChosen} onRemoved={reload} />
          <div class="row">
            <button type="button" disabled={present.length === 0 || doing.isBusy} onClick={inspect}>
              {lookText(present.length)}
            </button>
            <span class="soft">Nothing is changed by that.</span>
          </div>
          <Failure error={doing.error} />
        </section>
      )}
      <details>
        <summary>Read the old system’s database instead</summary>
        <DatabaseForm kind="read-database" action="Read it" />
      </details>
      <Demo />
      <RecentRuns />
    </>
  );
}

/** Said before anything is sent. What continues has its room already. @returns undefined if there is room */
function withoutRoom(dropped: readonly File[], { files, room }: Held): string | undefined {
  const isBegun = ({ name, size }: File): boolean =>
    files.some((each) => each.name === name && each.size === size && each.offset < size);
  const needed = dropped.filter((file) => !isBegun(file)).reduce((sum, { size }) => sum + size, 0);
  if (needed <= room) return undefined;
  const what = dropped.length === 1 ? `${dropped[0]?.name ?? 'The file'} has` : 'These files have';
  return `${what} ${bytes(needed)}, and this core has room for ${bytes(room)}. Remove files below, pack it (gzip, zstd), make room on the disk of data_dir, or import it by the command, which reads it where it is: carryover import`;
}

function lookText(files: number): string {
  if (files < 2) return files === 0 ? 'Look into the chosen files' : 'Look into it';
  return `Look into the ${files} files`;
}

/** The tab may be closed once the files are here; before, the browser asks. */
function useLeaveWarning(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined;
    const warn = (event: BeforeUnloadEvent): void => {
      event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => {
      removeEventListener('beforeunload', warn);
    };
  }, [isOn]);
}

function Uploading({ sending, onStop }: { readonly sending: Sending; readonly onStop: () => void }) {
  const { name, sent, size, error } = sending;
  return (
    <div class="row wrap">
      <span>{name}</span>
      {error === undefined ? (
        <Progress
          label={`Upload of ${name}`}
          value={sent}
          max={size}
          text={`${bytes(sent)} of ${bytes(size)}`}
        />
      ) : (
        <Failure error={`${error} Drop the file again: what has arrived is kept.`} />
      )}
      <button type="button" class="quiet small" onClick={onStop} aria-label={`Stop the upload of ${name}`}>
        Stop
      </button>
    </div>
  );
}

interface FileTableProps {
  readonly files: readonly StagedFile[];
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: readonly string[]) => void;
  readonly onRemoved: () => void;
}

function FileTable({ files, chosen, onChoose, onRemoved }: FileTableProps) {
  const doing = useDoing();
  const remove = (id: string): void => {
    doing.run(async () => {
      await send(`/console/files/${id}`, { method: 'DELETE' });
      onChoose(chosen.filter((each) => each !== id));
      onRemoved();
    });
  };
  return (
    <>
      <Failure error={doing.error} />
      <Table
        label="Files on this core"
        rows={files}
        keyOf={({ id }) => id}
        empty="No file is here."
        columns={[
          {
            name: 'File',
            cell: ({ id, name, offset, size }) => (
              <label>
                <input
                  type="checkbox"
                  checked={chosen.includes(id)}
                  disabled={offset !== size}
                  onChange={({ currentTarget: { checked } }) => {
                    onChoose(checked ? [...chosen, id] : chosen.filter((each) => each !== id));
                  }}
                />{' '}
                {name}
              </label>
            ),
          },
          {
            name: 'Size',
            isNumber: true,
            cell: ({ offset, size }) =>
              size === undefined || size === offset
                ? bytes(offset)
                : `${bytes(offset)} of ${bytes(size)}: drop it again to continue`,
          },
          { name: 'Last used', cell: ({ at }) => ago(at) },
          {
            name: 'Remove',
            cell: ({ id, name }) => (
              <button
                type="button"
                class="quiet small"
                aria-label={`Remove ${name}`}
                onClick={() => {
                  remove(id);
                }}
              >
                Remove
              </button>
            ),
          },
        ]}
      />
    </>
  );
}

function RecentRuns() {
  const { value } = useLoaded(
    'runs',
    async (signal) => (await call<{ runs: readonly Run[] }>('/console/runs', { signal })).runs,
    everyMs,
  );
  if (value === undefined || value.length === 0) return null;
  return (
    <section>
      <h2>Runs on this core</h2>
      <Table
        label="Runs on this core"
        rows={value}
        keyOf={({ id }) => id}
        empty=""
        columns={[
          { name: 'What', cell: ({ id, kind }) => <a href={linkTo('import', id)}>{kindWords[kind]}</a> },
          { name: 'Of', cell: ({ subject }) => subject.join(', ') },
          { name: 'State', cell: (run) => <span class={`tag ${tagOf(run)}`}>{stateOf(run)}</span> },
          { name: 'By', cell: ({ by }) => by },
          { name: 'Begun', cell: ({ at }) => ago(at) },
        ]}
      />
    </section>
  );
}

export function stateOf({ kind, state, exitCode }: Run): string {
  if (state === 'waiting') return 'Waits for its turn';
  if (state === 'running') return 'Running';
  if (exitCode === 0) return 'Done';
  if (exitCode === 1) return kind === 'compare' ? 'Done, something differs' : 'Done, with rejects';
  return exitCode === 130 ? 'Stopped' : 'Refused';
}

export function tagOf({ state, exitCode }: Run): string {
  if (state !== 'ended') return 'receiving';
  return exitCode === 0 || exitCode === 1 ? 'done' : 'cancelled';
}
