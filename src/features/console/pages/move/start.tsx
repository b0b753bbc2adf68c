import { call } from '../api.ts';
import { words } from '../format.ts';
import { useDoing } from '../hooks.ts';
import { FormatOptions } from '../import/format-options.tsx';
import { Command } from '../parts/command.tsx';
import { Failure } from '../parts/note.tsx';
import { useMay } from '../session.tsx';

/** Where no move is open. */
export function Start({ onStarted }: { readonly onStarted: () => void }) {
  const may = useMay();
  const doing = useDoing();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    const system = given.get('system');
    const address = given.get('address');
    doing.run(async () => {
      const body = { system, ...(typeof address === 'string' && address !== '' && { address }) };
      const answer = await call<{ status: string; labels?: readonly string[] }>('/move', {
        method: 'POST',
        body,
      });
      if (answer.status === 'UNKNOWN_SOURCE_ERROR')
        throw new Error(
          `Imports of this app have the labels ${(answer.labels ?? []).join(', ')}: start the move with carryover move start --source.`,
        );
      if (answer.status !== 'OK') throw new Error(words(answer.status));
      onStarted();
    });
  };
  return (
    <>
      <p>
        A move takes weeks: rehearse, follow what changes in the old system, let this core lead for a share of
        the users, close. Each stage can be left backwards. Without a database that can be followed, import a
        newer export now and then: what is known is recognised, and only what changed is written.
      </p>
      {may('move') && (
        <form class="card" onSubmit={submit}>
          <div class="fields">
            <label class="field">
              The old system
              <select name="system" required>
                <FormatOptions has={(id) => id !== 'native'} />
              </select>
            </label>
            <label class="field wide">
              Its database, without user and password
              <input
                name="address"
                placeholder="mysql://db.example.com/shop; left empty: it is read from files"
              />
            </label>
          </div>
          <Failure error={doing.error} />
          <button type="submit" disabled={doing.isBusy}>
            Start a move
          </button>
        </form>
      )}
      <Command text="carryover move start --from laravel" />
    </>
  );
}
