import { useId, useState } from 'preact/hooks';
import { call } from '../api.ts';
import { plural, withMaskedEmails } from '../format.ts';
import { useDoing } from '../hooks.ts';
import { ofNative } from '../import/again.ts';
import type { Run, StagedFile } from '../import/run-model.ts';
import { secretsOf, startRun } from '../import/start-run.ts';
import { Failure } from '../parts/note.tsx';
import { go } from '../router.ts';
import type { ConflictView } from './job-model.ts';

/** As `onConflict` of an import. */
type Side = 'theirs' | 'ours';

/** By line of the file. A record is decided as a whole. */
type Decisions = ReadonlyMap<number, Side>;

type Decide = (line: number, side: Side | undefined) => void;

export function useDecisions(): { readonly decisions: Decisions; readonly decide: Decide } {
  const [decisions, setDecisions] = useState<Decisions>(new Map());
  return {
    decisions,
    decide: (line, side) => {
      const next = new Map(decisions);
      if (side === undefined) next.delete(line);
      else next.set(line, side);
      setDecisions(next);
    },
  };
}

interface DecisionProps {
  readonly conflict: ConflictView;
  /** undefined: as the others. */
  readonly decision: Side | undefined;
  readonly onDecide: Decide;
}

const sides: readonly (readonly [Side | undefined, string])[] = [
  ['ours', 'as here'],
  ['theirs', 'as in the file'],
  [undefined, 'as the others'],
];

/** For the whole record, in the row of each of its fields. */
export function Decision({ conflict: { line, userId, field }, decision, onDecide }: DecisionProps) {
  const name = useId();
  return (
    <fieldset class="choice">
      <legend class="hidden">
        {withMaskedEmails(userId)}, {field}
      </legend>
      {sides.map(([side, text]) => (
        <label key={text}>
          <input
            type="radio"
            name={name}
            checked={decision === side}
            onChange={() => {
              onDecide(line, side);
            }}
          />{' '}
          {text}
        </label>
      ))}
    </fieldset>
  );
}

/** The decided records alone, or the whole file after them. */
export function DecideButtons({ run, decisions }: { readonly run: Run; readonly decisions: Decisions }) {
  const doing = useDoing();
  const some = decisions.size > 0;
  const button = (text: string, work: () => Promise<Run | undefined>, isMain = false) => (
    <button
      type="button"
      class={isMain ? '' : 'quiet'}
      disabled={doing.isBusy}
      onClick={() => {
        doing.run(async () => {
          const begun = await work();
          if (begun !== undefined) go('import', begun.id);
        });
      }}
    >
      {text}
    </button>
  );
  const all = (onConflict: Side) => async (): Promise<Run> => {
    await importDecided(run, decisions);
    return startRun({ ...run.input, kind: 'import', onConflict, secrets: secretsOf(run.id) });
  };
  const which = some ? 'the others ' : '';
  return (
    <>
      <p class="soft">
        A decision is for all fields of a user. What an import has decided counts as changed here from then
        on.
      </p>
      <div class="row wrap">
        {some &&
          button(
            `Import only the ${plural(decisions.size, 'decided record')}`,
            () => importDecided(run, decisions),
            true,
          )}
        {button(`Import all, ${which}as in the file`, all('theirs'))}
        {button(`Import all, ${which}as here`, all('ours'))}
      </div>
      <Failure error={doing.error} />
    </>
  );
}

/** An import for each side, without the rest of the file. @returns the last @throws Refused */
async function importDecided(run: Run, decisions: Decisions): Promise<Run | undefined> {
  let begun: Run | undefined;
  for (const side of ['theirs', 'ours'] as const) {
    const lines = [...decisions].flatMap(([line, each]) => (each === side ? [line] : []));
    if (lines.length === 0) continue;
    const { file } = await call<{ file: StagedFile }>(`/console/runs/${run.id}/decide`, {
      method: 'POST',
      body: { lines },
    });
    begun = await startRun(ofNative(run.input, file.id, side));
  }
  return begun;
}
