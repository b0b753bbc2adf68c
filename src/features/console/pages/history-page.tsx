import { useState } from 'preact/hooks';
import { call } from './api.ts';
import { time } from './format.ts';
import { useLoaded } from './hooks.ts';
import { Failure } from './parts/note.tsx';
import { Table } from './parts/table.tsx';

export interface AuditEntry {
  readonly id: string;
  readonly begunAt: number;
  readonly who: string;
  readonly what: string;
  readonly outcome?: string;
  readonly count?: number;
  readonly address?: string;
  readonly details: Readonly<Record<string, unknown>>;
}

interface Page {
  readonly entries: readonly AuditEntry[];
  readonly nextPaginationToken?: string;
}

/** Who did what: the audit log, which nothing changes. */
export function HistoryPage() {
  const [before, setBefore] = useState<readonly string[]>([]);
  const token = before.at(-1);
  const { value, error } = useLoaded(`history ${token ?? ''}`, (signal) =>
    call<Page>('/console/history', { query: { paginationToken: token }, signal }),
  );
  const next = value?.nextPaginationToken;
  return (
    <>
      <h1 tabIndex={-1}>History</h1>
      <Failure error={error?.message} />
      {value && <Entries entries={value.entries} />}
      <div class="row">
        <button
          type="button"
          class="quiet small"
          disabled={before.length === 0}
          onClick={() => {
            setBefore(before.slice(0, -1));
          }}
        >
          ← Newer
        </button>
        <button
          type="button"
          class="quiet small"
          disabled={next === undefined}
          onClick={() => {
            if (next !== undefined) setBefore([...before, next]);
          }}
        >
          Older →
        </button>
      </div>
    </>
  );
}

export function Entries({ entries }: { readonly entries: readonly AuditEntry[] }) {
  return (
    <Table
      label="Audit log"
      rows={entries}
      keyOf={({ id }) => id}
      empty="Nothing yet."
      columns={[
        { name: 'When', cell: ({ begunAt }) => time(begunAt) },
        { name: 'Who', cell: ({ who }) => who },
        { name: 'What', cell: ({ what }) => <code>{what}</code> },
        { name: 'Outcome', cell: ({ outcome = 'not known' }) => outcome },
        { name: 'Details', cell: ({ details }) => <span class="soft">{detailsText(details)}</span> },
      ]}
    />
  );
}

function detailsText(details: AuditEntry['details']): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`)
    .join(' · ');
}
