/** Rows of further tables that refer to a linked user by another id than the one by which the user is joined. */

import { describe, expect, it } from 'vitest';
import { finished } from '../../src/exports/convert/ports.ts';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import type { PartitionTask } from '../../src/exports/tasks.ts';
import { textOf, useExportFiles } from '../helpers/export-files.ts';

const { fileOf, sourceOf, converted, pool } = useExportFiles();

const hash = '$2b$10$6odo.ERyYnXjyd4MxwQ/He7PY.kSA9VUM8fEtTToCYB/LHE5TvA02';
const social = { provider: 'google-oauth2', user_id: '109', connection: 'google-oauth2', isSocial: true };
const database = { provider: 'auth0', user_id: '65a1', connection: 'db', isSocial: false };
const userOf = (user_id: string, name: string, ...identities: readonly object[]) =>
  JSON.stringify({ user_id, email: `${name}@example.com`, email_verified: true, identities });
const users = [
  userOf('google-oauth2|109', 'ada', social, database),
  userOf('auth0|65b2', 'bo', { ...database, user_id: '65b2' }),
].join('\n');
const hashes = ['65a1', '65b2'].map((_id) => JSON.stringify({ _id, passwordHash: hash, tenant: 't' }));
const factorOf = (user_id: string, otp_secret: string) =>
  JSON.stringify({ user_id, type: 'otp', otp_secret });

describe("Auth0's file of factors", () => {
  it('reaches a linked user whose password is the second identity, and the others', async () => {
    const rows = [
      factorOf('google-oauth2|109', 'JBSWY3DPEHPK3PXP'),
      factorOf('auth0|65b2', 'KRSXG5CTMVRXEZLU'),
      factorOf('auth0|gone', 'KRSXG5CTMVRXEZLU'),
    ];
    const batches = await converted({
      ...(await sourceOf(fileOf(users), { from: 'auth0' })),
      related: { hashes: fileOf(hashes.join('\n')), factors: fileOf(rows.join('\n')) },
    });
    const people = textOf(batches)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as NativeUser);
    expect(people.map(({ totpDevices }) => totpDevices)).toEqual([
      [{ secretKey: 'JBSWY3DPEHPK3PXP' }],
      [{ secretKey: 'KRSXG5CTMVRXEZLU' }],
    ]);
    expect(people.map(({ loginMethods }) => loginMethods.some((each) => 'passwordHash' in each))).toEqual([
      true,
      true,
    ]);
    expect(batches.at(-1)?.unmatched).toEqual({ hashes: 0, factors: 1 });
  });

  it('is parted as its users are, and only the linked ones have another id', async () => {
    const parted = async (table: string, lines: readonly string[], rest: Partial<PartitionTask> = {}) => {
      const bytes = new Uint8Array(Buffer.from(lines.join('')));
      let end = 0;
      const ends = Uint32Array.from(lines, (line) => (end += line.length));
      const records = { bytes, ends, oversized: [] };
      const form = { columns: undefined };
      const task = { type: 'partition', provider: 'auth0', table, form, records, partitions: 200 } as const;
      return finished(await pool.run({ ...task, ...rest }));
    };
    const ofUsers = await parted('users', users.split('\n'), { wantsOtherIds: true });
    expect(ofUsers.otherIds).toEqual(new Map([['google-oauth2|109', 'auth0|65a1']]));
    const rows = [factorOf('google-oauth2|109', 'A'), factorOf('auth0|65b2', 'A')];
    const ofFactors = await parted('factors', rows, { idsByOther: ofUsers.otherIds });
    expect(ofFactors.partitions).toEqual(ofUsers.partitions);
    expect((await parted('factors', rows)).partitions[0]).not.toBe(ofUsers.partitions[0]);
  });
});
