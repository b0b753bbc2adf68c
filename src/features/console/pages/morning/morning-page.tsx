import type { MorningView, Span } from '../../model.ts';
import { call } from '../api.ts';
import { count, percent, plural, time, words } from '../format.ts';
import { useLoaded } from '../hooks.ts';
import { Chart } from '../parts/chart.tsx';
import { Bars, Figures } from '../parts/figures.tsx';
import { Failure, Note } from '../parts/note.tsx';
import { useMay } from '../session.tsx';
import { Capacity } from './capacity.tsx';
import { Passwords } from './passwords.tsx';

const everyMs = 5000;

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
    (signal) => call<MorningView>('/console/morning', { signal }),
    everyMs,
  );
  if (value === undefined) return <Failure error={error?.message} />;
  const { spans, since } = value;
  const valuesOf = (name: Exclude<keyof Span, 'at'>): number[] => spans.map((span) => span[name]);
  const sum = (name: Exclude<keyof Span, 'at'>): number =>
    valuesOf(name).reduce((all, each) => all + each, 0);
  const [right, wrong, restricted, refused] = [sum('right'), sum('wrong'), sum('restricted'), sum('refused')];
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
        label="Sign-ins in each five minutes, by outcome"
        times={spans.map(({ at }) => at / 1000)}
        series={[
          { name: 'signed in', values: valuesOf('right'), color: 'good' },
          { name: 'wrong password', values: valuesOf('wrong'), color: 'warn' },
          { name: 'restricted', values: valuesOf('restricted'), color: 'soft' },
          { name: 'not answered', values: valuesOf('refused'), color: 'bad' },
        ]}
      />
      <Carried results={value.sessionsCarried} />
      <p class="soft">{since === undefined ? 'Nothing is reported yet.' : originOf(value, since)}</p>
    </section>
  );
}

/** Which cores the figures are of, and since when. */
function originOf({ cores, reporting }: MorningView, since: number): string {
  const at = cores === 1 ? 'this core' : `all ${count(cores)} cores`;
  const uncounted = cores - reporting;
  const left = uncounted === 0 ? '' : ` ${plural(uncounted, 'core')} without the console: not counted.`;
  return `In each five minutes at ${at} since ${time(since)}, and at cores that have ended since then; some seconds old.${left}`;
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
