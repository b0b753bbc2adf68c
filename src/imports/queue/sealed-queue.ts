import type { ClaimedEntry, NewEntries, QueueStore } from './ports.ts';
import { openRecord, type RecordSeals } from './sealed-records.ts';

/** The substitutes for a record that no key opens: in lists, and for the import, which rejects it as invalid JSON. */
const unreadable = { listed: '{}', claimed: 'sealed with a key that is not there' } as const;

/** The queue whose records with second factors are sealed in the database. */
export function sealedQueue(store: QueueStore, seals: RecordSeals): QueueStore {
  const opened = ({ appNo, ...entry }: ClaimedEntry): ClaimedEntry => ({
    ...entry,
    appNo,
    record: openRecord(seals, appNo, entry.id, entry.record) ?? unreadable.claimed,
  });
  return {
    ...store,
    add: (appNo, entries, limits) => store.add(appNo, sealedEntries(appNo, entries, seals), limits),
    list: async (page) => {
      const { entries, hasMore } = await store.list(page);
      const readable = entries.map((entry) => ({
        ...entry,
        record: openRecord(seals, page.appNo, entry.id, entry.record) ?? unreadable.listed,
      }));
      return { entries: readable, hasMore };
    },
    claim: async (lease, most) => (await store.claim(lease, most)).map(opened),
    settle: (lease, settlements) =>
      store.settle(
        lease,
        settlements.map((each) =>
          each.outcome === 'failed'
            ? { ...each, record: seals.seal(each.appNo, each.id, each.record) }
            : each,
        ),
      ),
  };
}

/** One at a time, as they are iterated. */
function sealedEntries(appNo: number, entries: NewEntries, seals: RecordSeals): NewEntries {
  return {
    length: entries.length,
    *[Symbol.iterator]() {
      for (const entry of entries) yield { ...entry, record: seals.seal(appNo, entry.id, entry.record) };
    },
  };
}
