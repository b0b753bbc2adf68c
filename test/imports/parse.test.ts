import { describe, expect, it } from 'vitest';
import { ClaimedKeys } from '../../src/imports/parse/claimed-keys.ts';
import { lineBytesLimit } from '../../src/domain/line-limit.ts';
import { LineCutter } from '../../src/imports/chunks/line-cutter.ts';
import { withoutByteOrderMark } from '../../src/imports/parse/lines.ts';
import { parseChunk } from '../../src/imports/parse/parse-chunk.ts';
import type { ParsedChunk } from '../../src/imports/parse/types.ts';
import { plainPasswords, soughtKeys } from '../../src/imports/parse/sought-keys.ts';
import { identityKey } from '../../src/domain/identity.ts';
import { bcryptHash, ndjson, now, parse, passwordMethod, person, rules } from '../helpers/bulk-records.ts';
import { mutated, randomNumbers } from '../helpers/mutations.ts';

const found = ({ rejects }: ParsedChunk) => rejects.map(({ line, code, field }) => [line, code, field]);
/** The lines of the records that are valid. */
const kept = ({ linesOf }: ParsedChunk) => [...linesOf];
const bytesOf = (text: string) => Buffer.from(text, 'latin1');

describe('rows', () => {
  it('have a cell for each simple record, and no cells where nothing is stated', () => {
    const more = { isVerified: true, timeJoinedInMSSinceEpoch: 1_704_067_200_000 };
    const { rows } = parse(
      ndjson(person(1, {}, more), { loginMethods: [passwordMethod('"\\', { tenantIds: ['t1'] })] }),
    );
    const ids = /^\{(018cc251-f400-7.{21}),(019b76da-a800-7.{21})\}$/;
    expect(rows).toEqual({
      count: 2,
      primaries: [],
      lineMark: expect.stringMatching(/^\{\d+,NULL\}$/) as unknown,
      line: '{1,2}',
      tenantNo: '{0,4}',
      tenants: '{0,4}',
      kind: '{1,1}',
      key: `{${identityKey('user1@example.com')},${identityKey('user"\\@example.com')}}`,
      userId: expect.stringMatching(ids) as string,
      timeJoined: `{1704067200000,${now}}`,
      isVerified: '{t,f}',
      email: '{"user1@example.com","user\\"\\\\@example.com"}',
      passwordHash: `{"${bcryptHash}","${bcryptHash}"}`,
      thirdPartyId: '{}',
      thirdPartyUserId: '{}',
      phone: '{}',
      isPrimary: '{}',
      externalId: '{"legacy-1",NULL}',
      metadata: '{}',
      roles: '{}',
      totpDevices: '{}',
      restrictions: '{}',
      base: expect.stringMatching(/^\{5100000000[0-9a-f]{24},5000000004[0-9a-f]{24}\}$/) as string,
    });
  });

  it('carry every recipe, primary marks and details', () => {
    const social = { recipeId: 'thirdparty', email: 'a@b', thirdPartyId: 'g', thirdPartyUserId: '1' };
    const phone = { recipeId: 'passwordless', phoneNumber: '+4915112345678', isPrimary: true };
    const chunk = parse(
      ndjson(
        { loginMethods: [social], userMetadata: { a: '"' } },
        { loginMethods: [phone], userRoles: [{ role: 'r' }] },
        {
          loginMethods: [{ recipeId: 'passwordless', email: 'a@b' }],
          totpDevices: [{ secretKey: 'JBSWY3DP' }],
        },
      ),
    );
    expect(chunk.rows).toMatchObject({
      count: 3,
      kind: '{2,4,3}',
      email: '{"a@b",NULL,"a@b"}',
      passwordHash: '{}',
      thirdPartyId: '{"g",NULL,NULL}',
      thirdPartyUserId: '{"1",NULL,NULL}',
      phone: '{NULL,"+4915112345678",NULL}',
      isPrimary: '{NULL,t,NULL}',
      primaries: [{ row: 1, head: expect.stringMatching(/^[0-9a-f]{32}$/) as string }],
      externalId: '{}',
      metadata: '{"{\\"a\\":\\"\\\\\\"\\"}",NULL,NULL}',
      roles: '{NULL,"[{\\"role\\":\\"r\\"}]",NULL}',
      totpDevices: '{NULL,NULL,"[{\\"secretKey\\":\\"JBSWY3DP\\"}]"}',
      restrictions: '{NULL,NULL,"{\\"isHeld\\":false,\\"secondFactors\\":[\\"totp\\"]}"}',
    });
    expect([...chunk.kinds]).toEqual([255, 255, 255]);
  });

  it('are of simple records only; the others are named, with where their lines are', () => {
    const both = { recipeId: 'passwordless', email: 'a@b', phoneNumber: '+4915112345678' };
    const file = ndjson(
      person(1),
      person(2, {}, { tenantIds: ['public', 't1'] }),
      'nonsense',
      { loginMethods: [both] },
      '',
      person('ü'),
      { loginMethods: [passwordMethod(5), passwordMethod(6)] },
      { loginMethods: [passwordMethod(7, { passwordHash: undefined, plainTextPassword: 'p' })] },
      { loginMethods: [passwordMethod(8, { passwordHash: 'd'.repeat(32), hashingAlgorithm: 'md5' })] },
    );
    const chunk = parse(file, { allowPlainText: true });
    expect(found(chunk)).toEqual([[3, 'INVALID_JSON', '']]);
    expect(chunk.lines).toBe(9);
    expect(chunk.rows).toMatchObject({ line: '{1,6,9}' });
    expect([...chunk.simpleRecords]).toEqual([0, 3, 6]);
    expect([...chunk.complexRecords]).toEqual([1, 2, 4, 5]);
    expect(kept(chunk)).toEqual([1, 2, 4, 6, 7, 8, 9]);
    expect(chunk.kindNames).toEqual(['bcrypt', 'md5']);
    expect([...chunk.kinds]).toEqual([0, 255, 255, 0, 255, 255, 1]);
    const lines = file.split('\n');
    kept(chunk).forEach((line, n) => {
      const text = Buffer.from(file).toString('utf8', chunk.spans[2 * n], chunk.spans[2 * n + 1]);
      expect(text).toBe(lines[line - 1]);
    });
  });
});

describe('one bad line', () => {
  const long = ndjson(person('long', { userMetadata: { text: 'x'.repeat(2 * lineBytesLimit) } }));

  it.each([
    ['no JSON', 'nonsense\n', 'INVALID_JSON', ''],
    ['no UTF-8', bytesOf('{"loginMethods":[{"email":"\xff@b"}]}\n'), 'INVALID_JSON', ''],
    ['a cut character', bytesOf('{"a":"\xc3"}\n'), 'INVALID_JSON', ''],
    ['an encoded surrogate', bytesOf('{"a":"\xed\xa0\x80"}\n'), 'INVALID_JSON', ''],
    ['of 2 MiB', long, 'LINE_TOO_LONG', ''],
    ['with a key twice', '{"a":1,"a":2,"loginMethods":[]}\n', 'DUPLICATE_KEY', 'a'],
    ['with U+0000', '{"externalUserId":"a\\u0000"}\n', 'INVALID_FIELD', 'externalUserId'],
    ['with a lone surrogate', '{"userMetadata":{"a":"\\ud800"}}\n', 'INVALID_FIELD', 'userMetadata.a'],
    ['with an endless number', '{"userMetadata":{"a":1e400}}\n', 'INVALID_FIELD', 'userMetadata.a'],
    ['without login methods', '{}\n', 'MISSING_FIELD', 'loginMethods'],
    ['with a wrong email', ndjson(person(9, {}, { email: 'x' })), 'INVALID_FIELD', 'loginMethods.0.email'],
    ['of nobody', ndjson(person(9, {}, { tenantIds: ['no'] })), 'UNKNOWN_TENANT', 'loginMethods.0.tenantIds'],
    ['that was there', ndjson(person(1)), 'DUPLICATE_IN_JOB', 'externalUserId'],
    [
      'of somebody else',
      ndjson(person(9, {}, { email: 'USER2@example.com' })),
      'DUPLICATE_IN_JOB',
      'loginMethods.0.email',
    ],
  ])('costs only itself: %s', (_, line, code, field) => {
    const good = (n: number) => Buffer.from(ndjson(person(n, { userMetadata: { name: 'Zoë 😀' } })));
    const chunk = parse(Buffer.concat([good(1), good(2), Buffer.from(line), good(3)]));
    expect(found(chunk)).toEqual([[3, code, field]]);
    const metadata = `{${Array(3).fill('"{\\"name\\":\\"Zoë 😀\\"}"').join(',')}}`;
    expect(chunk.rows).toMatchObject({ line: '{1,2,4}', metadata });
    expect(chunk.lines).toBe(4);
  });

  it('among other bad ones is reported by its own number', () => {
    const chunk = parse(ndjson('x', person(1), '{}', '', person(1), 'y'));
    expect(found(chunk)).toEqual([
      [1, 'INVALID_JSON', ''],
      [3, 'MISSING_FIELD', 'loginMethods'],
      [5, 'DUPLICATE_IN_JOB', 'externalUserId'],
      [6, 'INVALID_JSON', ''],
    ]);
    expect(chunk.rejects[2]?.externalUserId).toBe('legacy-1');
  });
});

describe('lines', () => {
  const three = [person(1), person(2), person(3)].map((each) => JSON.stringify(each));

  it.each([
    ['LF', three.join('\n') + '\n', 3],
    ['CRLF', three.join('\r\n') + '\r\n', 3],
    ['a missing last newline', three.join('\n'), 3],
    ['a last carriage return', three.join('\r\n') + '\r', 3],
    ['a byte order mark', `\ufeff${three.join('\n')}`, 3],
    ['blank lines', ` \n${three.join('\n')}\n\n\t\r\n`, 6],
    ['white space around', three.map((line) => ` ${line}\t`).join('\n'), 3],
  ])('may have %s', (_, file, lines) => {
    const chunk = parse(file);
    expect(found(chunk)).toEqual([]);
    expect([chunk.rows.count, chunk.lines]).toEqual([3, lines]);
    const texts = kept(chunk).map((_line, n) =>
      Buffer.from(file.replace('\ufeff', ''))
        .toString('utf8', chunk.spans[2 * n], chunk.spans[2 * n + 1])
        .trim(),
    );
    expect(texts).toEqual(three);
  });

  it('may be none at all', () => {
    expect(parse('')).toMatchObject({ lines: 0, rejects: [], rows: { count: 0, line: '{}', email: '{}' } });
    expect(parse('\n\r\n')).toMatchObject({ lines: 2, rejects: [], rows: { count: 0 } });
    expect(parse('\ufeff')).toMatchObject({ lines: 0, rejects: [] });
  });

  it('have their byte order mark at the start of the upload only', () => {
    expect(found(parse(`\ufeff${three[0] ?? ''}\n`, {}, false))).toEqual([[1, 'INVALID_JSON', '']]);
    expect(found(parse(`\ufeff\ufeff${three[0] ?? ''}\n`))).toEqual([[1, 'INVALID_JSON', '']]);
  });

  it('may be as long as the limit', () => {
    const empty = JSON.stringify(person(1, { userMetadata: { t: '' } })).length;
    const fitting = (more: number) =>
      JSON.stringify(person(1, { userMetadata: { t: 'x'.repeat(lineBytesLimit - empty + more) } }));
    expect(found(parse(fitting(0) + '\r\n'))).toEqual([]);
    expect(found(parse(fitting(1) + '\n'))).toEqual([[1, 'LINE_TOO_LONG', '']]);
  });
});

describe('a duplicate', () => {
  it('claims its other keys too, though it is rejected itself', () => {
    const file = ndjson(
      person(1),
      person(2, { externalUserId: 'legacy-1' }),
      person(3, {}, { email: 'user2@example.com' }),
      person(3),
    );
    const chunk = parse(file);
    expect(found(chunk)).toEqual([
      [2, 'DUPLICATE_IN_JOB', 'externalUserId'],
      [3, 'DUPLICATE_IN_JOB', 'loginMethods.0.email'],
      [4, 'DUPLICATE_IN_JOB', 'externalUserId'],
    ]);
    const claims = chunk.claims.map(({ kind, key, tenantNo, line }) => ({ kind, key, tenantNo, line }));
    expect(claims).toEqual([
      { kind: 5, key: identityKey('legacy-1'), tenantNo: 0, line: 2 },
      { kind: 1, key: identityKey('user2@example.com'), tenantNo: 0, line: 2 },
      { kind: 5, key: identityKey('legacy-3'), tenantNo: 0, line: 3 },
      { kind: 1, key: identityKey('user2@example.com'), tenantNo: 0, line: 3 },
      { kind: 5, key: identityKey('legacy-3'), tenantNo: 0, line: 4 },
      { kind: 1, key: identityKey('user3@example.com'), tenantNo: 0, line: 4 },
    ]);
  });

  it('is undefined for an invalid record', () => {
    const file = ndjson(person(1, {}, { passwordHash: 'x' }), person(1));
    expect(found(parse(file))).toEqual([[1, 'INVALID_PASSWORD_HASH', 'loginMethods.0.passwordHash']]);
  });

  it('is of one tenant and one kind of identity', () => {
    const passwordless = { recipeId: 'passwordless', email: 'user1@example.com' };
    const methods = [passwordMethod(1), passwordMethod(1, { tenantIds: ['t1'] }), passwordless];
    expect(found(parse(ndjson(...methods.map((each) => ({ loginMethods: [each] })))))).toEqual([]);
    const wide = { loginMethods: [passwordMethod(1, { tenantIds: ['t2', 't1'] })] };
    expect(found(parse(ndjson({ loginMethods: [methods[1]] }, wide)))).toEqual([
      [2, 'DUPLICATE_IN_JOB', 'loginMethods.0.email'],
    ]);
    const sameText = [{ ...person(1), externalUserId: 'user1@example.com' }];
    expect(found(parse(ndjson(...sameText)))).toEqual([]);
  });

  it('is remembered beforehand by a dry run, with every other record', () => {
    const chunk = parse(ndjson(person(1), person(1), 'x', { loginMethods: [passwordMethod(2)] }), {
      dryRun: true,
    });
    expect(chunk.claims.map(({ kind, line }) => [kind, line])).toEqual([
      [5, 1],
      [1, 1],
      [5, 2],
      [1, 2],
      [1, 4],
    ]);
  });
});

describe('claimed keys', () => {
  it('are distinguished by kind and tenant, and given back as one digest each', () => {
    const keys = new ClaimedKeys();
    const of = (kind: 1 | 3, tenantNo: number, text: string) => ({
      kind,
      tenantNo,
      text,
      key: text,
      place: 0,
    });
    const claims = [of(1, 0, 'a'), of(3, 0, 'a'), of(1, 1, 'a'), of(1, 0, 'b'), of(1, 0, 'a'), of(3, 0, 'a')];
    expect(claims.map((key) => keys.claim(key))).toEqual([true, true, true, true, false, false]);
    expect(new Set(keys.digests()).size).toBe(4);
  });

  it('are still known when there are more than a chunk ever has', () => {
    const keys = new ClaimedKeys();
    const some = Array.from({ length: 50_000 }, (_, n) => String(n));
    const claim = (text: string) => keys.claim({ kind: 1, tenantNo: 0, text, key: text, place: 0 });
    expect(some.filter(claim)).toHaveLength(some.length);
    expect(some.filter(claim)).toEqual([]);
    expect(new Set(keys.digests()).size).toBe(some.length);
  });
});

describe('digests of keys', () => {
  it('are sorted, within 53 bits, and one for each key, of duplicates and complex records too', () => {
    const two = { loginMethods: [passwordMethod(2, { tenantIds: ['t1', 't2'] }), passwordMethod(3)] };
    const keys = [...parse(ndjson(person(1), person(1), two, 'x')).keys];
    expect(keys).toHaveLength(5);
    expect(keys.every((key) => Number.isSafeInteger(key) && key >= 0)).toBe(true);
    expect(keys).toEqual(keys.toSorted((a, b) => a - b));
    expect(new Set(keys).size).toBe(5);
  });

  it('are the same in every chunk, and others for other kinds and tenants', () => {
    const of = (...methods: object[]) => [...parse(ndjson({ loginMethods: methods })).keys];
    const [here] = of(passwordMethod(1));
    expect(of(passwordMethod(1, { isVerified: true }))).toEqual([here]);
    expect(of({ recipeId: 'passwordless', email: 'user1@example.com' })).not.toContain(here);
    expect(of(passwordMethod(1, { tenantIds: ['t1'] }))).not.toContain(here);
    expect(of(passwordMethod(2))).not.toContain(here);
  });
});

describe('records that are decided individually', () => {
  const single = (record: number, value: object) => ({
    record,
    line: 10 + record,
    text: JSON.stringify(value),
  });

  it('have all their keys sought', () => {
    const coreId = '0190c3a4-7b2e-7cc1-8f00-0123456789ab';
    const phone = { recipeId: 'passwordless', email: 'a@b', phoneNumber: '+4915112345678' };
    const records = [
      single(3, person(1, { externalUserId: 'x"y' }, { tenantIds: ['t1', 'public'] })),
      single(5, { externalUserId: coreId, loginMethods: [passwordMethod(2), phone] }),
      single(6, { loginMethods: [] }),
    ];
    const one = identityKey('user1@example.com');
    expect(soughtKeys({ type: 'keys', records, rules })).toEqual({
      identities: {
        record: '{3,3,5,5,5}',
        method: '{0,0,0,1,1}',
        tenantNo: '{4,0,0,0,0}',
        kind: '{1,1,1,3,4}',
        key: `{${[one, one, ...['user2@example.com', 'a@b', '+4915112345678'].map(identityKey)].join(',')}}`,
      },
      externals: {
        record: '{3,5}',
        externalId: `{"x\\"y","${coreId}"}`,
        externalKey: `{${identityKey('x"y')},${identityKey(coreId)}}`,
        coreId: `{NULL,${coreId}}`,
      },
    });
    const none = soughtKeys({ type: 'keys', records: [], rules });
    expect(new Set([...Object.values(none.identities), ...Object.values(none.externals)])).toEqual(
      new Set(['{}']),
    );
  });

  it('have the keys that their chunk was parsed with', () => {
    const two = (n: number) => ({ loginMethods: [passwordMethod(n), passwordMethod(n + 1)] });
    const chunk = parse(ndjson(person(1), { externalUserId: 'x', ...two(2) }, 'x', person(4), two(5)));
    expect([...chunk.complexRecords]).toEqual([1, 3]);
    const records = [single(1, { externalUserId: 'x', ...two(2) }), single(3, two(5))];
    expect(chunk.complexKeys).toEqual(soughtKeys({ type: 'keys', records, rules }));
  });

  it('give their plain-text passwords by record and login method', () => {
    const plain = (password: string) => ({ passwordHash: undefined, plainTextPassword: password });
    const records = [
      single(1, { loginMethods: [passwordMethod(1), passwordMethod(2, plain(' p '))] }),
      single(2, person(3)),
      single(4, person(4, {}, plain('q'))),
    ];
    expect(plainPasswords({ type: 'passwords', records })).toEqual([
      { record: 1, method: 1, password: ' p ' },
      { record: 4, method: 0, password: 'q' },
    ]);
  });
});

describe('a damaged file', () => {
  it('is read in full: every line is a record, a reject or blank, however it is cut', () => {
    const random = randomNumbers(31);
    const lines = Array.from({ length: 3000 }, (_, n) => {
      const line = JSON.stringify(person(n % 900, { userMetadata: { a: 'é:b' } }));
      return random(3) === 0 ? mutated(line, random).replaceAll('\n', ' ') : line;
    });
    const file = Buffer.from(lines.join(random(2) === 0 ? '\n' : '\r\n'));
    for (let i = 0; i < 40; i++) file[random(file.length)] = random(256);
    const cutter = new LineCutter({ chunkBytes: 20_000, offset: 0 });
    const chunks = [...cutter.write(file), ...cutter.finish(true)];
    expect(chunks.length).toBeGreaterThan(10);
    let physical = 0;
    for (const { bytes, from } of chunks) {
      const chunk = parseChunk({
        type: 'parse',
        bytes: from === 0 ? withoutByteOrderMark(bytes) : bytes,
        rules,
      });
      const rejectedLines = chunk.rejects.map(({ line }) => line);
      const all = new Set([...rejectedLines, ...kept(chunk)]);
      expect(all.size).toBe(rejectedLines.length + chunk.linesOf.length);
      expect(Math.max(0, ...all)).toBeLessThanOrEqual(chunk.lines);
      physical += chunk.lines;
    }
    expect(physical).toBe(parse(file).lines);
    const ofFile = parse(file);
    expect(ofFile.rejects.length + ofFile.linesOf.length).toBeGreaterThan(2900);
  });
});
