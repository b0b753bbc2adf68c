import { call } from '../api.ts';
import { count, percent, words } from '../format.ts';
import { useLoaded } from '../hooks.ts';
import { Chart } from '../parts/chart.tsx';
import { Bars, Figures } from '../parts/figures.tsx';
import { Failure, Note } from '../parts/note.tsx';
import { useMay } from '../session.tsx';
import { Capacity } from './capacity.tsx';
import { Passwords } from './passwords.tsx';

const everyMs = 5000;

/** What the core keeps of the last day, a minute each: see GET /console/morning. */
interface Morning {
  readonly core: string;
  readonly cores: number;
  readonly sessionsCarried: Readonly<Record<string, number>>;
  /** ms since the epoch; the newest last. */
  readonly minutes: readonly Minute[];
}

interface Minute {
  readonly at: number;
  readonly right: number;
  readonly wrong: number;
  readonly restricted: number;
  readonly refused: number;
}

/** Watched while all users sign in for the first time. */
export function MorningPage() {
  const may = useMay();
  return (
    <>
      <h1 tabIndex={-1}>First morning</h1>
      {may('metrics', 'read') && <SignIns />}
      {may('read') && <Passwords />}
      {may('metrics') ? (
        <Capacity />
      ) : (
        <Note>A key with the scope metrics shows threads, queues and database, too.</Note>
      )}
    </>
  );
}

function SignIns() {
  const { value, error } = useLoaded(
    'morning',
    (signal) => call<Morning>('/console/morning', { signal }),
    everyMs,
  );
  if (value === undefined) return <Failure error={error?.message} />;
  const { minutes, cores, core } = value;
  const sum = (of: (minute: Minute) => number): number =>
    minutes.reduce((all, minute) => all + of(minute), 0);
  const [right, wrong, restricted, refused] = [
    sum((minute) => minute.right),
    sum((minute) => minute.wrong),
    sum((minute) => minute.restricted),
    sum((minute) => minute.refused),
  ];
  const all = right + wrong + restricted + refused;
  return (
    <section>
      <h2>Sign-ins</h2>
      <Failure error={error?.message} />
      <Figures
        items={[
          { name: 'Signed in', value: count(right), note: percent(right, all), kind: 'good' },
          {
            name: 'Wrong password',
            value: count(wrong),
            note: percent(wrong, all),
            kind: wrong * 10 > all ? 'warn' : undefined,
          },
          { name: 'Restricted', value: count(restricted), note: percent(restricted, all) },
          {
            name: 'Not answered',
            value: count(refused),
            note: 'too many, or overload',
            kind: refused > 0 ? 'bad' : undefined,
          },
        ]}
      />
      <Chart
        label="Sign-ins a minute, by outcome"
        times={minutes.map(({ at }) => at / 1000)}
        series={[
          { name: 'signed in', values: minutes.map((minute) => minute.right), color: 'good' },
          { name: 'wrong password', values: minutes.map((minute) => minute.wrong), color: 'warn' },
          { name: 'restricted', values: minutes.map((minute) => minute.restricted), color: 'soft' },
          { name: 'not answered', values: minutes.map((minute) => minute.refused), color: 'bad' },
        ]}
      />
      <Carried results={value.sessionsCarried} />
      <p class="soft">
        {cores > 1
          ? `Of this core (${core}) since it started, one of ${cores}: behind a balancer each answer may be of another.`
          : 'Since the core started, at most a day.'}
      </p>
    </section>
  );
}

/** Only where sessions of an old system are exchanged. */
function Carried({ results }: { readonly results: Readonly<Record<string, number>> }) {
  const entries = Object.entries(results).filter(([, value]) => value > 0);
  if (entries.length === 0) return null;
  return (
    <>
      <h3>Sessions of the old system, exchanged here</h3>
      <Bars
        label="Exchanged sessions"
        items={entries.map(([name, value]) => ({ name: words(name), value, shown: count(value) }))}
      />
    </>
  );
}
