import { call } from '../api.ts';
import { bytes, count, duration } from '../format.ts';
import { useDoing, useLoaded } from '../hooks.ts';
import type { MoveAnswer } from '../move/move-model.ts';
import { Figures } from '../parts/figures.tsx';
import { Failure, Note } from '../parts/note.tsx';
import { useMay } from '../session.tsx';
import type { PlanResult } from './run-model.ts';

/** How long the import takes, and what the first morning needs. */
export function PlanView({ plan }: { readonly plan: PlanResult }) {
  const { users, import: importing, signIns } = plan;
  const [first] = signIns.steps;
  const rate = Math.round(importing.usersPerSecond);
  return (
    <>
      <Figures
        items={[
          { name: 'Users', value: count(users) },
          { name: 'Import', value: duration(importing.seconds), note: `${count(rate)} a second` },
          { name: 'Disk', value: bytes(importing.databaseBytes) },
          {
            name: 'Sign-ins in the busiest hour',
            value: `${signIns.arrivals.toFixed(1)}/s`,
            note: `this machine can do ${signIns.capacity.toFixed(0)}/s`,
            kind: signIns.capacity < signIns.arrivals ? 'bad' : undefined,
          },
          ...(first === undefined ? [] : [{ name: 'CPU cores for passwords', value: count(first.cores) }]),
        ]}
      />
      <RecordPlan plan={plan} />
    </>
  );
}

/** The first step of a move asks for a plan. */
function RecordPlan({ plan: { users, records, rejected } }: { readonly plan: PlanResult }) {
  const may = useMay();
  const doing = useDoing();
  const move = useLoaded('move of a plan', (signal) =>
    may('move') ? call<MoveAnswer>('/move/status', { signal }) : Promise.resolve(undefined),
  );
  if (move.value?.status !== 'OK' || move.value.stage !== 'rehearsing') return null;
  if (move.value.reports.plan?.figures.users === users)
    return <Note kind="good">It is recorded in the move.</Note>;
  return (
    <>
      <button
        type="button"
        class="quiet"
        disabled={doing.isBusy}
        onClick={() => {
          doing.run(async () => {
            const body = { users, counts: { records, rejected } };
            await call('/move/plan', { method: 'POST', body });
            move.reload();
          });
        }}
      >
        Record it in the move
      </button>
      <Failure error={doing.error} />
    </>
  );
}
