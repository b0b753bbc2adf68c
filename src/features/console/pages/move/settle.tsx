import type { Settled, SettledKind } from '../../model.ts';
import { call } from '../api.ts';
import { count } from '../format.ts';
import { useDoing, useLoaded } from '../hooks.ts';
import { ofNative } from '../import/again.ts';
import type { Run, StagedFile } from '../import/run-model.ts';
import { startRun } from '../import/start-run.ts';
import { Command } from '../parts/command.tsx';
import { Failure, Note } from '../parts/note.tsx';
import { Table } from '../parts/table.tsx';
import { go } from '../router.ts';
import { useMay } from '../session.tsx';

type Users = Readonly<Record<SettledKind, number>>;

interface Class {
  readonly kind: Settled['kind'];
  readonly name: string;
  readonly choices: readonly (readonly [Settled['choice'], string])[];
}

const theirs = ['theirs', 'Take theirs'] as const;
const either = [theirs, ['ours', 'Keep ours']] as const;

const classes: readonly Class[] = [
  { kind: 'missingHere', name: 'Missing here', choices: [['theirs', 'Import them']] },
  { kind: 'there', name: 'Changed there', choices: [theirs] },
  { kind: 'both', name: 'Changed on both sides', choices: either },
  { kind: 'unknown', name: 'No import has stated them', choices: either },
];
const all: Class = {
  kind: 'all',
  name: 'All of these',
  choices: [theirs, ['ours', 'Take theirs, keep ours where both have one']],
};

/** They write the records of all classes, and import them with one rule. */
const commands = [
  'carryover compare <database or file> --from … --repair-to repair.ndjson',
  'carryover import repair.ndjson --on-conflict theirs --dry-run',
];

/** One choice for all users of a class of differences. @param run null: the command, or another core, has made the comparison */
export function Settle({ run }: { readonly run: Run | null }) {
  const may = useMay();
  const isAllowed = may('import') && may('move');
  return (
    <section>
      <h2>Settle all alike</h2>
      {run !== null && isAllowed && <Choices run={run} />}
      {!isAllowed && <Note>A key with both scopes, import and move, settles them in the page.</Note>}
      {isAllowed && run === null && (
        <Note>
          This core does not have the records of this comparison: compare here to settle them in the page, or
          use the command.
        </Note>
      )}
      {commands.map((command) => (
        <Command key={command} text={command} />
      ))}
    </section>
  );
}

function Choices({ run }: { readonly run: Run }) {
  const doing = useDoing();
  const { value, error } = useLoaded(
    `settle ${run.id}`,
    async (signal) => (await call<{ users: Users }>(`/console/runs/${run.id}/settle`, { signal })).users,
  );
  const tryOut = (settled: Settled): void => {
    doing.run(async () => {
      const { file } = await call<{ file: StagedFile }>(`/console/runs/${run.id}/settle`, {
        method: 'POST',
        body: settled,
      });
      const begun = await startRun({ ...ofNative(run.input, file.id, settled.choice), kind: 'dry-run' });
      go('import', begun.id);
    });
  };
  return (
    <>
      <p class="soft">
        A dry run shows what the choice would do, and its page imports it. What is not chosen stays as it is.
        A user with several differences counts once, where a decision is needed most. Users who are gone there
        are settled by an import of the whole export with a rule for them.
      </p>
      <Failure error={error?.message ?? doing.error} />
      {value && (
        <Table
          label="Settle all alike"
          rows={classesOf(value)}
          keyOf={({ kind }) => kind}
          empty="Nothing is left that an import settles."
          columns={[
            { name: 'Difference', cell: ({ name }) => name },
            { name: 'Users', isNumber: true, cell: ({ kind }) => count(usersOf(value, kind)) },
            {
              name: 'Dry run',
              cell: ({ kind, name, choices }) => (
                <span class="choices">
                  {choices.map(([choice, text]) => (
                    <button
                      key={choice}
                      type="button"
                      class="quiet small"
                      aria-label={`${text}: ${name}`}
                      disabled={doing.isBusy}
                      onClick={() => {
                        tryOut({ kind, choice });
                      }}
                    >
                      {text}
                    </button>
                  ))}
                </span>
              ),
            },
          ]}
        />
      )}
    </>
  );
}

/** Those with users, and all of them together if they are several. */
function classesOf(users: Users): readonly Class[] {
  const some = classes.filter(({ kind }) => usersOf(users, kind) > 0);
  return some.length > 1 ? [...some, all] : some;
}

function usersOf(users: Users, kind: Settled['kind']): number {
  return kind === 'all' ? Object.values(users).reduce((sum, each) => sum + each, 0) : users[kind];
}
