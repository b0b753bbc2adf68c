/** Receipts over HTTP: what is signed, what is proven, and what is refused. */
import { describe, expect, test } from 'vitest';
import type { Envelope } from '../../src/receipts/envelope.ts';
import { digestOfLine } from '../../src/receipts/leaf.ts';
import { requireProven } from '../../src/receipts/proof.ts';
import { newSigningKey } from '../../src/receipts/ed25519.ts';
import { openReceipt } from '../../src/receipts/import-receipt.ts';
import { unverified } from '../../src/receipts/statement.ts';
import { testApiKey, type TestCore } from '../helpers/core.ts';
import { knownHash } from '../helpers/people.ts';
import { hasPymerkle, verifiedByPython } from '../helpers/python.ts';
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
const opened = (envelope: Envelope) => openReceipt(envelope, unverified(envelope).key);

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
  test('states the outcome of each line, and proves it', async () => {
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

describe.skipIf(!hasPymerkle)('a receipt, by libraries of Python', () => {
  const lines = [
    user('ada'),
    '',
    user('bea'),
    'no JSON',
    ...Array.from({ length: 40 }, (_, n) => user(`user-${n}`)),
  ];

  async function given() {
    const id = await imported(lines);
    const receipt = await receiptOf(id);
    const { text: outcomes } = await ask('GET', `jobs/${id}/receipt/outcomes`);
    const { path } = await ask('GET', `jobs/${id}/receipt/proof?line=7`);
    return {
      receipt,
      outcomes,
      lines,
      line: 7,
      path: Buffer.from(path as string, 'base64')
        .toString('hex')
        .match(/.{64}/g),
      key: unverified(receipt).key.toString('base64'),
    };
  }

  test('is signed as DSSE and signed notes are, and its tree is that of RFC 6962', async () => {
    const input = await given();
    const id = opened(input.receipt).facts.job.id;
    expect(verifiedByPython(input)).toEqual({
      statement: 'https://in-toto.io/Statement/v1',
      origin: `carryover/${app.slice('/appid-'.length)}/import/${id}`,
      lines: lines.length,
    });
  });

  test('is refused with another payload, or by another key', async () => {
    const input = await given();
    const payload = Buffer.from(input.receipt.payload, 'base64')
      .toString()
      .replace('"created":42', '"created":43');
    const changed = { ...input.receipt, payload: Buffer.from(payload).toString('base64') };
    expect(() => verifiedByPython({ ...input, receipt: changed })).toThrow(/Verif|Signature/);
    const other = newSigningKey().publicKey;
    expect(() => verifiedByPython({ ...input, key: Buffer.from(other).toString('base64') })).toThrow(
      /Verif|Signature/,
    );
  });
});

describe('is refused', () => {
  test('while the job receives, and for a job that did not ask for one', async () => {
    const created = await fetch(`${core.url}${app}/bulk-import/jobs?receipt=true`, {
      method: 'POST',
      headers: {
        'api-key': testApiKey,
        'tus-resumable': '1.0.0',
        'upload-length': '1000',
        'content-length': '0',
      },
    });
    const id = created.headers.get('location')?.split('/').at(-1) ?? '';
    expect(await ask('POST', `jobs/${id}/receipt`)).toMatchObject({
      http: 409,
      status: 'JOB_STILL_RECEIVING',
    });
    expect(await ask('GET', `jobs/${id}/receipt`)).toMatchObject({ http: 409, status: 'RECEIPT_NOT_MADE' });
    const plain = await imported([user('ada')], '');
    for (const [method, path] of [
      ['POST', ''],
      ['GET', ''],
      ['GET', '/proof?line=1'],
      ['GET', '/outcomes'],
    ] as const)
      expect(await ask(method, `jobs/${plain}/receipt${path}`)).toMatchObject({
        http: 409,
        status: 'RECEIPT_NOT_KEPT',
      });
  });

  test('after the job was purged, but for the receipt that was made before', async () => {
    const [made, unmade] = [await imported([user('ada')]), await imported([user('bea')])];
    const receipt = await receiptOf(made);
    for (const id of [made, unmade]) expect((await ask('DELETE', `jobs/${id}?purge=true`)).http).toBe(204);
    expect(await receiptOf(made)).toEqual(receipt);
    expect(await ask('POST', `jobs/${unmade}/receipt`)).toMatchObject({ http: 410, status: 'JOB_PURGED' });
    expect(await ask('GET', `jobs/${made}/receipt/proof?line=1`)).toMatchObject({
      http: 410,
      status: 'JOB_PURGED',
    });
  });

  test('for a line that the job does not have, and for files without a digest', async () => {
    const id = await imported([user('ada')]);
    await receiptOf(id);
    expect(await ask('GET', `jobs/${id}/receipt/proof?line=2`)).toMatchObject({
      http: 404,
      status: 'LINE_NOT_FOUND',
    });
    const wrong = { files: [{ name: 'users.ndjson', sha256: 'ABC' }] };
    expect((await ask('POST', `jobs/${id}/receipt`, wrong)).http).toBe(400);
  });
});

test('stays as it was made when the job is undone, and is of several blocks of lines', async () => {
  const lines = Array.from({ length: 9000 }, (_, n) => (n % 3 === 0 ? '' : user(`many-${n}`)));
  const id = await imported(lines);
  const receipt = await receiptOf(id);
  expect(opened(receipt).checkpoint.size).toBe(9000);
  for (const line of [1, 4095, 4096, 4097, 8192, 9000])
    expect(await proven(id, receipt, line, lines[line - 1] ?? '')).toBe(line % 3 === 1 ? 'blank' : 'created');
  expect((await ask('POST', `jobs/${id}/undo`, { force: true })).http).toBe(200);
  expect(await receiptOf(id)).toEqual(receipt);
});
