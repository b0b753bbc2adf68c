import { call } from '../api.ts';
import { useDoing, useLoaded } from '../hooks.ts';
import { Failure, Note } from '../parts/note.tsx';
import { useMay } from '../session.tsx';
import type { MoveAnswer, MoveStatus } from './move-model.ts';

interface RecordProps {
  readonly report: 'plan' | 'comparison';
  /** Whether the move asks for it. */
  readonly isWanted: (move: MoveStatus) => boolean;
  readonly isRecorded: (move: MoveStatus) => boolean;
  /** Of the request. */
  readonly bodyOf: (move: MoveStatus) => object;
}

/** A report that the next step of a move asks for. */
export function RecordInMove({ report, isWanted, isRecorded, bodyOf }: RecordProps) {
  const may = useMay();
  const doing = useDoing();
  const answer = useLoaded(`move of a ${report}`, (signal) =>
    may('move') ? call<MoveAnswer>('/move/status', { signal }) : Promise.resolve(undefined),
  );
  const move = answer.value;
  if (move?.status !== 'OK' || !isWanted(move)) return null;
  if (isRecorded(move)) return <Note kind="good">It is recorded in the move.</Note>;
  return (
    <>
      <button
        type="button"
        class="quiet"
        disabled={doing.isBusy}
        onClick={() => {
          doing.run(async () => {
            await call(`/move/${report}`, { method: 'POST', body: bodyOf(move) });
            answer.reload();
          });
        }}
      >
        Record it in the move
      </button>
      <Failure error={doing.error} />
    </>
  );
}
