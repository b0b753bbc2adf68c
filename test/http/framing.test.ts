/**
 * The boundary between one request and the next. Anything odd there gets one answer at most, and bytes after it, or inside of its
 * body, are never served as a separate request.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Route } from '../../src/http/routing/route.ts';
import { inBody } from '../../src/schema/validate.ts';
import { type BulkStand, headOf, jobsPath, key, ndjson, startBulkStand } from '../helpers/bulk-stand.ts';
import { testedFrontEnd } from '../helpers/front-end.ts';
import type { Wire } from '../helpers/wire.ts';

let smuggledCalls = 0;
const common = { scope: 'app', needs: 'any', summary: '', tag: '' } as const;
const routes: Route[] = [
  { ...common, method: 'GET', path: '/recipe/smuggled', handle: () => ({ calls: ++smuggledCalls }) },
  {
    ...common,
    method: 'POST',
    path: '/recipe/signin',
    body: inBody.signIn,
    handle: () => ({ status: 'OK' }),
  },
  { ...common, method: 'GET', path: '/users', handle: () => ({ status: 'OK' }) },
];

let stand: BulkStand;
beforeAll(async () => {
  stand = await startBulkStand({ routes });
});
afterAll(() => stand.stop());
beforeEach(() => {
  smuggledCalls = 0;
});

const smuggled = headOf('GET', '/recipe/smuggled', {});

/** By then the server has read, and processed, everything that was sent before. */
async function roundTrip(): Promise<void> {
  const probe = await stand.wire();
  for (let turn = 0; turn < 2; turn++) await probe.send(headOf('GET', jobsPath, {})).answer();
  probe.hangUp();
}

/** Sends the parts separately, then closes. */
async function sendAll(...parts: readonly string[]): Promise<Wire> {
  const wire = await stand.wire();
  for (const part of parts) {
    wire.send(Buffer.from(part, 'latin1'));
    await roundTrip();
  }
  await wire.finish().closed;
  return wire;
}

async function expectOneAtMost(...parts: readonly string[]): Promise<void> {
  const { rest } = await sendAll(...parts);
  expect(rest.match(/HTTP\/1\.1 [2-5]/g)?.length ?? 0).toBeLessThanOrEqual(1);
  expect(smuggledCalls).toBe(0);
}

/** @param fields lines of the head, as sent */
function request(line: string, fields: string): string {
  return `${line} HTTP/1.1\r\nHost: x\r\nApi-Key: ${key}\r\n${fields}\r\n\r\n`;
}

const buffered = 'POST /recipe/signin';
const streaming = `PUT ${jobsPath}`;

const heads: readonly (readonly [name: string, fields: string, body: string])[] = [
  ['a length with a sign', 'Content-Length: +5', 'abcde'],
  ['a hexadecimal length', 'Content-Length: 0x1e', 'x'.repeat(30)],
  ['a list of lengths', 'Content-Length: 5, 5', 'abcde'],
  ['a length of two words', 'Content-Length: 5 5', 'abcde'],
  ['a length above 2^64', 'Content-Length: 18446744073709551646', 'x'.repeat(30)],
  ['a length above 2^32', 'Content-Length: 4294967326', 'x'.repeat(30)],
  ['an empty length', 'Content-Length:', ''],
  ['a negative length', 'Content-Length: -1', ''],
  ['a fraction', 'Content-Length: 5.0', 'abcde'],
  ['two lengths', 'Content-Length: 5\r\nContent-Length: 0', 'abcde'],
  ['two equal lengths', 'Content-Length: 5\r\nContent-Length: 5', 'abcde'],
  ['a length in two spellings', 'Content-Length: 0\r\ncontent-length: 5', ''],
  ['an encoding and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 5', '0\r\n\r\n'],
  ['a length and an encoding', 'Content-Length: 5\r\nTransfer-Encoding: chunked', '0\r\n\r\n'],
  ['xchunked', 'Transfer-Encoding: xchunked', '0\r\n\r\n'],
  ['chunked in capitals', 'Transfer-Encoding: CHUNKED', '0\r\n\r\n'],
  ['chunked twice in one', 'Transfer-Encoding: chunked, chunked', '0\r\n\r\n'],
  ['chunked twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', '0\r\n\r\n'],
  ['chunked, then identity', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', '0\r\n\r\n'],
  ['gzip, then chunked', 'Transfer-Encoding: gzip, chunked', '0\r\n\r\n'],
  ['identity', 'Transfer-Encoding: identity', ''],
  ['chunked with a parameter', 'Transfer-Encoding: chunked;q=1', '0\r\n\r\n'],
  ['chunked behind a vertical tab', 'Transfer-Encoding: \x0bchunked', '0\r\n\r\n'],
  ['an empty encoding', 'Transfer-Encoding:', ''],
  ['a space before the colon', 'Content-Length : 5', 'abcde'],
  ['an encoding with a space before the colon', 'Transfer-Encoding : chunked', '0\r\n\r\n'],
  ['a length on a folded line', 'X: a\r\n Content-Length: 5', 'abcde'],
  ['a folded encoding', 'Transfer-Encoding:\r\n chunked', '0\r\n\r\n'],
  ['a length behind a bare LF', 'X: a\nContent-Length: 5', 'abcde'],
  ['a length behind a bare CR', 'X: a\rContent-Length: 5', 'abcde'],
  ['NUL in a name', 'Content\0-Length: 5', 'abcde'],
  ['NUL in a length', 'Content-Length: \x005', 'abcde'],
  ['a head that ends in LF LF', 'Content-Length: 5\n\nabcde', ''],
];

describe.each([
  ['a body that is gathered', buffered, ''],
  ['a body that streams', streaming, 'Content-Type: application/x-ndjson\r\n'],
])('%s', (_, line, type) => {
  test.each(heads)('%s', async (_name, fields, body) => {
    const head = request(line, type + fields);
    await expectOneAtMost(head + body + smuggled);
    await expectOneAtMost(head + body, smuggled);
    await expectOneAtMost(head, body + smuggled);
  });

  test('a request inside of a body is a body', async () => {
    const head = request(line, `${type}Content-Length: ${smuggled.length}`);
    await expectOneAtMost(head + smuggled);
    await expectOneAtMost(head, smuggled);
  });
});

describe('a request inside of a body that is not read', () => {
  const keyless = `POST ${jobsPath} HTTP/1.1\r\nHost: x\r\n`;
  const length = `Content-Length: ${smuggled.length}`;

  test.each([
    ['GET', request('GET /users', length)],
    ['HEAD', request('HEAD /users', length)],
    ['401', `${keyless}${length}\r\n\r\n`],
    ['404', request('POST /nowhere', length)],
    ['405', request('PATCH /users', length)],
    ['400 for its tenant', request('POST /nobody/recipe/signin', length)],
    ['413', request(buffered, 'Content-Length: 99999')],
    ['415', request(`POST ${jobsPath}`, `Content-Type: text/plain\r\n${length}`)],
    ['411', request(buffered, 'Transfer-Encoding: chunked')],
    ['401, in chunks', `${keyless}Transfer-Encoding: chunked\r\n\r\n`],
    ['404, in chunks', request('POST /nowhere', 'Transfer-Encoding: chunked')],
    ['415, in chunks', request(`POST ${jobsPath}`, 'Content-Type: text/plain\r\nTransfer-Encoding: chunked')],
  ])('%s', async (_, head) => {
    const isChunked = head.includes('chunked');
    const size = smuggled.length.toString(16);
    const body = isChunked ? `${size}\r\n${smuggled}\r\n0\r\n\r\n${smuggled}` : smuggled;
    await expectOneAtMost(head + body);
    await expectOneAtMost(head, body);
  });
});

describe('chunks', () => {
  const head = headOf('PUT', jobsPath, { ...ndjson, 'Transfer-Encoding': 'chunked' });
  const line = '8\r\n{"a":1}\n\r\n';

  test.each([
    ['that are sound', `${line}0\r\n\r\n`],
    ['of which there are none', '0\r\n\r\n'],
    ['with the beginning of a trailer', `${line}0\r\nX:`],
    ['with a trailer', `${line}0\r\nX: y\r\n\r\n`],
    ['with a length as a trailer', `${line}0\r\nContent-Length: 5\r\n\r\n`],
    ['with two letters where the end should be', `${line}0\r\nab`],
    ['without the last line end', `${line}0\r\n`],
    ['with an extension', '8;a=b\r\n{"a":1}\n\r\n0\r\n\r\n'],
    ['with an extension that has a line end in quotes', '8;a="\n"\r\n{"a":1}\n\r\n0\r\n\r\n'],
    ['with an extension of the last one', `${line}0;a=b\r\n\r\n`],
    ['with LF behind a size', '8\n{"a":1}\n\r\n0\r\n\r\n'],
    ['with LF behind a chunk', '8\r\n{"a":1}\n\n0\r\n\r\n'],
    ['with LF at the end', `${line}0\n\n`],
    ['with a space behind a size', '8 \r\n{"a":1}\n\r\n0\r\n\r\n'],
    ['with a space behind the last size', `${line}0 \r\n\r\n`],
    ['with 0x before a size', '0x8\r\n{"a":1}\n\r\n0\r\n\r\n'],
    ['with a sign before a size', '+8\r\n{"a":1}\n\r\n0\r\n\r\n'],
    ['with a negative size', `-1\r\n${line}0\r\n\r\n`],
    ['with a size above 2^64', '10000000000000008\r\n{"a":1}\n\r\n0\r\n\r\n'],
    ['with a size of nothing', '\r\n{"a":1}\n\r\n0\r\n\r\n'],
    ['with two letters behind a chunk', '8\r\n{"a":1}\nab0\r\n\r\n'],
    ['with more in a chunk than its size', '7\r\n{"a":1}\n\r\n0\r\n\r\n'],
  ])('%s', async (_, body) => {
    await expectOneAtMost(head + body + smuggled);
    await expectOneAtMost(head + body, smuggled);
    await expectOneAtMost(head, body, smuggled);
  });

  /** Statuses by front end; null: the connection ends without an answer. docs/operate/install.md has the same table. */
  test.each([
    ['an extension after a size', '8;a=b\r\n{"a":1}\n\r\n0\r\n\r\n', null, 200],
    ['a trailer', `${line}0\r\nX: y\r\n\r\n`, 505, 200],
    ['LF after a size', '8\n{"a":1}\n\r\n0\r\n\r\n', 200, null],
    ['LF after a chunk', '8\r\n{"a":1}\n\n0\r\n\r\n', 200, null],
    ['LF at the end', `${line}0\n\n`, 200, null],
    ['any two bytes after a chunk', '8\r\n{"a":1}\nab0\r\n\r\n', 200, null],
    ['any two bytes at the end', `${line}0\r\nab`, 200, null],
    ['a space after a size', '8 \r\n{"a":1}\n\r\n0\r\n\r\n', 200, null],
  ])('%s', async (_, body, uWebSockets, nodeHttp) => {
    const wire = await sendAll(head + body);
    const status = /^HTTP\/1\.1 (\d{3})/.exec(wire.rest)?.[1];
    expect(status === undefined ? null : Number(status)).toBe(
      testedFrontEnd === 'NODE_HTTP' ? nodeHttp : uWebSockets,
    );
  });

  test('are answered as any other body, and the connection ends', async () => {
    const wire = await stand.wire();
    const answer = await wire.send(`${head}${line}0\r\n\r\n`).answer();
    expect([answer?.status, answer?.headers.get('connection')]).toEqual([200, 'close']);
    await wire.closed;
  });

  test('end the connection behind 201 and 204, too', async () => {
    const chunked = { 'Tus-Resumable': '1.0.0', 'Content-Type': 'application/offset+octet-stream' };
    const wire = await stand.wire();
    wire.send(
      headOf('POST', jobsPath, { ...chunked, 'Upload-Length': 16, 'Transfer-Encoding': 'chunked' }) +
        `${line}0\r\n\r\n`,
    );
    const created = await wire.answer();
    expect([created?.status, created?.headers.get('connection')]).toEqual([201, 'close']);
    await wire.closed;
    const next = await stand.wire();
    const patch = { ...chunked, 'Upload-Offset': 8, 'Transfer-Encoding': 'chunked' };
    next.send(headOf('PATCH', created?.headers.get('location') ?? '', patch) + `${line}0\r\n\r\n`);
    const patched = await next.answer();
    expect([patched?.status, patched?.headers.get('connection')]).toEqual([204, 'close']);
    await next.closed;
  });
});
