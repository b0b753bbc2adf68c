import type { GuessKeys, GuessState, GuessStore, WrongGuess } from '../../operations/ports/guesses.ts';
import { inputColumns } from '../batch/columns.ts';
import type { BatchedStatement, Batches } from '../batch/batches.ts';
import { nowMs } from '../clock.ts';
import { removeBy } from '../expired-rows.ts';

/** Maximum time until a bucket is full; longer than any limit. */
const mostMs = 7_200_000;

const parts = ['pair', 'address', 'account'] as const;

/** The keys as columns of a statement that looks guesses up. @param keysOf an item's keys, if it has any */
export function guessColumns<Item>(keysOf: (item: Item) => GuessKeys | undefined) {
  const column = (part: (typeof parts)[number]) => ['uuid', (item: Item) => keysOf(item)?.[part]] as const;
  return { pair: column('pair'), address: column('address'), account: column('account') };
}

/**
 * A lateral sub-select with `pair`, `address` and `account` in ms. The table has rows only for minutes after a wrong guess, so each
 * statement first checks whether there are any.
 * @param item the relation with `guessColumns`
 */
export function guessesOf(item: string): string {
  const left = (part: string): string =>
    `coalesce(max(g.full_at) filter (where g.key = ${item}.${part}) - ${nowMs}, 0) as ${part}`;
  return `(
      select ${parts.map(left).join(', ')}
      from guess_buckets g
      where (select exists (select from guess_buckets))
        and g.key in (${parts.map((part) => `${item}.${part}`).join(', ')})
    )`;
}

/** @param row of a statement with `guessesOf`; expired rows are below 0 until they are swept */
export function guessStateOf(row: GuessState): GuessState {
  const { pair, address, account } = row;
  return { pair: Math.max(pair, 0), address: Math.max(address, 0), account: Math.max(account, 0) };
}

const none: GuessState = { pair: 0, address: 0, account: 0 };

const looks = inputColumns(guessColumns<GuessKeys>((keys) => keys));

const look: BatchedStatement<GuessKeys, GuessState & { n: number }, GuessState> = {
  name: 'look-at-guesses',
  access: 'read',
  planned: 'once',
  text: `
    select i.n::int as n, g.*
    from ${looks.numberedAs('i')}
    cross join lateral ${guessesOf('i')} g`,
  parameters: looks.parameters,
  outcomeOf: ([row]) => (row === undefined ? none : guessStateOf(row)),
};

interface Addition {
  readonly key: string;
  readonly ms: number;
}

const additions = inputColumns<Addition>({
  key: ['uuid', ({ key }) => key],
  ms: ['bigint', ({ ms }) => ms],
});

/**
 * Guesses of a batch at one account are added up, and each gets the state after all of them. One that is taken back adds a negative
 * time; a bucket that is full already then has a time in the past, like one that expired.
 */
const add: BatchedStatement<Addition, { n: number; ms: number }, number> = {
  name: 'add-guesses',
  access: 'write',
  planned: 'once',
  text: `
    with i as materialized (select * from ${additions.numberedAs('i')}),
    added as (
      insert into guess_buckets as b (key, full_at)
      select i.key, ${nowMs} + sum(i.ms)::bigint from i group by i.key order by i.key
      on conflict (key) do update
        set full_at = least(greatest(b.full_at, ${nowMs}) + (excluded.full_at - ${nowMs}), ${nowMs} + ${mostMs})
      returning b.key, b.full_at - ${nowMs} as ms
    )
    select i.n::int as n, a.ms from i join added a on a.key = i.key`,
  parameters: additions.parameters,
  outcomeOf: ([row], { ms }) => row?.ms ?? ms,
};

const clears = inputColumns<string>({ key: ['uuid', (key) => key] });

const clear: BatchedStatement<string, { n: number }, undefined> = {
  name: 'clear-guesses',
  access: 'write',
  planned: 'once',
  text: `
    with i as materialized (select * from ${clears.numberedAs('i')}),
    locked as materialized (
      select b.key from guess_buckets b where b.key in (select i.key from i) order by b.key for update
    ),
    removed as (delete from guess_buckets b using locked l where b.key = l.key)
    select i.n::int as n from i`,
  parameters: clears.parameters,
  outcomeOf: () => undefined,
};

/** The buckets of an app are in the app's place. */
export function guessStore(batches: Batches): GuessStore {
  const looked = batches.add(look);
  const added = batches.add(add);
  const cleared = batches.add(clear);
  const addTimes = async (factor: 1 | -1, { keys, adds }: WrongGuess): Promise<GuessState> => {
    const each = parts.map(async (part) => {
      const key = keys[part];
      return key === undefined || adds[part] === 0 ? 0 : added({ key, ms: factor * adds[part] });
    });
    const [pair = 0, address = 0, account = 0] = await Promise.all(each);
    return guessStateOf({ pair, address, account });
  };
  return {
    look: (_appNo, keys) => looked(keys),
    add: (_appNo, guess) => addTimes(1, guess),
    takeBack: (_appNo, guess) => addTimes(-1, guess),
    clear: (_appNo, { pair }) => cleared(pair),
  };
}

/** Uses the database's clock if that is behind. */
export const removeFullBuckets = removeBy(`
  with full_ones as materialized (
    select key from guess_buckets where full_at <= least($1::bigint, ${nowMs}) limit $2::int for update skip locked
  ),
  removed as (delete from guess_buckets b using full_ones f where b.key = f.key returning 1)
  select count(*)::int as count from removed`);
