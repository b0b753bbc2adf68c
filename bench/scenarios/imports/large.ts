import { statfs } from 'node:fs/promises';
import os from 'node:os';
import { bytes } from '../../../src/cli/output/format.ts';
import { emailOf, writePartFile } from '../../load/files.ts';
import { importPeople } from '../../load/people.ts';
import { sendAll, type JsonRequest } from '../../load/requests.ts';
import { type Stand, withStand } from '../../load/stand.ts';
import { importFile } from '../../load/upload.ts';
import { emailOf as emailOfPerson, password } from '../../../src/load/made-up.ts';
import { type BenchOptions, measuredApart, type Measurement, type Scenario } from '../../scenario.ts';
import { median } from '../../statistics.ts';
import { type Copied, copyAndCompare, copying, sizeOf } from './large-copy.ts';

/**
 * 50 million users, imported a million at a time while PostgreSQL vacuums as it likes. Its indexes outgrow the memory it has, so
 * what a user costs may grow with the number of users: imports, sign-ins, look-ups, searches, pages, the undo of a million, an export
 * of all users and a comparison of its file with them are compared with the same after the first million.
 */
export const large: Scenario = {
  name: 'large',
  about:
    '50 million users, a million at a time: imports, sign-ins, look-ups, searches, pages, undo, export and compare, at the end against the start (says at once how much disk it needs)',
  isOnlyNamed: true,
  run: async (options) => {
    const amounts = options.quick ? quick : full;
    await requireRoom(amounts, options);
    return withStand({ UPGRADE_PASSWORD_HASHES: 'false', ALLOW_HASH_EXPORT: 'true' }, (stand) =>
      grow(stand, amounts, options),
    );
  },
};

interface Amounts {
  /** Users of one file. */
  readonly part: number;
  readonly parts: number;
  /** People who sign in, of an import of their own. */
  readonly people: number;
}
const full: Amounts = { part: 1_000_000, parts: 50, people: 500 };
const quick: Amounts = { part: 20_000, parts: 5, people: 50 };

interface Part {
  /** Users a second. */
  readonly rate: number;
  /** Of the core, at the end. */
  readonly memoryMb: number;
}

/** ms of each request, by its kind; `undo`: seconds. */
type Probes = Readonly<Record<(typeof probed)[number], readonly number[]>>;
const probed = ['look-up', 'sign-in', 'search', 'page', 'count', 'undo'] as const;

/** Bytes of disk for a user: in the database with what a comparison adds, and in the exported file. A quick run had 845 and 301. */
const bytesOfUser = { database: 850, file: 310 } as const;
/** PostgreSQL's log, and the file of the part that is imported. */
const furtherBytes = 10e9;

/** @throws Error if the disk has not enough room */
async function requireRoom({ part, parts }: Amounts, { quick: isQuick, say }: BenchOptions): Promise<void> {
  const users = part * parts;
  const needed = users * (bytesOfUser.database + bytesOfUser.file) + (isQuick ? 0 : furtherBytes);
  const folder = os.tmpdir();
  const { bavail, bsize } = await statfs(folder);
  const inWords = `${bytes(needed)} in ${folder}, which has ${bytes(bavail * bsize)}`;
  if (bavail * bsize < needed) throw new Error(`there is not enough room: it takes about ${inWords}`);
  say(`takes about ${inWords}`);
}

async function grow(stand: Stand, amounts: Amounts, options: BenchOptions): Promise<Measurement[]> {
  await stand.cluster.reset();
  await importPeople(stand.core, amounts.people, () => cheapHash);
  const parts: Part[] = [];
  let early: Probes | undefined;
  let firstCopy: Copied | undefined;
  for (let n = 0; n < amounts.parts; n++) {
    const isFirst = n === 0;
    // The first one is undone, and imported once more: both undos are of a million.
    if (isFirst) await importPart(stand, amounts, 0);
    if (isFirst) firstCopy = await copyAndCompare(stand, amounts.part + amounts.people, options);
    if (isFirst) early = await probe(stand, amounts, 1);
    const part = await importPart(stand, amounts, n);
    parts.push(part);
    const users = ((n + 1) * amounts.part).toLocaleString('en');
    options.say(
      `${users} users: ${Math.round(part.rate).toLocaleString('en')}/s, core ${part.memoryMb.toFixed(0)} MB`,
    );
  }
  if (early === undefined || firstCopy === undefined) throw new Error('there was no first part');
  const size = await sizeOf(stand);
  const copy = await copyAndCompare(stand, amounts.part * amounts.parts + amounts.people, options);
  const late = await probe(stand, amounts, amounts.parts);
  return [
    importing(parts, amounts, size),
    ...probed.map((name) => answering(name, late[name], early[name])),
    ...copying(copy, firstCopy),
  ];
}

async function importPart({ cluster, core }: Stand, { part }: Amounts, n: number): Promise<Part> {
  const file = await writePartFile(n * part, part);
  try {
    const { rate } = await importFile(cluster, core, file.export, { created: part });
    return { rate, memoryMb: core.memoryMb() };
  } finally {
    await file.remove();
  }
}

/** Of the password of made-up people. */
const cheapHash = {
  passwordHash: '$2y$04$fKVra2YhKvNMeDgpWuyq8O3.8PyHKGVWPeCn6urCSoGmksdB6v7ru',
  hashingAlgorithm: 'bcrypt',
};

/**
 * One request after the other, so that each waits for nothing but itself. The undo comes last: it takes the newest part away.
 * @param parts how many are there
 */
async function probe(stand: Stand, amounts: Amounts, parts: number): Promise<Probes> {
  const { core } = stand;
  const users = parts * amounts.part;
  const requests = amounts.people;
  const someone = (n: number): string => emailOf(Math.floor(((n * 0.618_033_988_7) % 1) * users));
  const each = async (count: number, request: (n: number) => JsonRequest): Promise<number[]> => {
    const times: number[] = [];
    for (let n = 0; n < count; n++) times.push(await timed(() => sendAll(core, [request(n)])));
    return times;
  };
  const lookUps = await each(requests, (n) => get(`/users/by-accountinfo?email=${someone(n)}`));
  const signIns = await each(requests, (n) => ({
    method: 'POST',
    path: '/recipe/signin',
    rid: 'emailpassword',
    body: { email: emailOfPerson(n), password },
  }));
  // A search reads all users.
  const searches = await each(2, (n) => get(`/users?email=${someone(n)}`));
  const pages = await readPages(stand, Math.ceil(requests / 10));
  const counts = await each(3, () => get('/users/count'));
  const undo = (await undoNewest(stand, amounts.part)) / 1000;
  return {
    'look-up': lookUps,
    'sign-in': signIns,
    search: searches,
    page: pages,
    count: counts,
    undo: [undo],
  };
}

function get(path: string): JsonRequest {
  return { method: 'GET', path };
}

/** @returns ms */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function readPages({ core }: Stand, count: number): Promise<number[]> {
  const times: number[] = [];
  let token: string | undefined;
  for (let n = 0; n < count; n++) {
    const after = token === undefined ? '' : `&paginationToken=${encodeURIComponent(token)}`;
    times.push(
      await timed(async () => {
        const [page] = await sendAll(core, [get(`/users?limit=500${after}`)]);
        token = (page as { readonly nextPaginationToken?: string }).nextPaginationToken;
      }),
    );
    if (token === undefined) break;
  }
  return times;
}

/** @returns ms @throws Error unless all `users` of it were removed */
async function undoNewest({ core }: Stand, users: number): Promise<number> {
  const [list] = await sendAll(core, [get('/bulk-import/jobs?limit=10')]);
  const { jobs } = list as { readonly jobs: readonly { readonly id: string; readonly dryRun: boolean }[] };
  // A comparison is a job, too.
  const job = jobs.find(({ dryRun }) => !dryRun);
  if (job === undefined) throw new Error('there is no job');
  const startedAt = performance.now();
  let removed = 0;
  // Each answer is of as many users as an undo takes back at once.
  while (removed < users) {
    const undo = { method: 'POST', path: `/bulk-import/jobs/${job.id}/undo`, body: {} } as const;
    const [answer] = await sendAll(core, [undo]);
    const { removed: more } = answer as { readonly removed: number };
    if (more === 0) throw new Error(`an undo ended after ${removed} of ${users} users`);
    removed += more;
  }
  return performance.now() - startedAt;
}

/** The last tenth of the parts against the first. */
function importing(parts: readonly Part[], { part, parts: count }: Amounts, size: number): Measurement {
  const some = Math.max(1, Math.floor(count / 10));
  const seconds = (each: readonly Part[]): number[] => each.map(({ rate }) => part / rate);
  const memory = (each: readonly Part[]): number => median(each.map(({ memoryMb }) => memoryMb));
  return measuredApart(
    {
      name: 'large/import',
      unit: `s for ${part} users`,
      reference: 'the same at the start',
      atMost: 1.5,
      details: {
        users: part * count,
        bytesOfDiskForAUser: Math.round(size / (part * count)),
        memoryMbAtTheStart: memory(parts.slice(0, some)),
        memoryMbAtTheEnd: memory(parts.slice(-some)),
      },
    },
    seconds(parts.slice(-some)),
    seconds(parts.slice(0, some)),
  );
}

function answering(
  name: (typeof probed)[number],
  late: readonly number[],
  early: readonly number[],
): Measurement {
  return measuredApart(
    {
      name: `large/${name}`,
      unit: name === 'undo' ? 's' : 'ms, median',
      reference: 'the same with the first million',
      details: { slowest: Math.max(...late), slowestBefore: Math.max(...early) },
    },
    late,
    early,
  );
}
