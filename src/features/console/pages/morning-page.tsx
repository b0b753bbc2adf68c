import { useEffect, useRef, useState } from 'preact/hooks';
import { call, send } from './api.ts';
import { count, percent, plural } from './format.ts';
import { useLoaded } from './hooks.ts';
import { Chart } from './parts/chart.tsx';
import { Bars, Figures } from './parts/figures.tsx';
import { Failure, Note } from './parts/note.tsx';
import { Table } from './parts/table.tsx';
import { linkTo } from './router.ts';
import { useMay } from './session.tsx';

const everyMs = 5000;
const reportMs = 60_000;

/** What the core keeps of the last day, a minute each: see GET /console/morning. */
interface Morning {
  readonly core: string;
  readonly cores: number;
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

interface HashReport {
  readonly users: number;
  readonly kinds: readonly { readonly kind: string; readonly users: number; readonly share: number }[];
  readonly policy: { readonly kind: string };
  readonly upgraded: number;
  readonly weak: number;
  readonly unreadable: number;
  readonly activity: {
    readonly days: number;
    readonly active: number;
    readonly proven: number;
    readonly mismatches: readonly {
      readonly userId: string;
      readonly kind: string;
      readonly refusals: number;
    }[];
  };
}

interface LegacyReport {
  readonly sources: readonly { readonly name: string; readonly users: number }[];
}

/** Watched while everybody signs in for the first time. */
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
      <p class="soft">
        {cores > 1
          ? `Of this core (${core}) since it started, one of ${cores}: behind a balancer each answer may be of another.`
          : 'Since the core started, at most a day.'}
      </p>
    </section>
  );
}

function Passwords() {
  const hashes = useLoaded(
    'hashes',
    (signal) =>
      call<HashReport>('/recipe/user/passwordhash/report', { query: { days: 30, limit: 20 }, signal }),
    reportMs,
  );
  const legacy = useLoaded(
    'legacy',
    (signal) => call<LegacyReport>('/recipe/user/legacy/report', { signal }),
    reportMs,
  );
  const report = hashes.value;
  return (
    <section>
      <h2>Passwords</h2>
      <Failure error={hashes.error?.message ?? legacy.error?.message} />
      {report && (
        <>
          <Figures
            items={[
              { name: 'With a password', value: count(report.users) },
              {
                name: `Proven in ${report.activity.days} days`,
                value: count(report.activity.proven),
                note: `of ${plural(report.activity.active, 'user')} who tried`,
                kind: 'good',
              },
              {
                name: 'Upgraded at a sign-in',
                value: count(report.upgraded),
                note: `to ${report.policy.kind}`,
              },
              ...(report.unreadable > 0
                ? [{ name: 'Unreadable', value: count(report.unreadable), kind: 'bad' as const }]
                : []),
            ]}
          />
          <div class="columns">
            <section>
              <h3>Kinds of hashes</h3>
              <Bars
                label="Kinds of hashes"
                items={byKind(report).map(([kind, users]) => ({
                  name: kind,
                  value: users,
                  shown: `${count(users)} · ${percent(users, report.users)}`,
                }))}
              />
            </section>
            {legacy.value !== undefined && legacy.value.sources.length > 0 && (
              <section>
                <h3>Left behind the old system’s door</h3>
                <Bars
                  label="Users whose password only an old system knows"
                  items={legacy.value.sources.map(({ name, users }) => ({
                    name,
                    value: users,
                    shown: count(users),
                  }))}
                />
              </section>
            )}
          </div>
          {report.activity.mismatches.length > 0 && (
            <>
              <h3>Refused at each try since their import</h3>
              <p class="soft">
                If they have a kind or an import in common, the hashes miss a pepper, a salt or a transform.
              </p>
              <Table
                label="Users refused at each try"
                rows={report.activity.mismatches}
                keyOf={({ userId }) => userId}
                empty=""
                columns={[
                  { name: 'User', cell: ({ userId }) => <a href={linkTo('users', userId)}>{userId}</a> },
                  { name: 'Hash', cell: ({ kind }) => kind },
                  { name: 'Refused', isNumber: true, cell: ({ refusals }) => count(refusals) },
                ]}
              />
            </>
          )}
        </>
      )}
    </section>
  );
}

function byKind({ kinds }: HashReport): (readonly [string, number])[] {
  const sums = new Map<string, number>();
  for (const { kind, users } of kinds) sums.set(kind, (sums.get(kind) ?? 0) + users);
  return [...sums].toSorted(([, a], [, b]) => b - a);
}

interface Sample {
  readonly values: ReadonlyMap<string, number>;
}

/** Of the core that answers. */
function Capacity() {
  const [now, setNow] = useState<Sample>();
  const [error, setError] = useState<string>();
  const stop = useRef(new AbortController());
  useEffect(() => {
    stop.current = new AbortController();
    const look = (): void => {
      send('/metrics', { signal: stop.current.signal })
        .then(async (response) => {
          setNow({ values: sums(await response.text()) });
          setError(undefined);
        })
        .catch((failure: unknown) => {
          if (!stop.current.signal.aborted)
            setError(failure instanceof Error ? failure.message : String(failure));
        });
    };
    look();
    const timer = setInterval(look, everyMs);
    return () => {
      clearInterval(timer);
      stop.current.abort();
    };
  }, []);
  const value = (name: string): number => now?.values.get(name) ?? 0;
  const threads = value('carryover_hashing_pool_threads');
  const running = value('carryover_hashing_pool_running');
  const waiting = value('carryover_hashing_pool_waiting');
  return (
    <section>
      <h2>Capacity</h2>
      <Failure error={error} />
      {now && (
        <Figures
          items={[
            {
              name: 'Threads for passwords',
              value: `${count(running)} of ${count(threads)} busy`,
              kind: running >= threads && threads > 0 ? 'warn' : undefined,
            },
            {
              name: 'Sign-ins that wait for one',
              value: count(waiting),
              kind: waiting > threads * 4 ? 'bad' : undefined,
            },
            { name: 'Waiting for the database', value: count(value('carryover_batch_backlog')) },
            { name: 'Cores', value: count(Math.max(1, value('carryover_cores'))) },
            {
              name: 'Memory',
              value: `${count(Math.round(value('process_resident_memory_bytes') / 2 ** 20))} MiB`,
            },
            {
              name: 'Main thread late by',
              value: `${count(Math.round(value('nodejs_eventloop_lag_p99_seconds') * 1000))} ms`,
              note: 'p99',
            },
          ]}
        />
      )}
    </section>
  );
}

/** Of each metric the sum over its labels. */
function sums(text: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, name, value] = /^([a-z_]+)(?:\{.*\})? (\S+)/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) found.set(name, (found.get(name) ?? 0) + Number(value));
  }
  return found;
}
