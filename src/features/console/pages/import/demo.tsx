import { call } from '../api.ts';
import { useDoing, useLoaded } from '../hooks.ts';
import type { JobView } from '../jobs/job-model.ts';
import { Failure } from '../parts/note.tsx';
import { go } from '../router.ts';
import { useMay } from '../session.tsx';
import type { StagedFile } from './run-model.ts';
import { startRun } from './start-run.ts';

const demoName = 'demo-laravel-users.csv';

/** Something to look at without an export of one's own; removed by one click. */
export function Demo() {
  const may = useMay();
  const doing = useDoing();
  const jobs = useLoaded(
    'demo',
    async (signal) =>
      (await call<{ jobs: readonly JobView[] }>('/bulk-import/jobs', { query: { limit: 50 }, signal })).jobs,
  );
  const imported = jobs.value?.filter(
    ({ name = '', state, dryRun }) => name.includes(demoName) && state !== 'undone' && dryRun !== true,
  );
  const begin = (): void => {
    doing.run(async () => {
      const made = await call<{ file: StagedFile; passwords: StagedFile }>('/console/demo', {
        method: 'POST',
      });
      const run = await startRun({ kind: 'inspect', files: [made.file.id], canaries: made.passwords.id });
      go('import', run.id);
    });
  };
  const remove = (): void => {
    doing.run(async () => {
      for (const { id } of imported ?? [])
        await call(`/bulk-import/jobs/${id}/undo`, { method: 'POST', body: { force: true } });
      jobs.reload();
    });
  };
  return (
    <section class="quiet-section">
      <h2>No export yet?</h2>
      <p class="soft">
        A made-up Laravel application with 20,000 people, bad rows and all, shows what happens.
      </p>
      <div class="row">
        <button type="button" class="quiet" disabled={doing.isBusy} onClick={begin}>
          Try it with made-up people
        </button>
        {imported !== undefined && imported.length > 0 && may('import') && (
          <button type="button" class="quiet" disabled={doing.isBusy} onClick={remove}>
            Remove the made-up people
          </button>
        )}
      </div>
      <Failure error={doing.error} />
    </section>
  );
}
