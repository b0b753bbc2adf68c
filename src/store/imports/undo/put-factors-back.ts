/** Restores second factors that a job replaced. $1 is the app, $2 the job, $3 login methods, which are locked. */

import { plainArray, textArray } from '../../../domain/pg-array.ts';
import type { FactorSeals, KeptCodes } from '../../../operations/ports/ports.ts';
import type { Query } from '../../../database/database.ts';
import {
  type FactorRow,
  type ImagedFactors,
  lostOf,
  putFactorRows,
  putStaged,
  sealedIn,
  sortFactors,
} from './imaged-factors.ts';

/** Factors whose devices were sealed before, and are different ones afterwards. */
const replaced = `
  select b.user_id as "userId", b.factors, to_json(array(
      select d.name from totp_devices d
      where d.app_no = $1 and d.user_key = b.user_id::text and not d.imported
    )) as taken, (
      select json_build_object('id', c.id, 'sealed', encode(c.sealed_secret, 'hex'))
      from totp_devices c where c.app_no = $1 and c.user_key = b.user_id::text and c.name = ''
    ) as codes
  from import_before_images b
  where b.app_no = $1::int and b.job_id = $2::uuid and b.user_id = any($3::uuid[]) and b.factors is not null
    and jsonb_typeof(b.before #> '{details,totp_devices}') = 'object'
    and b.before #> '{details,totp_devices}' is distinct from b.after #> '{details,totp_devices}'`;

interface Replaced {
  readonly userId: string;
  readonly factors: ImagedFactors;
  /** Names of devices that the user has in addition to those of imports. */
  readonly taken: readonly string[];
  readonly codes: { readonly id: string; readonly sealed: string } | null;
}

const removeImported = `
  delete from totp_devices d
  where d.app_no = $1::int and d.user_key = any($2::text[]) and d.imported`;

/**
 * Restores what every key opens; codes that were spent since stay spent.
 * @param those app, job and login methods, as an array literal
 * @returns the login methods whose factors are restored, as an array literal
 */
export async function putFactorsBack(
  query: Query,
  those: readonly [appNo: number, jobId: string, userIds: string],
  seals: FactorSeals,
): Promise<string> {
  const [appNo] = those;
  const found = await query<Replaced>(replaced, those);
  const isWhole = ({ factors: { rows, staged } }: Replaced): boolean =>
    sortFactors(rows ?? [], seals).lost.length + lostOf(staged, seals).length === 0;
  const whole = found.filter(isWhole);
  await putRowsBack(query, appNo, { users: whole.filter(({ factors }) => !factors.staged), seals });
  // The rows of the job remain until these become rows, so that codes that were spent since stay spent.
  const staged = whole.filter(({ factors }) => factors.staged);
  if (staged.length > 0)
    await query(putStaged, [
      appNo,
      idsOf(staged),
      textArray(staged, ({ factors }) => JSON.stringify(factors.staged)),
    ]);
  return idsOf(whole);
}

function idsOf(users: readonly Replaced[]): string {
  return plainArray(users, ({ userId }) => userId);
}

async function putRowsBack(
  query: Query,
  appNo: number,
  { users, seals }: { readonly users: readonly Replaced[]; readonly seals: FactorSeals },
): Promise<void> {
  if (users.length === 0) return;
  await query(removeImported, [appNo, idsOf(users)]);
  const rows = users.map((user) => JSON.stringify(rowsOf(appNo, user, seals)));
  await query(putFactorRows, [appNo, idsOf(users), textArray(rows, (text) => text)]);
}

function rowsOf(appNo: number, { factors, taken, codes }: Replaced, seals: FactorSeals): FactorRow[] {
  const present = codes && { id: codes.id, sealedSecret: Buffer.from(codes.sealed, 'hex') };
  const names = new Set(taken);
  return (factors.rows ?? []).map((row) => {
    if (row.name === '')
      return { ...row, ...rowOfCodes(seals.returned(appNo, codesIn(row), present ?? undefined)) };
    return { ...row, name: freeName(names, row.name) };
  });
}

function codesIn(row: FactorRow): KeptCodes {
  return { id: row.id, sealedSecret: sealedIn(row) };
}

function rowOfCodes({ id, sealedSecret }: KeptCodes): Pick<FactorRow, 'id' | 'sealed_secret'> {
  return { id, sealed_secret: `\\x${Buffer.from(sealedSecret).toString('hex')}` };
}

/** A device that was created here since may have the name. */
function freeName(taken: Set<string>, wanted: string): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted} (${number})`;
  taken.add(name);
  return name;
}
