import type { Tenant } from '../domain/model.ts';
import type { BulkImports, ConflictPlace, JobStore } from './ports.ts';

const atOnce = 1000;

/** The lists of jobs, page by page as they are read. */
export function listings(
  jobs: Pick<JobStore, 'rejects' | 'conflicts' | 'absentUsers'>,
): Pick<BulkImports, 'rejects' | 'conflicts' | 'absentUsers'> {
  return {
    rejects: ({ appNo }: Tenant, id) =>
      pages(
        0,
        (after) => jobs.rejects({ appNo, id }, after, atOnce),
        ({ line }) => line,
      ),
    conflicts: ({ appNo }: Tenant, id) =>
      pages<ConflictPlace, Awaited<ReturnType<JobStore['conflicts']>>[number]>(
        { line: 0, place: 0 },
        (after) => jobs.conflicts({ appNo, id }, after, atOnce),
        (last) => last,
      ),
    absentUsers: ({ appNo }: Tenant, id) =>
      pages(
        '00000000-0000-0000-0000-000000000000',
        (after) => jobs.absentUsers({ appNo, id }, after, atOnce),
        (last) => last.id,
      ),
  };
}

/** @param placeOf the position of an item, from which the next page continues */
async function* pages<Place, Item>(
  first: Place,
  read: (after: Place) => Promise<readonly Item[]>,
  placeOf: (item: Item) => Place,
): AsyncGenerator<readonly Item[]> {
  for (let after = first; ;) {
    const page = await read(after);
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (page.length < atOnce || last === undefined) return;
    after = placeOf(last);
  }
}
