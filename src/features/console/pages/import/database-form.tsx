import { useDoing } from '../hooks.ts';
import { Failure } from '../parts/note.tsx';
import { go } from '../router.ts';
import { FormatOptions } from './format-options.tsx';
import { formats } from './formats.ts';
import { startRun } from './start-run.ts';

interface DatabaseFormProps {
  readonly kind: 'read-database' | 'compare';
  /** The text of its button. */
  readonly action: string;
}

/** The core reads the tables itself, as `carryover export-from` and `carryover compare` do. */
export function DatabaseForm({ kind, action }: DatabaseFormProps) {
  const doing = useDoing();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string): string => {
      const value = given.get(name);
      return typeof value === 'string' ? value.trim() : '';
    };
    doing.run(async () => {
      const run = await startRun({
        kind,
        from: text('from'),
        address: text('address'),
        schema: text('schema'),
        tablePrefix: text('tablePrefix'),
        realm: text('realm'),
        source: text('source'),
        idPrefix: text('idPrefix'),
      });
      go('import', run.id);
    });
  };
  return (
    <form class="card" onSubmit={submit}>
      <p class="soft">
        In one read-only transaction, from where this core runs. A user of the database that can only read is
        enough. The password is not stored.
      </p>
      <div class="fields">
        <label class="field">
          System
          <select name="from" required>
            <FormatOptions has={(id) => formats[id]?.hasDatabase === true} />
          </select>
        </label>
        <label class="field wide">
          Address
          <input
            name="address"
            required
            spellcheck={false}
            autocomplete="off"
            placeholder="postgres://reader:password@db.example.com/shop?sslmode=verify-full"
          />
        </label>
        <label class="field">
          Schema
          <input name="schema" placeholder="the usual one" />
        </label>
        <label class="field">
          Table prefix
          <input name="tablePrefix" placeholder="wp_" />
        </label>
        <label class="field">
          Realm or tenant
          <input name="realm" placeholder="if there are several" />
        </label>
        {kind === 'compare' && (
          <>
            <label class="field">
              Name of the source
              <input name="source" placeholder="if its imports had one" />
            </label>
            <label class="field">
              Prefix of ids
              <input name="idPrefix" placeholder="if its imports had one" />
            </label>
          </>
        )}
      </div>
      <Failure error={doing.error} />
      <button type="submit" disabled={doing.isBusy}>
        {action}
      </button>
    </form>
  );
}
