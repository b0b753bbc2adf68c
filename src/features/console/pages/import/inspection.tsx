import { bytes, count, duration, percent, plural, words } from '../format.ts';
import { Bars, Figures } from '../parts/figures.tsx';
import { Note } from '../parts/note.tsx';
import { Table } from '../parts/table.tsx';
import { formats } from './formats.ts';
import type { ColumnAccount, Inspection } from './run-model.ts';

/** What is in the file. */
export function InspectionView({ found }: { readonly found: Inspection }) {
  const { format, records, valid, verified, duplicates, rejected, linked, sharedEmails, oddDates } = found;
  const name = formats[format]?.name ?? format;
  return (
    <>
      <p class="lead">
        {name}: {plural(records, 'record')} in {bytes(found.bytes)}. An import takes about{' '}
        {duration(found.seconds)}.
      </p>
      <Figures
        items={[
          { name: 'Can be imported', value: count(valid), note: percent(valid, records), kind: 'good' },
          { name: 'Verified emails', value: count(verified) },
          ...(linked > 0 ? [{ name: 'With several logins', value: count(linked) }] : []),
          ...(duplicates > 0
            ? [{ name: 'Duplicates', value: count(duplicates), kind: 'warn' as const }]
            : []),
          {
            name: 'Rejected',
            value: count(rejected),
            kind: rejected > 0 ? ('bad' as const) : undefined,
          },
        ]}
      />
      <Losses found={found} />
      {sharedEmails > 0 && (
        <Note kind="warn">
          {plural(sharedEmails, 'email')} belong to two records with different ways to sign in: they become
          two users.
        </Note>
      )}
      {oddDates > 0 && (
        <Note kind="warn">{plural(oddDates, 'join date')} are before 2000 or in the future.</Note>
      )}
      {found.incomplete.length > 0 && (
        <Note kind="bad" title="The input is not complete.">
          {` ${found.incomplete.map((each) => each.message ?? JSON.stringify(each)).join(' ')}`}
        </Note>
      )}
      <Kinds found={found} />
      {found.rejectedByMessage.length > 0 && (
        <section>
          <h2 class="part">Why records are rejected</h2>
          <Table
            label="Reasons of rejects"
            rows={found.rejectedByMessage}
            keyOf={({ code, message }) => `${code} ${message}`}
            empty=""
            columns={[
              { name: 'Records', isNumber: true, cell: ({ count: all }) => count(all) },
              { name: 'Reason', cell: ({ message }) => message },
              { name: 'Code', cell: ({ code }) => <code>{code}</code> },
            ]}
          />
        </section>
      )}
      <Columns found={found} />
    </>
  );
}

/** Passwords that would be lost, in words. */
function Losses({ found: { account } }: { readonly found: Inspection }) {
  if (account === undefined) return null;
  const { passwords, lostPasswords } = account;
  const lost = Object.entries(lostPasswords);
  if (lost.length === 0 && passwords.unknown === 0) return null;
  return (
    <Note kind="bad" title="Passwords are lost as it is.">
      <ul>
        {passwords.unknown > 0 && <li>{plural(passwords.unknown, 'password')} of an unknown kind</li>}
        {lost.map(([reason, { count: users }]) => (
          <li key={reason}>
            {count(users)}: {reason}
          </li>
        ))}
      </ul>
    </Note>
  );
}

function Kinds({ found: { byKind, social, byFactor, records } }: { readonly found: Inspection }) {
  const groups = [
    ['Password hashes', byKind],
    ['Social logins', social],
    ['Second factors', byFactor],
  ] as const;
  return (
    <div class="columns">
      {groups.map(([title, counts]) => {
        const entries = Object.entries(counts).toSorted(([, a], [, b]) => b - a);
        if (entries.length === 0) return null;
        return (
          <section key={title}>
            <h2 class="part">{title}</h2>
            <Bars
              label={title}
              items={entries.map(([name, value]) => ({
                name,
                value,
                shown: `${count(value)} · ${percent(value, records)}`,
              }))}
            />
          </section>
        );
      })}
    </div>
  );
}

/** Each column, and what becomes of it: nothing is left out in silence. */
function Columns({ found: { account } }: { readonly found: Inspection }) {
  const tables = Object.entries(account?.tables ?? {});
  if (tables.length === 0) return null;
  return (
    <details>
      <summary>Columns, and how each is read</summary>
      {tables.map(([table, columns]) => (
        <Table
          key={table}
          label={`Columns of ${table}`}
          rows={Object.entries(columns)}
          keyOf={([name]) => name}
          empty=""
          columns={[
            { name: 'Column', cell: ([name]) => <code>{name}</code> },
            {
              name: 'Read as',
              cell: ([, column]) => readAs(column),
            },
            { name: 'Used', isNumber: true, cell: ([, { used }]) => count(used) },
            { name: 'Empty', isNumber: true, cell: ([, { absent }]) => count(absent) },
            {
              name: 'Not understood',
              isNumber: true,
              cell: ([, { unparsable }]) =>
                unparsable > 0 ? <strong class="bad">{count(unparsable)}</strong> : '0',
            },
          ]}
        />
      ))}
    </details>
  );
}

function readAs({ field, purpose }: ColumnAccount): string {
  if (purpose === undefined) return 'not known: left out';
  return purpose === 'left out' ? purpose : (field ?? words(purpose));
}
