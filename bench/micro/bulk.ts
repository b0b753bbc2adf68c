import { statedTextsOf } from '../../src/domain/user-columns.ts';
import type { JobRules } from '../../src/imports/tasks.ts';
import { baseText } from '../../src/imports/parse/base.ts';
import { LineCutter } from '../../src/imports/chunks/line-cutter.ts';
import { parseChunk } from '../../src/imports/parse/parse-chunk.ts';
import { bcryptHash, defaultLimits, nativeLines } from './samples.ts';
import type { Operation } from './operation.ts';

const chunkBytes = 1_048_576;
/** The size of a read from a socket. */
const pieceBytes = 65_536;

/** Large enough that each has its share of fresh memory, which costs more than memory that was used before. */
const uploadMiB = 16;

/** The work of an import on its bytes outside PostgreSQL. */
export function bulkOperations(): Operation[] {
  const { text, count } = nativeLines(chunkBytes);
  const rules = ofPublicTenant();
  const records = { unit: 'record', count };
  const task = { type: 'parse', bytes: text, rules } as const;
  const jobId = '01a1fe34-0706-7400-902a-7cfa1df99d44';
  const kibibytes = { unit: 'KiB', count: text.length / 1024 };
  return [
    { name: 'bulk/lines to columns', per: records, run: () => parseChunk(task) },
    { name: 'bulk/base of a login method', run: baseOf },
    {
      name: 'bulk/lines to finished rows',
      per: records,
      run: () => parseChunk({ ...task, plan: { kind: 'create', job: { appNo: 0, id: jobId } } }),
    },
    {
      name: 'bulk/cutting lines',
      per: { unit: 'KiB', count: uploadMiB * kibibytes.count },
      run: () => {
        let chunks = 0;
        for (let n = 0; n < uploadMiB; n++) chunks += cut(text);
        return chunks;
      },
    },
  ];
}

/** A different hash each time, as in a file. */
function baseOf(n: number): string {
  const identity = { kind: 1, key: '0123456789abcdef0123456789abcdef' } as const;
  return baseText(
    {
      recipe: 1,
      tenantNos: [0],
      identities: [identity],
      isVerified: true,
      isPrimary: false,
      timeJoined: 0,
      ...statedTextsOf({ recipeId: 'emailpassword', email: 'ada@example.com' }, `${bcryptHash}${n}`),
      hashKind: 'bcrypt',
      plainTextPassword: undefined,
      isDateOdd: false,
    },
    '',
  );
}

function cut(text: Buffer): number {
  const cutter = new LineCutter({ chunkBytes: chunkBytes / 4, offset: 0 });
  let chunks = 0;
  for (let from = 0; from < text.length; from += pieceBytes) {
    chunks += cutter.write(text.subarray(from, from + pieceBytes)).length;
  }
  return chunks + cutter.finish(true).length;
}

function ofPublicTenant(): JobRules {
  return {
    tenants: { public: 0 },
    limits: defaultLimits(),
    signerKey: undefined,
    pepper: undefined,
    allowPlainText: false,
    placeSecret: { low: 1, high: 2 },
    onConflict: 'update',
    dryRun: false,
    secondFactor: 'flag',
    now: Date.UTC(2026, 0, 1),
  };
}
