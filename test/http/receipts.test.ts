/** Receipts over HTTP: what is signed, for whom, and what is refused. */
import { describe, expect, test } from 'vitest';
import type { Envelope } from '../../src/receipts/envelope.ts';
import { digestOfLine } from '../../src/receipts/leaf.ts';
import { requireProven } from '../../src/receipts/proof.ts';
import { keyNamedBy, openReceipt } from '../../src/receipts/statement.ts';
import { testApiKey, type TestCore } from '../helpers/core.ts';
import { knownHash } from '../helpers/people.ts';
import { useCoreAndApps } from '../helpers/use-core.ts';

let core: TestCore;
let app: string;
useCoreAndApps((used) => {
  ({ core, app } = used);
});

type Json = Record<string, unknown>;

const user = (name: string, email = `${name}@example.com`): string =>
  JSON.stringify({
    externalUserId: name,
    loginMethods: [{ recipeId: 'emailpassword', email, passwordHash: knownHash }],
  });

async function ask(method: string, path: string, input?: object | string): Promise<Json & { http: number }> {
  const response = await fetch(`${core.url}${app}/bulk-import/${path}`, {
    method,
    headers: { 'api-key': testApiKey },
    ...(input !== undefined && { body: typeof input === 'string' ? input : JSON.stringify(input) }),
  });
  const text = await response.text();
  return { http: response.status, ...(text.startsWith('{"status') ? (JSON.parse(text) as Json) : { text }) };
}

async function imported(lines: readonly string[], query = 'receipt=true'): Promise<string> {
  const { job } = await ask('PUT', `jobs?${query}`, lines.map((line) => `${line}\n`).join(''));
  return (job as { id: string }).id;
}

const receiptOf = async (id: string, input: object = {}): Promise<Envelope> =>
  (await ask('POST', `jobs/${id}/receipt`, input)).receipt as Envelope;
const opened = (envelope: Envelope) => openReceipt(envelope, keyNamedBy(envelope));

async function proven(id: string, envelope: Envelope, line: number, text: string): Promise<string> {
  const proof = await ask('GET', `jobs/${id}/receipt/proof?line=${line}`);
  const { of, outcome, salt, path } = proof as unknown as {
    of: number;
    outcome: string;
    salt: string;
    path: string;
  };
  const found = { line, of, outcome, salt: Buffer.from(salt, 'base64'), path: Buffer.from(path, 'base64') };
  requireProven(found, digestOfLine(Buffer.from(text)), opened(envelope).checkpoint);
  return outcome;
}

describe('a receipt', () => {
  test('states what became of each line, and proves it', async () => {
    await imported([user('ada'), user('bea')], '');
    const lines = [
      user('ada'),
      '',
      user('bea', 'b@example.com'),
      user('cleo'),
      user('ada'),
      'no JSON',
      user('dan'),
    ];
    const id = await imported(lines);
    const receipt = await receiptOf(id, { files: [{ name: 'users.ndjson', sha256: 'a'.repeat(64) }] });
    const { facts, files, checkpoint } = opened(receipt);
    expect(checkpoint.size).toBe(lines.length);
    expect(facts.counts).toEqual({
      blank: 1,
      created: 2,
      updated: 1,
      unchanged: 1,
      'rejected INVALID_JSON': 1,
      'rejected DUPLICATE_IN_JOB': 1,
    });
    expect(files).toEqual([{ name: 'users.ndjson', sha256: 'a'.repeat(64) }]);
    expect(facts).toMatchObject({ job: { id, state: 'done' }, settings: { onConflict: 'update' } });
    const outcomes = [];
    for (const [place, text] of lines.entries()) outcomes.push(await proven(id, receipt, place + 1, text));
    expect(outcomes).toEqual([
      'unchanged',
      'blank',
      'updated',
      'created',
      'rejected DUPLICATE_IN_JOB',
      'rejected INVALID_JSON',
      'created',
    ]);
    await expect(proven(id, receipt, 1, user('cleo'))).rejects.toThrow('another content');
    // It is made once: the first stays, whatever files are stated later.
    expect(await receiptOf(id)).toEqual(receipt);
    expect((await ask('GET', `jobs/${id}/receipt`)).receipt).toEqual(receipt);
  });
});
