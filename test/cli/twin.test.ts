/** A twin has the shape of its original, and none of its values. */
import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCarryover } from '../../src/cli/program.ts';
import { Originals } from '../../src/exports/twin/originals.ts';
import { scanLines } from '../../src/exports/twin/scan-lines.ts';
import { surveyLines } from '../../src/exports/twin/survey-lines.ts';
import { makePlace, type Place } from '../helpers/carryover.ts';
import { quietSurroundings } from '../helpers/command.ts';
import { inspect, shapeOf, twinOf } from '../helpers/twin.ts';

let place: Place;

beforeEach(async () => {
  place = await makePlace();
});

afterEach(() => place.remove());

/** A value in every field of a record; `n` distinguishes records. */
function plantedRecord(n: number): Record<string, unknown> {
  const method = { tenantIds: [`tenant-planted-${n % 2}`], isVerified: true };
  return {
    externalUserId: `planted-external-${n}`,
    userMetadata: {
      plantedName: 'Плантовна Müllerplanted',
      [`planted_key_${n}`]: [
        `planted text ${n}`,
        7_654_321 + n,
        { deep: `planted@deep-${n}.example` },
        null,
        true,
      ],
    },
    userRoles: [{ role: 'planted-role', tenantIds: ['tenant-planted-1'] }],
    requiredActions: ['planted-action'],
    totpDevices: [{ secretKey: `PLANTEDSECRETKEYAAAA`, deviceName: 'planted phone', period: 30, skew: 1 }],
    backupCodes: [{ code: `plantedcode${n}` }],
    disabledUntil: 4_102_444_800_123 + n,
    plantedUndeclared: 'planted undeclared',
    loginMethods: [
      {
        ...method,
        recipeId: 'emailpassword',
        email: `planted.person${n}@planted-company.com`,
        passwordHash: '5f4dcc3b5aa765d61d8327deb882cf99',
        hashingAlgorithm: 'md5',
        passwordTransforms: 'suffix=plantedpepper',
        timeJoinedInMSSinceEpoch: 1_600_000_000_000 + n,
        isPrimary: true,
      },
      {
        ...method,
        recipeId: 'thirdparty',
        email: `planted.person${n}@planted-company.com`,
        thirdPartyId: 'planted-provider',
        thirdPartyUserId: `planted-subject-${n}`,
      },
      { ...method, recipeId: 'passwordless', phoneNumber: `+4917655${n}9876` },
      { ...method, recipeId: 'emailpassword', email: `planted.other${n}@gmail.com`, legacy: 'plantedsystem' },
    ],
  };
}

/** What a test looks at. */
interface Shown {
  readonly userRoles: readonly { readonly role: string }[];
  readonly loginMethods: readonly { readonly email: string }[];
}

const planted =
  /planted|плантовна|7654\d{3}|41024448001\d\d|16000000000\d\d|4917655|5f4dcc3b|765d61d8|müller/i;

describe('carryover twin', () => {
  it('replaces planted values of every field, and keeps what they have in common', async () => {
    const lines = [1, 2, 3].map((n) => JSON.stringify(plantedRecord(n)));
    await place.write('original.ndjson', `${lines.join('\n')}\n`);
    await twinOf(place, 'original.ndjson');
    const twin = await place.read('twin.ndjson');
    expect(lines.join('\n')).toMatch(planted);
    expect(twin).not.toMatch(planted);
    expect(shapeOf(await inspect(place, 'twin.ndjson'))).toEqual(
      shapeOf(await inspect(place, 'original.ndjson')),
    );
    const records = twin
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Shown);
    expect(new Set(records.map(({ userRoles }) => userRoles[0]?.role)).size).toBe(1);
    for (const { loginMethods } of records) {
      expect(loginMethods[0]?.email).toBe(loginMethods[1]?.email);
      expect(loginMethods[0]?.email).toMatch(/^[a-z]{7}\.[a-z]{6}\d@[a-z]{7}-[a-z]{7}\.com$/);
      expect(loginMethods[3]?.email).toMatch(/@gmail\.com$/);
    }
    expect(twin).not.toBe(await secondTwin());
  });

  it('keeps duplicates, their spelling, bad rows and the order', async () => {
    const of = (email: string, hash = '$2b$04$abcdefghijklmnopqrstuuCi15uRb1eH7NAlJ/TgeJertyknQpYn2') =>
      JSON.stringify({ loginMethods: [{ recipeId: 'emailpassword', email, passwordHash: hash }] });
    const lines = [
      of('first.user@company.com'),
      '{"broken": ',
      of('First.User@company.com'),
      of('second.user@company.com', '$2b$10$cut'),
      of('second.user@company.com', 'not a hash at all'),
      of('no email'),
      '{"loginMethods":[],"loginMethods":[]}',
      '{"rejected":{"code":"NOT_IMPORTABLE","field":"x","message":"was secret person","externalUserId":"secret-id"}}',
      of('third.user@company.com'),
      of('first.user@company.com'),
    ];
    await place.write('original.ndjson', lines.map((line) => `${line}\n`).join(''));
    await twinOf(place, 'original.ndjson');
    const [original, twin] = [await inspect(place, 'original.ndjson'), await inspect(place, 'twin.ndjson')];
    expect(original.rejectedByCode).toMatchObject({ DUPLICATE_IN_JOB: 2, INVALID_JSON: 1 });
    expect(shapeOf(twin)).toEqual(shapeOf(original));
    const text = await place.read('twin.ndjson');
    expect(text.split('\n')).toHaveLength(lines.length + 1);
    expect(text).not.toMatch(/secret|user@|company/i);
  });

  it('does not overwrite without --force', async () => {
    await place.write('original.ndjson', `${JSON.stringify(plantedRecord(1))}\n`);
    await place.write('twin.passwords.csv', 'mine');
    const { code, stderr } = await place.run(['twin', 'original.ndjson', '-o', 'twin.ndjson']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('twin.passwords.csv: a file has this name')]);
    expect(await place.read('twin.passwords.csv')).toBe('mine');
    expect(await place.list()).not.toContain('twin.ndjson');
  });

  it('is compressed if its name says so, and searched all the same', async () => {
    await place.write('original.ndjson', `${JSON.stringify(plantedRecord(1))}\n`);
    const packed = await place.run(['twin', 'original.ndjson', '-o', 'twin.ndjson.gz', '--hashing', '1']);
    expect(packed.code, packed.stderr).toBe(0);
    const bytes = await readFile(path.join(place.folder, 'twin.ndjson.gz'));
    expect([...bytes.subarray(0, 2)]).toEqual([0x1f, 0x8b]);
    expect(gunzipSync(bytes).toString().trim().split('\n')).toHaveLength(1);
    expect((await inspect(place, 'twin.ndjson.gz')).records).toBe(1);
    expect(await place.list()).toContain('twin.passwords.csv');
    expect(packed.stdout).toMatch(/Searched: none of \d+ original values/);
  });

  it.runIf(process.getuid?.() === 0)('leaves no file, and says why, when the disk is full', async () => {
    const record = JSON.stringify(plantedRecord(1));
    await place.write('original.ndjson', `${record}\n`.repeat(400));
    const folder = path.join(place.folder, 'small');
    await mkdir(folder);
    const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]).status === 0;
    try {
      const { code, stderr } = await place.run([
        'twin',
        'original.ndjson',
        '-o',
        'small/twin.ndjson',
        '--hashing',
        '1',
      ]);
      // If nothing can be mounted the folder is an ordinary one.
      if (!isMounted) return;
      expect([code, stderr]).toEqual([2, expect.stringContaining('small/twin.ndjson')]);
      expect(stderr).toContain('the disk is full');
      expect(await readdir(folder)).toEqual([]);
    } finally {
      if (isMounted) spawnSync('umount', [folder]);
    }
  });

  it('leaves no file when it is interrupted', async () => {
    await place.write('original.ndjson', `${JSON.stringify(plantedRecord(1))}\n`);
    const stop = new AbortController();
    const stderr = new PassThrough();
    // The format is reported before anything is read.
    stderr.on('data', () => {
      stop.abort();
    });
    const surroundings = quietSurroundings(place.folder, { stderr, interrupt: stop.signal });
    expect(await runCarryover(['twin', 'original.ndjson', '-o', 'twin.ndjson'], 'test', surroundings)).toBe(
      130,
    );
    expect(await place.list()).toEqual(['original.ndjson']);
  });
});

async function secondTwin(): Promise<string> {
  await place.run(['twin', 'original.ndjson', '-o', 'twin.ndjson', '--hashing', '1', '--force']);
  return place.read('twin.ndjson');
}

describe('the scan', () => {
  it('finds an original value in any field, and names the field', () => {
    const lines = Buffer.from(`${JSON.stringify(plantedRecord(1))}\n`);
    const originals = new Originals();
    originals.add(surveyLines({ type: 'survey', lines }).originals);
    const { found } = scanLines({ type: 'scan', lines, originals: originals.table });
    expect(found.toSorted()).toEqual(
      [
        'backupCodes.code',
        'disabledUntil',
        'externalUserId',
        'loginMethods.email',
        'loginMethods.legacy',
        'loginMethods.passwordHash',
        'loginMethods.passwordTransforms',
        'loginMethods.phoneNumber',
        'loginMethods.tenantIds',
        'loginMethods.thirdPartyId',
        'loginMethods.thirdPartyUserId',
        'loginMethods.timeJoinedInMSSinceEpoch',
        'requiredActions',
        'totpDevices.deviceName',
        'totpDevices.secretKey',
        'userMetadata',
        'userMetadata.…',
        'userMetadata.….…',
        'userRoles.role',
        'userRoles.tenantIds',
        'a line',
        '…',
      ].toSorted(),
    );
  });
});
