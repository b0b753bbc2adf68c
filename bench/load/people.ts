import { request } from 'node:http';
import { answerInTime, answerOf } from '../../src/load/answer.ts';
import { nativeRecord, type PeopleHash } from '../../src/load/made-up.ts';
import type { Addressed } from './deployed.ts';

const atOnce = 50_000;

/**
 * Imports users with an unverified email as a file of native records.
 * @param people how many, from number `from` on @param hashOf the hash of each
 * @throws Error unless all of them are new
 */
export async function importPeople(
  core: Addressed,
  people: number,
  hashOf: (n: number) => PeopleHash,
  from = 0,
): Promise<void> {
  for (let first = from; first < from + people; first += atOnce) {
    const count = Math.min(atOnce, from + people - first);
    await importRecords(
      core,
      Array.from({ length: count }, (_, i) => nativeRecord(first + i, hashOf(first + i))),
    );
  }
}

/** Imports native records as one file. @throws Error unless each of them is a new user */
export async function importRecords({ url, apiKey }: Addressed, records: readonly object[]): Promise<void> {
  const headers = { 'api-key': apiKey, 'content-type': 'application/x-ndjson' };
  const body = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  const answer = await answerInTime(() => {
    const sent = request(`${url}/bulk-import/jobs`, { method: 'POST', headers });
    sent.end(body);
    return answerOf(sent);
  });
  const { job, ...rest } = JSON.parse(answer.body) as { job?: { created: number } };
  if (job?.created !== records.length) {
    throw new Error(`not all people were imported: ${JSON.stringify(job ?? rest)}`);
  }
}
