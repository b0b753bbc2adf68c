import { count, words } from '../format.ts';
import { Note } from '../parts/note.tsx';
import { Table } from '../parts/table.tsx';
import type { DoctorResult, Proposal } from './run-model.ts';

/** Which column is which, and why: to confirm, or to correct below. */
export function ProposalView({ proposed }: { readonly proposed: NonNullable<Proposal['proposed']> }) {
  const { map = {}, reasons = {}, unused = [], needsHashAs = false } = proposed;
  return (
    <>
      <p class="lead">A proposal, for you to confirm: it is filled in below.</p>
      <Table
        label="Proposed columns"
        rows={Object.entries(map)}
        keyOf={([field]) => field}
        empty="No column was recognised."
        columns={[
          { name: 'Field', cell: ([field]) => <code>{field}</code> },
          { name: 'Column', cell: ([, column]) => <code>{column}</code> },
          { name: 'Because', cell: ([field]) => reasons[field] ?? '' },
        ]}
      />
      {unused.length > 0 && (
        <p class="soft">
          Left out:{' '}
          {unused
            .map(({ column, looks }) => (looks === undefined ? column : `${column} (${looks})`))
            .join(', ')}
        </p>
      )}
      {needsHashAs && (
        <Note kind="warn" title="The kind of the hashes does not show.">
          {' '}
          Say below, under “Hashes are”, how they were made.
        </Note>
      )}
    </>
  );
}

const outcomes: Readonly<Record<string, 'good' | 'warn'>> = { RIGHT: 'good', REPAIRED: 'warn' };

/** Known passwords against the hashes of the export: what is right, what is not, and why perhaps. */
export function DoctorView({ found: { kinds, pairs } }: { readonly found: DoctorResult }) {
  if (pairs.length === 0)
    return (
      <Note kind="warn">
        None of these users has a password hash in the export: are these the emails of this file?
      </Note>
    );
  return (
    <>
      <Table
        label="Known passwords by kind of hash"
        rows={kinds}
        keyOf={({ kind }) => kind}
        empty=""
        columns={[
          { name: 'Kind', cell: ({ kind }) => kind },
          { name: 'Tried', isNumber: true, cell: (row) => count(row.pairs) },
          { name: 'Right', isNumber: true, cell: ({ right }) => count(right) },
          { name: 'Right after a change', isNumber: true, cell: ({ repaired }) => count(repaired) },
          { name: 'Wrong', isNumber: true, cell: ({ wrong }) => count(wrong) },
        ]}
      />
      <ul class="reasons">
        {pairs.map(({ row, email, code, message, advice }) => (
          <li key={row}>
            <Note
              kind={outcomes[code] ?? 'bad'}
              title={`${email ?? `Row ${row}`}: ${message ?? words(code)}`}
            >
              {advice.length > 0 && (
                <ul>
                  {advice.map((each) => (
                    <li key={each}>{each}</li>
                  ))}
                </ul>
              )}
            </Note>
          </li>
        ))}
      </ul>
    </>
  );
}
