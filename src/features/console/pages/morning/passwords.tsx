import { call } from '../api.ts';
import { count, percent, plural } from '../format.ts';
import { useLoaded } from '../hooks.ts';
import type { MoveAnswer } from '../move/move-model.ts';
import { Bars, Figures } from '../parts/figures.tsx';
import { Failure } from '../parts/note.tsx';
import { Table } from '../parts/table.tsx';
import { linkTo } from '../router.ts';

/** The report reads all hashes. */
const reportMs = 60_000;

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

/** Kinds of hashes and how they are replaced, who has come, and who is refused. */
export function Passwords() {
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
  const move = useLoaded('forecast', (signal) => call<MoveAnswer>('/move/status', { signal }), reportMs);
  const forecast = move.value?.status === 'OK' ? move.value.reports.plan?.figures.users : undefined;
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
              ...(forecast === undefined
                ? []
                : [
                    {
                      name: 'Foreseen by the plan',
                      value: count(forecast),
                      note: `${percent(report.activity.proven, forecast)} of them have come`,
                    },
                  ]),
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
