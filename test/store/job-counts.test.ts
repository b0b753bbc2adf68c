import { afterAll, beforeAll, expect, it } from 'vitest';
import { countJobs, lastFinished } from '../../src/store/imports/jobs/counts.ts';
import { explain, type Plan } from '../helpers/plans.ts';
import { openTestStore, type TestStore } from '../helpers/store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.dispose());

function scansOf(plan: Plan): string[] {
  const own = plan['Relation Name'] === undefined ? [] : [`${plan['Node Type']} ${plan['Index Name'] ?? ''}`];
  return [...own, ...(plan.Plans ?? []).flatMap((each) => scansOf(each))];
}

it('reads the index of states, and rows only of jobs that receive', async () => {
  await store.sql(
    `insert into import_jobs (app_no, job_id, name, dry_run, on_conflict, started_at, state)
     select n % 9, gen_random_uuid(), '', false, 1, 1, case when n % 5000 = 0 then 1 else 2 end from generate_series(1, 20000) n`,
    [],
  );
  await store.database.write('vacuum (analyze) import_jobs', []);
  expect((await countJobs([store.database], 0)).jobs).toMatchObject({
    receiving: 4,
    waiting: 0,
    done: 19_996,
  });
  let asked = '';
  await countJobs(
    [
      {
        read: (text) => {
          asked = text;
          return Promise.resolve([]);
        },
      },
    ],
    0,
  );
  const scans = scansOf(await explain(store.database, asked.replaceAll('$1::bigint', '0::bigint')));
  expect(scans).toEqual(['Index Only Scan import_jobs_by_state', 'Index Scan import_jobs_by_state']);
});

it('finds the last import of each source without reading all of them', async () => {
  await store.sql('truncate import_jobs', []);
  await store.sql(
    `insert into import_jobs (app_no, job_id, name, dry_run, on_conflict, started_at, source, state, finished_at)
     select n % 9, gen_random_uuid(), '', n = 20000, 1, 1, (array['', 'crm', 'shop'])[1 + n % 3],
       case when n = 19999 then 3 else 2 end, n
     from generate_series(1, 20000) n`,
    [],
  );
  let asked = '';
  const database = {
    read: <Row extends object>(text: string) => {
      asked = text;
      return store.database.read<Row>(text);
    },
  };
  const found = await lastFinished([database]);
  expect(Object.fromEntries(found)).toEqual({ '': 19_998, crm: 19_996, shop: 19_997 });
  for (const statistics of ['', 'vacuum (analyze) import_jobs']) {
    if (statistics !== '') await store.database.write(statistics, []);
    const scans = scansOf(await explain(store.database, asked));
    expect(new Set(scans.filter((scan) => !scan.startsWith('CTE Scan')))).toEqual(
      new Set(['Index Only Scan import_jobs_of_source']),
    );
  }
});
