import { ago, count, duration, percent, plural, time, words } from '../format.ts';
import { Command } from '../parts/command.tsx';
import { Figures } from '../parts/figures.tsx';
import { Table } from '../parts/table.tsx';
import type { MoveStatus } from './move-model.ts';

/** While this core leads: for which share, and whether those are refused more often than in the old system. */
export function Share({ move: { stage, share, refusals, waiting } }: { readonly move: MoveStatus }) {
  if (stage !== 'leading') return null;
  const { here, before } = refusals;
  return (
    <>
      <label class="share">
        Share of the users who sign in here <progress value={share} max={100} /> <strong>{share} %</strong>
      </label>
      <Figures
        items={[
          {
            name: 'Refused here',
            value: here === undefined ? '–' : percent(here.refused, here.users),
            note: here === undefined ? undefined : `of ${plural(here.users, 'user')} who tried in this stage`,
          },
          {
            name: 'Refused in the old system',
            value:
              here === undefined
                ? percent(before.refused, before.users)
                : `${(100 * here.refusedBefore).toFixed(1)} %`,
            note: 'if here are clearly more, the share stops by itself',
          },
          {
            name: 'Not yet written back',
            value: count(waiting.users),
            note: waiting.since === null ? undefined : `the oldest is from ${time(waiting.since)}`,
            kind: waiting.users > 0 ? ('warn' as const) : undefined,
          },
          {
            name: 'Changed on both sides',
            value: count(waiting.conflicts),
            kind: waiting.conflicts > 0 ? ('bad' as const) : undefined,
          },
        ]}
      />
    </>
  );
}

/** An empty card is what safe looks like. */
export function Differences({ move: { reports } }: { readonly move: MoveStatus }) {
  const comparison = reports.comparison;
  if (comparison === undefined)
    return (
      <section>
        <h2>Differences</h2>
        <p>Not compared yet.</p>
        <Command text="carryover compare <database or file> --from … --json > comparison.json && carryover move record comparison.json" />
      </section>
    );
  const counts = Object.entries(comparison.figures).filter(
    ([, value]) => typeof value === 'number' && value > 0,
  );
  return (
    <section>
      <h2>Differences</h2>
      <div class="card empty">
        {counts.length === 0 ? (
          <p class="good">Nothing differs.</p>
        ) : (
          <Figures items={counts.map(([name, value]) => ({ name: words(name), value: count(value) }))} />
        )}
        <p class="soft">Compared {ago(comparison.at)}</p>
      </div>
    </section>
  );
}

const roleWords = { follow: 'Follower', 'write-back': 'Write-back' } as const;

export function Processes({ move: { processes, now } }: { readonly move: MoveStatus }) {
  return (
    <section>
      <h2>Processes</h2>
      <Table
        label="Processes of the move"
        rows={processes}
        keyOf={({ role }) => role}
        empty="Neither a follower nor a write-back runs."
        columns={[
          { name: 'What', cell: ({ role }) => roleWords[role] },
          { name: 'Where', cell: ({ holder }) => <code>{holder}</code> },
          {
            name: 'State',
            cell: ({ isHeld, leasedUntil }) =>
              isHeld ? (
                <span class="tag done">running</span>
              ) : (
                <span class="tag cancelled">not heard of since {ago(leasedUntil, now)}</span>
              ),
          },
          { name: 'Behind by', cell: ({ lagMs, lagRecords }) => lagText(lagMs, lagRecords) },
        ]}
      />
    </section>
  );
}

function lagText(lagMs: number | null, lagRecords: number | null): string {
  if (lagMs === null && lagRecords === null) return 'not known yet';
  const records = lagRecords === null ? '' : plural(lagRecords, 'record');
  return [lagMs === null ? '' : duration(lagMs / 1000), records].filter((part) => part !== '').join(', ');
}

export function History({ move: { history } }: { readonly move: MoveStatus }) {
  return (
    <section>
      <h2>History</h2>
      <Table
        label="History of the move"
        rows={history}
        keyOf={({ at, kind }) => `${at} ${kind}`}
        empty="Nothing yet."
        columns={[
          { name: 'When', cell: ({ at }) => time(at) },
          { name: 'Who', cell: ({ actor }) => actor },
          { name: 'What', cell: ({ kind }) => words(kind) },
          {
            name: 'Stage',
            cell: ({ stage, share }) => (stage === 'leading' ? `${words(stage)}, ${share} %` : words(stage)),
          },
        ]}
      />
    </section>
  );
}
