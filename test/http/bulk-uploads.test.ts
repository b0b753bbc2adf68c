/** The arrival of a job's bytes: tus requests and whole files, judged header by header. */
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type BulkStand,
  createJob,
  headOf,
  jobsPath,
  key,
  ndjson,
  patch,
  refusal,
  startBulkStand,
  tus,
  tusBytes,
} from '../helpers/bulk-stand.ts';

let stand: BulkStand;
beforeEach(async () => {
  stand = await startBulkStand();
});
afterEach(() => stand.stop());

const lines = '{"a":1}\n{"b":"é"}\n';
const bytes = Buffer.byteLength(lines);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const create = (headers: Record<string, string>, query = '', body?: string) =>
  stand.request('POST', jobsPath + query, { headers, ...(body !== undefined && { body }) });
const onlyJob = () => [...stand.imports.jobs.values()].at(-1);

describe('OPTIONS', () => {
  test.each([jobsPath, `${jobsPath}/019aa000-0000-7000-8000-000000000000`])(
    '%s returns version and extensions without a key',
    async (path) => {
      const response = await fetch(stand.url + path, { method: 'OPTIONS' });
      expect([response.status, await response.text()]).toEqual([204, '']);
      expect(response.headers.get('tus-resumable')).toBe('1.0.0');
      expect(response.headers.get('tus-version')).toBe('1.0.0');
      expect(response.headers.get('tus-extension')).toBe(
        'creation,creation-with-upload,creation-defer-length,termination,carryover-ahead',
      );
      expect(response.headers.has('content-length')).toBe(false);
    },
  );

  test('opens no other verb, and nothing is revealed about a wrong one', async () => {
    for (const method of ['GET', 'POST', 'HEAD', 'LINK'])
      expect((await fetch(stand.url + jobsPath, { method })).status, method).toBe(401);
    expect((await stand.request('DELETE', jobsPath)).headers.get('allow')).toBe('POST, PUT, OPTIONS, GET');
  });
});

describe('creating', () => {
  test('answers 201 with the place and the offset', async () => {
    const response = await create({ ...tus, 'Upload-Length': '100' });
    expect([response.status, await response.text()]).toEqual([201, '']);
    expect(response.headers.get('location')).toBe(`${jobsPath}/${onlyJob()?.id}`);
    expect(response.headers.get('upload-offset')).toBe('0');
    expect(response.headers.get('tus-resumable')).toBe('1.0.0');
    expect(onlyJob()).toMatchObject({
      name: '',
      onConflict: 'update',
      dryRun: false,
      secondFactor: 'refuse',
      uploadLength: 100,
    });
  });

  test('keeps the app in the place', async () => {
    const response = await stand.request('POST', `/appid-app1/public${jobsPath}`, {
      headers: { 'upload-defer-length': '1' },
    });
    const location = response.headers.get('location') ?? '';
    expect(location).toBe(`/appid-app1${jobsPath}/${onlyJob()?.id}`);
    expect((await stand.request('HEAD', location)).status).toBe(200);
    expect((await stand.request('HEAD', location.replace('/appid-app1', ''))).status).toBe(404);
  });

  test('takes its options from the metadata, and rather from the query', async () => {
    const metadata = `secondFactor ${base64('drop')},onConflict ${base64('skip')}, dryRun ${base64('true')},name ${base64('Übung')},filename ???`;
    await create({ 'upload-length': '1', 'upload-metadata': metadata });
    expect(onlyJob()).toMatchObject({
      name: 'Übung',
      onConflict: 'skip',
      dryRun: true,
      secondFactor: 'drop',
    });
    await create(
      { 'upload-length': '1', 'upload-metadata': metadata },
      '?onConflict=reject&dryRun=false&name=x&secondFactor=refuse',
    );
    expect(onlyJob()).toMatchObject({
      name: 'x',
      onConflict: 'reject',
      dryRun: false,
      secondFactor: 'refuse',
    });
  });

  test.each([
    ['no base64', 'name !!!', 'INVALID_UPLOAD_HEADER', 'name'],
    ['no UTF-8', `name ${Buffer.from([255]).toString('base64')}`, 'INVALID_UPLOAD_HEADER', 'name'],
    ['an unknown word', `onConflict ${base64('replace')}`, 'INVALID_QUERY_PARAMETER', 'onConflict'],
    ['no boolean', 'dryRun', 'INVALID_QUERY_PARAMETER', 'dryRun'],
  ])('refuses metadata with %s, by name', async (_what, metadata, code, name) => {
    const response = await create({ 'upload-length': '1', 'upload-metadata': metadata });
    expect(response.headers.get('tus-resumable')).toBe('1.0.0');
    expect(await refusal(response)).toEqual([400, code, expect.stringContaining(`'${name}'`)]);
    expect(stand.imports.jobs.size).toBe(0);
  });

  test.each(['onConflict=all', 'dryRun=maybe', 'secondFactor=ask', `name=${'x'.repeat(257)}`, 'name=%00'])(
    'refuses the query %s',
    async (query) => {
      expect((await refusal(await create({ 'upload-length': '1' }, `?${query}`))).slice(0, 2)).toEqual([
        400,
        'INVALID_QUERY_PARAMETER',
      ]);
    },
  );

  test.each([
    ['no length', {}, 'UPLOAD_LENGTH_REQUIRED'],
    ['both', { 'upload-length': '1', 'upload-defer-length': '1' }, 'INVALID_UPLOAD_HEADER'],
    ['a negative length', { 'upload-length': '-1' }, 'INVALID_UPLOAD_HEADER'],
    ['half a byte', { 'upload-length': '1.5' }, 'INVALID_UPLOAD_HEADER'],
    ['an endless length', { 'upload-length': '9'.repeat(16) }, 'INVALID_UPLOAD_HEADER'],
    ['another deferral', { 'upload-defer-length': '2' }, 'INVALID_UPLOAD_HEADER'],
  ])('refuses %s', async (_what, headers, code) => {
    expect((await refusal(await create(headers as Record<string, string>))).slice(0, 2)).toEqual([400, code]);
    expect(stand.imports.jobs.size).toBe(0);
  });

  test('takes the first bytes at once', async () => {
    const response = await create({ ...tusBytes, 'upload-length': String(bytes) }, '', lines);
    expect([response.status, response.headers.get('upload-offset')]).toEqual([201, String(bytes)]);
    expect(onlyJob()).toMatchObject({ state: 'done', created: 2 });
  });

  test('begins the job even if those bytes hold no line', async () => {
    const response = await create({ ...tusBytes, 'upload-length': String(bytes) }, '', '{"a"');
    expect([response.status, response.headers.get('upload-offset')]).toEqual([201, '0']);
    expect((await patch(stand, response.headers.get('location') ?? '', 0, lines)).status).toBe(204);
  });

  test('refuses bytes of another type, and another encoding', async () => {
    for (const headers of [{ 'content-type': 'text/csv' }, { ...tusBytes, 'content-encoding': 'gzip' }])
      expect(
        (await refusal(await create({ ...headers, 'upload-length': '5' }, '', 'abcde'))).slice(0, 2),
      ).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(stand.imports.jobs.size).toBe(0);
  });
});

describe('another version of tus', () => {
  test.each(['POST', 'HEAD', 'PATCH', 'DELETE'])('%s: 412, and nothing is done', async (method) => {
    const path = await createJob(stand, 5);
    const jobs = stand.imports.jobs.size;
    const response = await stand.request(method, method === 'POST' ? jobsPath : path, {
      headers: { ...tusBytes, 'tus-resumable': '0.2.2', 'upload-offset': '0', 'upload-length': '5' },
    });
    expect(response.status).toBe(412);
    expect(response.headers.get('tus-version')).toBe('1.0.0');
    if (method !== 'HEAD') expect(await refusal(response)).toContain('UNSUPPORTED_TUS_VERSION');
    expect([stand.imports.jobs.size, onlyJob()?.state]).toEqual([jobs, 'receiving']);
  });

  test('a PATCH without one is refused too, others are not', async () => {
    const path = await createJob(stand, 5);
    const { 'Content-Type': type } = tusBytes;
    const bare = { 'content-type': type, 'upload-offset': '0' };
    expect((await stand.request('PATCH', path, { headers: bare, body: 'x' })).status).toBe(412);
    expect((await stand.request('HEAD', path)).status).toBe(200);
    expect((await stand.request('DELETE', path)).status).toBe(204);
  });
});

describe('HEAD', () => {
  test('returns offset and length, uncached', async () => {
    const path = await createJob(stand, bytes);
    await patch(stand, path, 0, '{"a":1}\n{"b"');
    const { status, headers } = await stand.request('HEAD', path, { headers: tus });
    expect(status).toBe(200);
    const told = ['upload-offset', 'upload-length', 'upload-defer-length', 'cache-control', 'tus-resumable'];
    expect(told.map((name) => headers.get(name))).toEqual(['8', String(bytes), null, 'no-store', '1.0.0']);
  });

  test('reports that the length is still to come', async () => {
    const path = await createJob(stand, undefined);
    const { headers } = await stand.request('HEAD', path);
    expect([headers.get('upload-length'), headers.get('upload-defer-length')]).toEqual([null, '1']);
  });

  test('has no body, so that the next request on the connection is answered, refused or not', async () => {
    const path = await createJob(stand, 5);
    const wire = await stand.wire();
    const unknown = `${jobsPath}/019aa000-0000-7000-8000-000000000000`;
    for (const [asked, status] of [
      [path, 200],
      [unknown, 404],
      [path, 200],
    ] as const)
      expect((await wire.send(headOf('HEAD', asked, tus)).answer(true))?.status).toBe(status);
    expect((await wire.send(headOf('GET', path, {})).answer())?.status).toBe(200);
    expect(wire.rest).toBe('');
  });
});

describe('PATCH', () => {
  test('commits whole lines, answers with their end, and keeps the connection', async () => {
    const path = await createJob(stand, bytes);
    const wire = await stand.wire();
    const part = '{"a":1}\n{"b"';
    const send = (offset: number, body: string) =>
      wire
        .send(
          headOf('PATCH', path, {
            ...tusBytes,
            'Upload-Offset': offset,
            'Content-Length': Buffer.byteLength(body),
          }) + body,
        )
        .answer();
    const first = await send(0, part);
    expect([first?.status, first?.headers.get('upload-offset')]).toEqual([204, '8']);
    expect(first?.headers.has('content-length')).toBe(false);
    const second = await send(8, lines.slice(8));
    expect([second?.status, second?.headers.get('upload-offset')]).toEqual([204, String(bytes)]);
    expect(stand.imports.lines).toEqual(['{"a":1}', '{"b":"é"}']);
    expect(onlyJob()?.state).toBe('done');
    expect(wire.rest).toBe('');
  });

  test('may be chunked', async () => {
    const path = await createJob(stand, bytes);
    const wire = await stand.wire();
    wire.send(headOf('PATCH', path, { ...tusBytes, 'Upload-Offset': 0, 'Transfer-Encoding': 'chunked' }));
    wire.send(`${bytes.toString(16)}\r\n${lines}\r\n0\r\n\r\n`);
    expect((await wire.answer())?.headers.get('upload-offset')).toBe(String(bytes));
    await wire.closed;
  });

  test('returns the length of an upload that began without', async () => {
    const path = await createJob(stand, undefined);
    const last = '{"a":1}\n{"b":2}';
    const headers = { ...tusBytes, 'upload-offset': '0', 'upload-length': String(last.length) };
    const response = await stand.request('PATCH', path, { headers, body: last });
    expect([response.status, response.headers.get('upload-offset')]).toEqual([204, String(last.length)]);
    expect(onlyJob()).toMatchObject({ state: 'done', created: 2 });
  });

  test.each([
    ['no offset', {}, 400, 'INVALID_UPLOAD_HEADER'],
    ['no number', { 'upload-offset': '0x1' }, 400, 'INVALID_UPLOAD_HEADER'],
    ['another length', { 'upload-offset': '0', 'upload-length': '1e3' }, 400, 'INVALID_UPLOAD_HEADER'],
    ['another offset', { 'upload-offset': '3' }, 409, 'UPLOAD_OFFSET_CONFLICT'],
    ['another type', { 'upload-offset': '0', 'content-type': 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['no whole line', { 'upload-offset': '0' }, 400, 'UPLOAD_WITHOUT_LINE'],
  ])('with %s is refused', async (_what, headers, status, code) => {
    const path = await createJob(stand, 1000);
    const response = await stand.request('PATCH', path, {
      headers: { ...tusBytes, ...headers },
      body: '{"a"',
    });
    expect(response.headers.get('tus-resumable')).toBe('1.0.0');
    expect((await refusal(response)).slice(0, 2)).toEqual([status, code]);
    expect((await stand.request('HEAD', path)).headers.get('upload-offset')).toBe('0');
  });

  test('beyond the length is refused in mid-body, and the connection ends', async () => {
    const path = await createJob(stand, 10);
    const wire = await stand.wire();
    wire.send(headOf('PATCH', path, { ...tusBytes, 'Upload-Offset': 0, 'Content-Length': 100_000 }));
    wire.send(lines);
    const answer = await wire.answer();
    expect([answer?.status, answer?.body]).toEqual([400, expect.stringContaining('UPLOAD_TOO_LONG')]);
    const id = path.split('/').at(-1) ?? '';
    expect(answer?.body).toContain(
      `continue with 'carryover resume ${id}', or with HEAD ${path} and a PATCH`,
    );
    expect(answer?.headers.get('connection')).toBe('close');
    await wire.closed;
    expect(stand.imports.aborted).toBe(1);
    expect((await stand.request('HEAD', path)).headers.get('upload-offset')).toBe('0');
  });

  test('is refused while another runs', async () => {
    const path = await createJob(stand, 1000);
    const wire = await stand.wire();
    wire.send(
      headOf('PATCH', path, { ...tusBytes, 'Upload-Offset': 0, 'Content-Length': 20 }) + lines.slice(0, 8),
    );
    await stand.imports.received(8);
    expect((await refusal(await patch(stand, path, 8, lines))).slice(0, 2)).toEqual([423, 'UPLOAD_LOCKED']);
    expect((await wire.send('{"c":1,"d":\n').answer())?.status).toBe(204);
  });

  test('and HEAD answer 410 after DELETE, and the job still shows', async () => {
    const path = await createJob(stand, 1000);
    expect((await stand.request('DELETE', path, { headers: tus })).status).toBe(204);
    expect((await refusal(await patch(stand, path, 0, lines))).slice(0, 2)).toEqual([410, 'UPLOAD_GONE']);
    expect((await stand.request('HEAD', path, { headers: tus })).status).toBe(410);
    expect(await (await stand.request('GET', path)).json()).toMatchObject({ job: { state: 'cancelled' } });
  });
});

describe('a whole file in one request', () => {
  test.each([
    ['POST of NDJSON', 'POST', { 'content-type': 'Application/X-NDJSON; charset=utf-8' }],
    ['PUT without a type', 'PUT', {}],
    ['PUT of another type', 'PUT', { 'content-type': 'application/octet-stream' }],
  ])('%s answers with the job when the last line is committed', async (_what, method, headers) => {
    const response = await stand.request(method, `${jobsPath}?name=all&dryRun=true`, {
      headers,
      body: Buffer.from(`${lines}[]\n{"last":1}`),
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      status: 'OK',
      job: { name: 'all', dryRun: true, state: 'done', lines: 4, created: 3, rejected: 1, bytes: bytes + 13 },
    });
  });

  test('in chunks of any size', async () => {
    const wire = await stand.wire();
    wire.send(headOf('PUT', jobsPath, { 'Transfer-Encoding': 'chunked' }));
    for (const byte of Buffer.from(lines)) wire.send(Buffer.from([49, 13, 10, byte, 13, 10]));
    const answer = await wire.send('0\r\n\r\n').answer();
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ job: { created: 2, bytes } });
    await wire.closed;
  });

  test('may hold nothing', async () => {
    const response = await stand.request('PUT', jobsPath);
    expect(await response.json()).toMatchObject({ status: 'OK', job: { lines: 0, state: 'done' } });
  });

  test('packed', async () => {
    const many = lines.repeat(100_000);
    const packed = Buffer.concat([gzipSync(many), gzipSync('{"second":"member"}')]);
    const headers = { ...ndjson, 'content-encoding': 'gzip' };
    const response = await stand.request('POST', jobsPath, { headers, body: packed });
    expect(await response.json()).toMatchObject({ job: { created: 200_001, state: 'done' } });
  });

  test.each([
    ['ends too early', gzipSync(lines.repeat(2000)).subarray(0, -9)],
    ['is none at all', Buffer.from(lines)],
    ['has a wrong sum', Buffer.concat([gzipSync(lines).subarray(0, -8), Buffer.alloc(8)])],
    ['is followed by something else', Buffer.concat([gzipSync(lines), Buffer.from(lines.repeat(20_000))])],
  ])('gzip that %s is refused, what was committed stays', async (_what, body) => {
    const headers = { ...ndjson, 'content-encoding': 'gzip' };
    const response = await stand.request('POST', jobsPath, { headers, body });
    expect((await refusal(response)).slice(0, 2)).toEqual([400, 'GZIP_INVALID']);
    expect([stand.imports.aborted, onlyJob()?.state]).toEqual([1, 'receiving']);
    expect(stand.logged).toEqual([]);
  });

  test('gzip that unpacks to a thousand times its size is refused before it is unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024, '\n'));
    const headers = { ...ndjson, 'content-encoding': 'gzip' };
    const response = await stand.request('POST', jobsPath, { headers, body: bomb });
    expect((await refusal(response)).slice(0, 2)).toEqual([400, 'GZIP_RATIO']);
    expect(stand.imports.receivedBytes).toBeLessThan(11 * 1024 * 1024);
    expect(stand.imports.aborted).toBe(1);
  });

  test('another encoding is refused', async () => {
    const headers = { ...ndjson, 'content-encoding': 'br' };
    const response = await stand.request('POST', jobsPath, { headers, body: lines });
    expect((await refusal(response)).slice(0, 2)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(stand.imports.jobs.size).toBe(0);
  });
});

describe('the order of the checks', () => {
  const file = { body: lines, headers: ndjson };

  test('key, verb, tenant and app come before the body', async () => {
    const keyless = await fetch(stand.url + jobsPath, { method: 'POST', ...file });
    expect((await refusal(keyless)).slice(0, 2)).toEqual([401, 'INVALID_API_KEY']);
    expect((await stand.request('PATCH', jobsPath, file)).status).toBe(405);
    expect((await refusal(await stand.request('POST', `/appid-none${jobsPath}`, file)))[1]).toBe(
      'APP_OR_TENANT_NOT_FOUND',
    );
    expect((await refusal(await stand.request('POST', `/t1${jobsPath}`, file)))[1]).toBe('APP_SPECIFIC_API');
    expect(stand.imports.jobs.size).toBe(0);
  });

  test('an invalid id is an unknown path, and never a label', async () => {
    for (const path of [`${jobsPath}/1`, `${jobsPath}/{id}`, `${jobsPath}/%7bid%7d`, `${jobsPath}/x/events`])
      expect((await stand.request('GET', path)).status, path).toBe(404);
    expect(new Set(stand.observed)).toEqual(new Set(['GET unmatched 404']));
    await stand.request('GET', `${jobsPath}/019AA000-0000-7000-8000-000000000000`);
    expect(stand.observed.at(-1)).toBe('GET /bulk-import/jobs/{id} 404');
  });

  test.each([
    ['two lengths', 'Content-Length: 18\r\nContent-Length: 18'],
    ['an encoding that ends in chunked', 'Transfer-Encoding: xchunked'],
  ])('%s are refused as everywhere', async (_what, framing) => {
    const wire = await stand.wire();
    wire.send(`PUT ${jobsPath} HTTP/1.1\r\nHost: x\r\nApi-Key: ${key}\r\n${framing}\r\n\r\n${lines}`);
    const answer = await wire.answer();
    expect([answer?.status, answer?.body]).toEqual([400, expect.stringContaining('INVALID_FRAMING')]);
    await wire.closed;
    expect(stand.imports.jobs.size).toBe(0);
  });
});
