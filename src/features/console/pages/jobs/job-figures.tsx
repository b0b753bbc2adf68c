import { count, percent, words } from '../format.ts';
import { Bars, Figures } from '../parts/figures.tsx';
import type { JobView } from './job-model.ts';

/** What became of the records, committed up to now. */
export function JobFigures({ job }: { readonly job: JobView }) {
  const { lines, created, updated, unchanged, skipped, rejected, conflicts } = job;
  return (
    <>
      <Figures
        items={[
          { name: job.dryRun === true ? 'Would be new' : 'New', value: count(created), kind: 'good' },
          { name: job.dryRun === true ? 'Would change' : 'Changed', value: count(updated) },
          { name: 'Unchanged', value: count(unchanged) },
          ...(skipped > 0 ? [{ name: 'Skipped', value: count(skipped) }] : []),
          {
            name: 'Rejected',
            value: count(rejected),
            note: rejected > 0 ? `${percent(rejected, lines)} of ${count(lines)}` : undefined,
            kind: rejected > 0 ? 'bad' : undefined,
          },
          ...(conflicts > 0 ? [{ name: 'Conflicts', value: count(conflicts), kind: 'warn' as const }] : []),
        ]}
      />
      <Classes job={job} />
    </>
  );
}

const ways: Readonly<Record<string, string>> = {
  password: 'sign in with the password they have',
  code: 'sign in by a code or a link',
  provider: 'sign in by another provider',
  reset: 'set a password first, by a link',
  disabled: 'are disabled',
  secondFactor: 'wait for a second factor',
  requiredAction: 'wait for a step of the old system',
};

/** How the users sign in, and their hashes. */
function Classes({ job: { canSignInBy, byState, byKind, lines } }: { readonly job: JobView }) {
  const { canSignIn: _all, ...restricted } = byState;
  const classes = Object.entries({ ...canSignInBy, ...restricted });
  const kinds = Object.entries(byKind).toSorted(([, a], [, b]) => b - a);
  const bars = (entries: readonly (readonly [string, number])[], name: (key: string) => string) =>
    entries.map(([key, value]) => ({
      name: name(key),
      value,
      shown: `${count(value)} · ${percent(value, lines)}`,
    }));
  return (
    <div class="columns">
      {classes.length > 0 && (
        <section>
          <h2 class="part">These users</h2>
          <Bars label="How users sign in" items={bars(classes, (key) => ways[key] ?? words(key))} />
        </section>
      )}
      {kinds.length > 0 && (
        <section>
          <h2 class="part">Password hashes</h2>
          <Bars label="Kinds of password hashes" items={bars(kinds, (key) => key)} />
        </section>
      )}
    </div>
  );
}
