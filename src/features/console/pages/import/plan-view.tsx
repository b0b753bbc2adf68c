import { bytes, count, duration } from '../format.ts';
import { RecordInMove } from '../move/record.tsx';
import { Figures } from '../parts/figures.tsx';
import type { PlanResult } from './run-model.ts';

/** How long the import takes, and what the first morning needs. */
export function PlanView({ plan }: { readonly plan: PlanResult }) {
  const { users, records, rejected, import: importing, signIns } = plan;
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
      {/* The first step of a move asks for a plan. */}
      <RecordInMove
        report="plan"
        isWanted={({ stage }) => stage === 'rehearsing'}
        isRecorded={({ reports }) => reports.plan?.figures.users === users}
        bodyOf={() => ({ users, counts: { records, rejected } })}
      />
    </>
  );
}
