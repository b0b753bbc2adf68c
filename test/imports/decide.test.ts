import { describe, expect, it } from 'vitest';
import { readBase, rolesDigest } from '../../src/imports/parse/base.ts';
import { canonicalJson } from '../../src/imports/parse/canonical.ts';
import type { NativeLoginMethod, NativeUser } from '../../src/imports/record/native-record.ts';
import { parseChunk } from '../../src/imports/parse/parse-chunk.ts';
import type { Decided, HeldMethod } from '../../src/imports/parse/types.ts';
import { hashMark } from '../../src/domain/digests.ts';
import { identityKey, thirdPartyKey } from '../../src/domain/identity.ts';
import {
  basesOf,
  changesOf,
  claimsOf,
  heldId,
  heldMethod,
  madeHash,
  placeOf,
  rulesOf,
  single,
  World,
} from '../helpers/bulk-world.ts';
import { coreId, knownHash } from '../helpers/people.ts';

const otherHash = '$2b$05$abcdefghijklmnopqrstuuCi15uRb1eH7NAlJ/TgeJertyknQpYn2';

type Of<Recipe> = Partial<Extract<NativeLoginMethod, { recipeId: Recipe }>>;

function password(email: string, more: Of<'emailpassword'> = {}): NativeLoginMethod {
  return { recipeId: 'emailpassword', email, passwordHash: knownHash, ...more };
}

function social(thirdPartyUserId: string, more: Of<'thirdparty'> = {}): NativeLoginMethod {
  return { recipeId: 'thirdparty', thirdPartyId: 'google', thirdPartyUserId, email: 's@x.com', ...more };
}

function passwordless(more: Of<'passwordless'>): NativeLoginMethod {
  return { recipeId: 'passwordless', ...more };
}

function user(externalUserId: string | undefined, ...loginMethods: NativeLoginMethod[]): NativeUser {
  return { ...(externalUserId !== undefined && { externalUserId }), loginMethods };
}

/** The user that `password(email)` describes. */
function heldPassword(number: number, email: string, more: Partial<HeldMethod> = {}): HeldMethod {
  return heldMethod(number, { email, passwordHash: knownHash, ...more });
}

function heldSocial(number: number, thirdPartyUserId: string, more: Partial<HeldMethod> = {}): HeldMethod {
  return heldMethod(number, {
    recipe: 2,
    thirdPartyId: 'google',
    thirdPartyUserId,
    email: 's@x.com',
    ...more,
  });
}

function linked(head: number, ...methods: HeldMethod[]): HeldMethod[] {
  return methods.map((method) => ({ ...method, primaryUserId: heldId(head) }));
}

/** The outcome of records, a word for each count that is not zero. */
function outcome({ counts, rejects, deferred }: Decided): Record<string, number> {
  const all = { ...counts, rejected: rejects.length, deferred: deferred.length };
  return Object.fromEntries(Object.entries(all).filter(([, count]) => count > 0));
}

function reasons({ rejects }: Decided): [string, string][] {
  return rejects.map(({ code, field }) => [code, field]);
}

const nothing = { users: [], identities: [], updates: [], removedIdentities: [], details: [] };

function withoutLines({ claims }: Decided): unknown[] {
  return claims.map(({ kind, key, tenantNo }) => ({ kind, key, tenantNo }));
}

describe('duplicates in the job', () => {
  const earlier = (record: NativeUser): World => {
    const world = new World();
    for (const key of claimsOf(record)) world.claims.add(placeOf(key));
    return world;
  };
  const cases: [string, World, NativeUser, string][] = [
    [
      'a claimed external id',
      earlier(user('x', password('b@x.com'))),
      user('x', password('a@x.com')),
      'externalUserId',
    ],
    [
      'a claimed email',
      earlier(user('y', password('a@x.com'))),
      user('x', password('a@x.com')),
      'loginMethods.0.email',
    ],
    [
      'a claimed provider identity of a second login method',
      earlier(user(undefined, social('g1'))),
      user(undefined, password('a@x.com', { isPrimary: true }), social('g1')),
      'loginMethods.1.thirdPartyUserId',
    ],
    [
      'a claimed phone number',
      earlier(user(undefined, passwordless({ phoneNumber: '+4915112345678' }))),
      user(undefined, passwordless({ email: 'p@x.com', phoneNumber: '+4915112345678' })),
      'loginMethods.0.phoneNumber',
    ],
    [
      'an email whose user this job created',
      new World([heldPassword(1, 'a@x.com', { isOfThisJob: true })]),
      user(undefined, password('a@x.com')),
      'loginMethods.0.email',
    ],
    [
      'an external id whose user this job created',
      new World([heldPassword(1, 'a@x.com', { isOfThisJob: true, externalId: 'x' })]),
      user('x', password('b@x.com')),
      'externalUserId',
    ],
  ];
  it.each(cases)('are recognised by %s', (_, world, record, field) => {
    const decided = world.decide([record], {}, 7);
    expect(decided.rejects).toMatchObject([
      { line: 7, code: 'DUPLICATE_IN_JOB', field, externalUserId: record.externalUserId },
    ]);
    expect(changesOf(decided)).toEqual(nothing);
    expect(withoutLines(decided)).toEqual(claimsOf(record));
    expect(decided.claims.every(({ line }) => line === 7)).toBe(true);
  });

  it('are said as within a chunk', () => {
    const tenantIds = ['public', 'acme'];
    const first = user('x', passwordless({ email: 'p@x.com', phoneNumber: '+4915112345678', tenantIds }));
    const later = [
      user('x', password('a@x.com')),
      user('y', passwordless({ phoneNumber: '+4915112345678' })),
      user(undefined, social('g'), passwordless({ email: 'p@x.com', tenantIds: ['globex', 'acme'] })),
    ];
    const text = [first, ...later].map((each) => JSON.stringify(each)).join('\n');
    const { rejects } = parseChunk({
      type: 'parse',
      bytes: Buffer.from(text),
      rules: rulesOf(),
    });
    expect(rejects).toHaveLength(3);
    expect(earlier(first).decide(later, {}, 2).rejects).toEqual(rejects);
  });

  it('are not recognised by an email in another tenant', () => {
    const world = new World([heldPassword(1, 'a@x.com', { isOfThisJob: true })]);
    const decided = world.decide([user(undefined, password('a@x.com', { tenantIds: ['acme'] }))]);
    expect(outcome(decided)).toEqual({ created: 1 });
  });

  it('come before everything else that is wrong', () => {
    const world = new World([heldPassword(1, 'a@x.com', { isOfThisJob: true })]);
    world.tenantNos = [];
    expect(reasons(world.decide([user(heldId(1), password('a@x.com'))]))).toEqual([
      ['DUPLICATE_IN_JOB', 'loginMethods.0.email'],
    ]);
  });
});

describe('a tenant that was removed', () => {
  it('is unknown, and the record claims its keys', () => {
    const world = new World();
    world.tenantNos = [0, 1];
    const record = user('x', social('g'), password('a@x.com', { tenantIds: ['public', 'globex'] }));
    const decided = world.decide([record]);
    expect(reasons(decided)).toEqual([['UNKNOWN_TENANT', 'loginMethods.1.tenantIds']]);
    expect(withoutLines(decided)).toEqual(claimsOf(record));
  });
});

describe('a record without a user', () => {
  it('is created with all that it states, and claims nothing', () => {
    const record: NativeUser = {
      ...user(
        'x',
        password('a@x.com', { isVerified: true, timeJoinedInMSSinceEpoch: 5, tenantIds: ['globex', 'acme'] }),
      ),
      userMetadata: { a: 'q"\\' },
      userRoles: [{ role: 'admin' }],
      totpDevices: [{ secretKey: 'JBSWY3DP' }],
    };
    const decided = new World().decide([record]);
    const { users, identities, details, ...rest } = changesOf(decided);
    const userId = users[0]?.userId ?? '';
    expect(userId).toMatch(coreId);
    expect(users).toEqual([
      {
        userId,
        recipe: '1',
        isVerified: 't',
        timeJoined: '5',
        email: 'a@x.com',
        passwordHash: knownHash,
        externalId: 'x',
      },
    ]);
    const identity = { kind: '1', key: identityKey('a@x.com'), userId };
    expect(identities).toEqual([
      { ...identity, tenantNo: '1' },
      { ...identity, tenantNo: '2' },
    ]);
    expect(details).toEqual([
      {
        userId,
        metadata: '{"a":"q\\"\\\\"}',
        roles: '[{"role":"admin"}]',
        totpDevices: '[{"secretKey":"JBSWY3DP"}]',
        restrictions: '{"stated":{"isHeld":false,"secondFactors":["totp"]}}',
      },
    ]);
    expect(rest).toEqual({ updates: [], removedIdentities: [] });
    expect([outcome(decided), decided.claims, decided.byKind, decided.movesKeys]).toEqual([
      { created: 1 },
      [],
      { bcrypt: 1 },
      false,
    ]);
  });

  it('is primary only if it says so', () => {
    const records = [
      user(undefined, password('a@x.com', { isPrimary: true })),
      user(undefined, password('b@x.com')),
    ];
    const { users } = changesOf(new World().decide(records));
    const byEmail = new Map(users.map((row) => [row.email, row]));
    expect(byEmail.get('a@x.com')?.primaryUserId).toBe(byEmail.get('a@x.com')?.userId);
    expect(byEmail.get('b@x.com')).not.toHaveProperty('primaryUserId');
  });

  it('has one primary login method for all, whose id carries the earliest join date', () => {
    const record = user(
      'x',
      social('g', { timeJoinedInMSSinceEpoch: 1_000 }),
      password('a@x.com', { isPrimary: true, timeJoinedInMSSinceEpoch: 9_000 }),
      passwordless({ email: 'p@x.com', phoneNumber: '+4915112345678', timeJoinedInMSSinceEpoch: 5_000 }),
    );
    const { users, identities } = changesOf(new World().decide([{ ...record, userMetadata: { a: 1 } }]));
    const head = users.find(({ recipe }) => recipe === '1');
    expect(users.map(({ primaryUserId }) => primaryUserId)).toEqual(users.map(() => head?.userId));
    const timeOf = (id = ''): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16);
    expect(users.map(({ userId, timeJoined }) => [timeOf(userId), timeJoined]).sort()).toEqual(
      [
        [1_000, '9000'],
        [1_000, '1000'],
        [5_000, '5000'],
      ].sort(),
    );
    expect(users.filter(({ externalId }) => externalId === 'x')).toEqual([head]);
    expect(identities.map(({ kind }) => kind)).toEqual(['1', '2', '3', '4']);
  });

  it('is several users without a primary login method, the first with external id and details', () => {
    const record = { ...user('x', password('a@x.com'), password('b@x.com')), userMetadata: { a: 1 } };
    const decided = new World().decide([record]);
    const { users, details } = changesOf(decided);
    expect(outcome(decided)).toEqual({ created: 1 });
    const first = users.find(({ email }) => email === 'a@x.com');
    expect(users.map(({ primaryUserId }) => primaryUserId)).toEqual([undefined, undefined]);
    expect(users.filter(({ externalId }) => externalId !== undefined)).toEqual([first]);
    expect(details).toEqual([{ userId: first?.userId, metadata: '{"a":1}' }]);
    expect(decided.byKind).toEqual({ bcrypt: 2 });
  });
});

describe('the user that a record means', () => {
  const cases: [string, HeldMethod[], NativeUser, [string, string]][] = [
    [
      'the email of another user than the external id',
      [heldPassword(1, 'a@x.com', { externalId: 'x' }), heldPassword(2, 'b@x.com')],
      user('x', password('b@x.com')),
      ['IDENTITY_TAKEN', 'loginMethods.0.email'],
    ],
    [
      'login methods of two users',
      [heldPassword(1, 'a@x.com'), heldSocial(2, 'g')],
      user(undefined, password('a@x.com', { isPrimary: true }), social('g')),
      ['IDENTITY_TAKEN', 'loginMethods.1.thirdPartyUserId'],
    ],
    [
      'an email that is one user’s in one tenant and another’s in the next',
      [heldPassword(1, 'a@x.com'), heldPassword(2, 'a@x.com', { tenants: [1] })],
      user(undefined, password('a@x.com', { tenantIds: ['public', 'acme'] })),
      ['IDENTITY_TAKEN', 'loginMethods.0.email'],
    ],
    [
      'the email of a user with another external id',
      [heldPassword(1, 'a@x.com', { externalId: 'y' })],
      user('x', password('a@x.com')),
      ['IDENTITY_TAKEN', 'loginMethods.0.email'],
    ],
    [
      'a phone number of a user whose head has another external id',
      linked(
        1,
        heldPassword(1, 'a@x.com', { externalId: 'y' }),
        heldMethod(2, { recipe: 3, phone: '+4915112345678' }),
      ),
      user('x', passwordless({ phoneNumber: '+4915112345678' })),
      ['IDENTITY_TAKEN', 'loginMethods.0.phoneNumber'],
    ],
    [
      'a login method that has another external id of its own',
      linked(1, heldPassword(1, 'a@x.com'), heldSocial(2, 'g', { externalId: 'y' })),
      user('x', social('g')),
      ['IDENTITY_TAKEN', 'loginMethods.0.thirdPartyUserId'],
    ],
    [
      'the own id of another user as external id',
      [heldPassword(1, 'a@x.com')],
      user(heldId(1), password('b@x.com')),
      ['EXTERNAL_ID_TAKEN', 'externalUserId'],
    ],
    [
      'the user’s own id as external id',
      [heldPassword(1, 'a@x.com')],
      user(heldId(1), password('a@x.com')),
      ['EXTERNAL_ID_TAKEN', 'externalUserId'],
    ],
  ];
  describe.each(['update', 'skip', 'reject'] as const)('with onConflict %s', (onConflict) => {
    it.each(cases)('cannot be distinguished from %s', (_, held, record, reason) => {
      const decided = new World(held).decide([record], { onConflict });
      expect(reasons(decided)).toEqual([reason]);
      expect(changesOf(decided)).toEqual(nothing);
      expect(withoutLines(decided)).toEqual(claimsOf(record));
      expect(decided.byKind).toEqual({});
    });
  });

  it('is refused as a whole when one of its separate users is', () => {
    const world = new World([heldPassword(1, 'b@x.com'), heldPassword(2, 'b@x.com', { tenants: [1] })]);
    const decided = world.decide([
      user(undefined, password('a@x.com'), password('b@x.com', { tenantIds: ['public', 'acme'] })),
    ]);
    expect([reasons(decided), changesOf(decided)]).toEqual([
      [['IDENTITY_TAKEN', 'loginMethods.1.email']],
      nothing,
    ]);
  });

  it('may be two login methods of one user that have the email in a tenant each', () => {
    const held = linked(1, heldPassword(1, 'a@x.com'), heldPassword(2, 'a@x.com', { tenants: [1] }));
    const record = user(
      undefined,
      password('a@x.com', { tenantIds: ['public', 'acme'], passwordHash: otherHash }),
    );
    const { updates, identities } = changesOf(new World(held).decide([record]));
    expect(updates.map(({ userId, passwordHash }) => [userId, passwordHash])).toEqual([
      [heldId(1), otherHash],
      [heldId(2), otherHash],
    ]);
    expect(identities).toEqual([]);
  });
});

/** An existing user, and records that state the same. */
const full = {
  held: linked(
    1,
    heldPassword(1, 'a@x.com', {
      externalId: 'x',
      isVerified: true,
      tenants: [0, 1],
      metadata: { a: { b: 1, c: [-0, 'd'] } },
      roles: [{ role: 'r1', tenantIds: ['acme', 'public'] }, { role: 'r2' }],
      totpDevices: [{ secretKey: 'JBSWY3DP', period: 30 }],
      restrictions: { stated: { isHeld: false, secondFactors: ['totp'] } },
    }),
    heldSocial(2, 'g', { isVerified: true }),
    heldMethod(3, { recipe: 3, email: 'p@x.com', phone: '+4915112345678' }),
  ),
  record: {
    ...user(
      'x',
      password('a@x.com', { isPrimary: true, isVerified: true, tenantIds: ['acme', 'public'] }),
      social('g', { isVerified: true }),
      passwordless({ email: 'p@x.com', phoneNumber: '+4915112345678' }),
    ),
    userMetadata: { a: { c: [0, 'd'], b: 1 } },
    userRoles: [{ role: 'r2' }, { role: 'r1', tenantIds: ['public', 'acme'] }],
    totpDevices: [{ period: 30, secretKey: 'JBSWY3DP' }],
  } satisfies NativeUser,
};

describe('a record that is so already', () => {
  const cases: [string, NativeUser][] = [
    ['in full', full.record],
    ['by the external id and less', user('x', password('a@x.com', { tenantIds: ['acme'] }))],
    ['by one email', user(undefined, password('a@x.com'))],
    ['though it says unverified', user('x', password('a@x.com', { isVerified: false }))],
    ['though it has another join date', user('x', password('a@x.com', { timeJoinedInMSSinceEpoch: 77 }))],
    ['by the phone number alone', user(undefined, passwordless({ phoneNumber: '+4915112345678' }))],
    ['though it calls another login method primary', user(undefined, social('g', { isPrimary: true }))],
    ['as separate users who were linked since', user('x', password('a@x.com'), social('g'))],
  ];
  describe.each(['update', 'skip', 'reject'] as const)('with onConflict %s', (onConflict) => {
    it.each(cases)('is unchanged %s', (_, record) => {
      const decided = new World(full.held).decide([record], { onConflict });
      expect([outcome(decided), changesOf(decided)]).toEqual([{ unchanged: 1 }, nothing]);
      expect(withoutLines(decided)).toEqual(claimsOf(record));
      const hashes = record.loginMethods.filter(({ recipeId }) => recipeId === 'emailpassword').length;
      expect(decided.byKind).toEqual(hashes > 0 ? { bcrypt: hashes } : {});
    });
  });

  it('is separate users, each found separately', () => {
    const world = new World([heldPassword(1, 'a@x.com', { externalId: 'x' }), heldPassword(2, 'b@x.com')]);
    const decided = world.decide([user('x', password('a@x.com'), password('b@x.com'))], {
      onConflict: 'reject',
    });
    expect(outcome(decided)).toEqual({ unchanged: 1 });
  });

  it('has a passwordless email and phone number of one user, though of two login methods', () => {
    const held = linked(
      1,
      heldMethod(1, { recipe: 3, email: 'p@x.com' }),
      heldMethod(2, { recipe: 3, phone: '+4915112345678' }),
    );
    const record = user(undefined, passwordless({ email: 'p@x.com', phoneNumber: '+4915112345678' }));
    expect(outcome(new World(held).decide([record], { onConflict: 'reject' }))).toEqual({ unchanged: 1 });
  });
});

/** The same user, after an import has stated these passwords. */
const fullBases = [...basesOf(new World().decide([full.record])).values()];
const statedHeld = full.held.map((method) => ({
  ...method,
  base: fullBases.find((base) => readBase(base)?.recipe === method.recipe) ?? null,
}));

type Difference = [
  name: string,
  record: NativeUser,
  field: string,
  written: Partial<Record<keyof typeof nothing, object[]>>,
];

/** One fact that differs from `full.held`, where it is visible, and the written rows. */
const differences: Difference[] = [
  [
    'a password hash',
    user('x', password('a@x.com', { passwordHash: otherHash })),
    'loginMethods.0.passwordHash',
    {
      updates: [
        { userId: heldId(1), passwordHash: otherHash, isVerified: 't', email: 'a@x.com', externalId: 'x' },
      ],
    },
  ],
  [
    'a plain-text password',
    user('x', { recipeId: 'emailpassword', email: 'a@x.com', plainTextPassword: 'secret-password' }),
    'loginMethods.0.plainTextPassword',
    { updates: [{ userId: heldId(1), passwordHash: madeHash }] },
  ],
  [
    'verified',
    user(undefined, passwordless({ email: 'p@x.com', isVerified: true })),
    'loginMethods.0.isVerified',
    { updates: [{ userId: heldId(3), isVerified: 't' }] },
  ],
  [
    'a tenant',
    user('x', password('a@x.com', { tenantIds: ['globex', 'public'] })),
    'loginMethods.0.tenantIds',
    {
      updates: [{ userId: heldId(1), email: 'a@x.com', isVerified: 't' }],
      identities: [{ tenantNo: '2', kind: '1', key: identityKey('a@x.com'), userId: heldId(1) }],
    },
  ],
  [
    'the email of a social login method',
    user(undefined, social('g', { email: 'new@x.com' })),
    'loginMethods.0.email',
    { updates: [{ userId: heldId(2), email: 'new@x.com', isVerified: 'f', thirdPartyUserId: 'g' }] },
  ],
  [
    'a phone number',
    user(undefined, passwordless({ email: 'p@x.com', phoneNumber: '+4915187654321' })),
    'loginMethods.0.phoneNumber',
    {
      updates: [{ userId: heldId(3), email: 'p@x.com', phone: '+4915187654321' }],
      identities: [{ tenantNo: '0', kind: '4', key: identityKey('+4915187654321'), userId: heldId(3) }],
      removedIdentities: [
        { tenantNo: '0', kind: '4', key: identityKey('+4915112345678'), userId: heldId(3) },
      ],
    },
  ],
  [
    'metadata',
    { ...user('x', password('a@x.com')), userMetadata: { a: 2 } },
    'userMetadata',
    {
      details: [
        {
          userId: heldId(1),
          metadata: '{"a":2}',
          roles: JSON.stringify(full.held[0]?.roles),
          totpDevices: JSON.stringify(full.held[0]?.totpDevices),
          restrictions: JSON.stringify(full.held[0]?.restrictions),
        },
      ],
    },
  ],
  [
    'a role',
    { ...user('x', password('a@x.com')), userRoles: [{ role: 'r2' }] },
    'userRoles',
    {
      details: [
        {
          userId: heldId(1),
          metadata: JSON.stringify(full.held[0]?.metadata),
          roles: '[{"role":"r2"}]',
          totpDevices: JSON.stringify(full.held[0]?.totpDevices),
          restrictions: JSON.stringify(full.held[0]?.restrictions),
        },
      ],
    },
  ],
  [
    'a device',
    { ...user('x', password('a@x.com')), totpDevices: [{ secretKey: 'GEZDGNBV' }] },
    'totpDevices',
    {
      details: [
        {
          userId: heldId(1),
          totpDevices: '[{"secretKey":"GEZDGNBV"}]',
          restrictions: '{"stated":{"isHeld":false,"secondFactors":["totp"]}}',
        },
      ],
    },
  ],
  [
    'one more login method',
    user('x', password('a@x.com', { isPrimary: true }), social('h', { isVerified: true })),
    'loginMethods.1.thirdPartyUserId',
    {
      users: [{ primaryUserId: heldId(1), recipe: '2', isVerified: 't', thirdPartyUserId: 'h' }],
      identities: [{ tenantNo: '0', kind: '2', key: thirdPartyKey('google', 'h') }],
    },
  ],
  [
    'a separate user who is missing',
    user('x', password('a@x.com'), password('n@x.com')),
    'loginMethods',
    { users: [{ recipe: '1', email: 'n@x.com' }], identities: [{ kind: '1', key: identityKey('n@x.com') }] },
  ],
];

describe('a record that differs in', () => {
  describe.each(differences)('%s', (name, record, field, written) => {
    const held = name.includes('password') ? statedHeld : full.held;
    it('is updated, and claims its keys', () => {
      const decided = new World(held).decide([record]);
      expect(outcome(decided)).toEqual({ updated: 1 });
      const changes = changesOf(decided);
      // A user whose base alone changes is not written otherwise.
      expect(changes).toMatchObject({ ...nothing, updates: expect.any(Array) as unknown, ...written });
      expect(withoutLines(decided)).toEqual(claimsOf(record));
      expect(decided.movesKeys).toBe(changes.removedIdentities.length > 0);
    });

    it('is skipped, and claims its keys', () => {
      const decided = new World(held).decide([record], { onConflict: 'skip' });
      expect([outcome(decided), changesOf(decided)]).toEqual([{ skipped: 1 }, nothing]);
      expect(withoutLines(decided)).toEqual(claimsOf(record));
    });

    it('is rejected with the field, and claims its keys', () => {
      const decided = new World(held).decide([record], { onConflict: 'reject' });
      expect([reasons(decided), changesOf(decided)]).toEqual([[['ALREADY_EXISTS', field]], nothing]);
      expect(withoutLines(decided)).toEqual(claimsOf(record));
    });

    it('is unchanged once it was updated, unless the password is plain text', () => {
      const world = new World(held);
      world.import([record]);
      world.endJob();
      const isPlain = record.loginMethods.some((method) => 'plainTextPassword' in method);
      const again = isPlain ? user('x', password('a@x.com', { passwordHash: madeHash })) : record;
      expect(world.import([again], { onConflict: 'reject' }).map(outcome)).toEqual([{ unchanged: 1 }]);
    });
  });
});

describe('a passwordless email and phone number of two login methods', () => {
  it('get a tenant each where they are', () => {
    const held = linked(
      1,
      heldMethod(1, { recipe: 3, email: 'p@x.com' }),
      heldMethod(2, { recipe: 3, phone: '+4915112345678' }),
    );
    const tenantIds = ['public', 'acme'];
    const record = user(
      undefined,
      passwordless({ email: 'p@x.com', phoneNumber: '+4915112345678', tenantIds }),
    );
    const decided = new World(held).decide([record]);
    const { identities, updates } = changesOf(decided);
    expect(identities).toEqual([
      { tenantNo: '1', kind: '3', key: identityKey('p@x.com'), userId: heldId(1) },
      { tenantNo: '1', kind: '4', key: identityKey('+4915112345678'), userId: heldId(2) },
    ]);
    expect(updates.map(({ email, phone }) => [email, phone])).toEqual([
      ['p@x.com', undefined],
      [undefined, '+4915112345678'],
    ]);
  });
});

describe('details', () => {
  const json: [unknown, unknown, boolean][] = [
    [{ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1, b: 2 }, { a: 1 }, false],
    [{ a: undefined }, { b: undefined }, false],
    [JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}'), true],
    [JSON.parse('{"__proto__":{}}'), {}, false],
    [{ constructor: 1 }, { b: 1 }, false],
    [[1, 2], [2, 1], false],
    [[1], [1, 1], false],
    [[], {}, false],
    [{}, [], false],
    [{}, null, false],
    [null, {}, false],
    [0, -0, true],
    ['1', 1, false],
  ];
  it.each(json)('%j and %j are the same JSON: %j', (a, b, isSame) => {
    expect(canonicalJson(a) === canonicalJson(b)).toBe(isSame);
  });

  const roles: [unknown, unknown, boolean][] = [
    [[{ role: 'a' }, { role: 'b' }], [{ role: 'b' }, { role: 'a' }, { role: 'a' }], true],
    [[{ role: 'a', tenantIds: ['x', 'y'] }], [{ tenantIds: ['y', 'x'], role: 'a' }], true],
    [[{ role: 'a', tenantIds: ['x'] }], [{ role: 'a' }], false],
    [[{ role: 'a' }], [{ role: 'a' }, { role: 'b' }], false],
    [[{ role: 'a' }], null, false],
  ];
  it.each(roles)('%j and %j are the same roles: %j', (a, b, isSame) => {
    expect(rolesDigest(a) === rolesDigest(b)).toBe(isSame);
  });
});

describe('an external id', () => {
  it('is adopted by the head of a user who has none', () => {
    const held = linked(1, heldPassword(1, 'a@x.com'), heldSocial(2, 'g'));
    const { updates } = changesOf(new World(held).decide([user('x', social('g'))]));
    expect(updates).toMatchObject([
      { userId: heldId(1), primaryUserId: heldId(1), externalId: 'x', passwordHash: knownHash },
      { userId: heldId(2), primaryUserId: heldId(1), thirdPartyUserId: 'g' },
    ]);
    const rejected = new World(held).decide([user('x', social('g'))], { onConflict: 'reject' });
    expect(reasons(rejected)).toEqual([['ALREADY_EXISTS', 'externalUserId']]);
  });

  it('leads to the user of whichever login method has it', () => {
    const held = linked(1, heldPassword(1, 'a@x.com'), heldSocial(2, 'g', { externalId: 'x' }));
    expect(outcome(new World(held).decide([user('x', password('a@x.com'))]))).toEqual({ unchanged: 1 });
  });
});

describe('an external id of another user', () => {
  const phone = '+4915112345678';
  const held = linked(
    1,
    heldPassword(1, 'a@x.com', { externalId: 'x' }),
    heldSocial(2, 'g', { email: 'social@x.com' }),
    heldMethod(3, { recipe: 3, phone }),
  );
  const strangers: [string, HeldMethod[], NativeUser][] = [
    ['another email and hash', held, user('x', password('b@x.com', { passwordHash: otherHash }))],
    ['another account at the provider', held, user('x', social('other', { email: 'b@x.com' }))],
    ['the same account number at another provider', held, user('x', social('g', { thirdPartyId: 'apple' }))],
    ['another phone number', held, user('x', passwordless({ phoneNumber: '+4915187654321' }))],
    [
      'several identities, none of them known',
      held,
      user('x', password('b@x.com', { passwordHash: otherHash, isPrimary: true }), social('h')),
    ],
    [
      'another tenant',
      [heldSocial(1, 'g', { externalId: 'x', tenants: [1] })],
      user('x', password('b@x.com', { tenantIds: ['globex'] })),
    ],
    [
      'an unsalted hash that both have',
      [
        heldPassword(1, 'a@x.com', {
          externalId: 'x',
          passwordHash: '$carryover$md5$5f4dcc3b5aa765d61d8327deb882cf99',
        }),
      ],
      user(
        'x',
        password('b@x.com', { passwordHash: '5f4dcc3b5aa765d61d8327deb882cf99', hashingAlgorithm: 'md5' }),
      ),
    ],
  ];
  it.each(strangers)('is refused, whatever becomes of users who differ: %s', (_, methods, record) => {
    for (const onConflict of ['update', 'skip', 'reject'] as const) {
      const decided = new World(methods).decide([record], { onConflict });
      expect(reasons(decided)).toEqual([['DIFFERENT_PERSON', 'externalUserId']]);
      expect(decided.rejects[0]?.message).toMatch(/--id-prefix.*--same-ids/);
      expect(changesOf(decided)).toEqual(nothing);
    }
  });

  it.each(strangers)('is taken where the ids are said to be the same: %s', (_, methods, record) => {
    expect(outcome(new World(methods).decide([record], { sameIds: true }))).toEqual({ updated: 1 });
    const itself = { ...record, sameIds: true };
    expect(outcome(new World(methods).decide([itself]))).toEqual({ updated: 1 });
  });

  const known: [string, NativeUser][] = [
    [
      'an email in other letters, in another tenant',
      user('x', password('A@X.com', { tenantIds: ['globex'] })),
    ],
    ['the email of a login method of another kind', user('x', passwordless({ email: 'social@x.com' }))],
    [
      'the phone number',
      user(
        'x',
        password('b@x.com', { passwordHash: otherHash, isPrimary: true }),
        passwordless({ phoneNumber: phone }),
      ),
    ],
    ['the account at the provider, in another tenant', user('x', social('g', { tenantIds: ['globex'] }))],
    ['a salted hash', user('x', password('new@x.com'))],
  ].map(([what, record]) => [what as string, { ...(record as NativeUser) }]);
  it.each(known)('is that of the same person by %s', (_, record) => {
    const codes = reasons(new World(held).decide([record])).map(([code]) => code);
    expect(codes).not.toContain('DIFFERENT_PERSON');
  });

  it('is that of the same person by the hash that a sign-in has replaced', () => {
    const upgraded = { passwordHash: otherHash, upgradedFrom: hashMark(knownHash) };
    const world = new World([heldPassword(1, 'old@x.com', { externalId: 'x', ...upgraded })]);
    expect(outcome(world.decide([user('x', password('new@x.com'))]))).toEqual({ updated: 1 });
  });
});

describe('being primary', () => {
  it('is a fact that is written', () => {
    const world = new World([heldPassword(1, 'a@x.com')]);
    const record = user(undefined, password('a@x.com', { isPrimary: true }));
    const decided = world.decide([record]);
    expect(changesOf(decided).updates).toMatchObject([{ userId: heldId(1), primaryUserId: heldId(1) }]);
    expect(reasons(world.decide([record], { onConflict: 'reject' }))).toEqual([
      ['ALREADY_EXISTS', 'loginMethods.0.isPrimary'],
    ]);
  });

  it('comes with a further login method', () => {
    const world = new World([heldPassword(1, 'a@x.com', { externalId: 'x' })]);
    const { users, updates } = changesOf(
      world.decide([user('x', social('g', { timeJoinedInMSSinceEpoch: 5 }))], { sameIds: true }),
    );
    expect(users).toMatchObject([{ primaryUserId: heldId(1), thirdPartyUserId: 'g', timeJoined: '5' }]);
    expect(users[0]).not.toHaveProperty('externalId');
    expect(updates).toMatchObject([{ userId: heldId(1), primaryUserId: heldId(1), externalId: 'x' }]);
  });
});

describe('a new email, phone number or provider identity', () => {
  interface Move {
    readonly update: object;
    readonly kind: number;
    readonly former: string;
    readonly next: string;
  }
  const ofEmail = { kind: 1, former: identityKey('old@x.com'), next: identityKey('new@x.com') };
  const moves: [string, HeldMethod, NativeLoginMethod, Move][] = [
    [
      'email',
      heldPassword(1, 'old@x.com', { externalId: 'x', isVerified: true }),
      password('new@x.com'),
      {
        update: { email: 'new@x.com', isVerified: 'f', passwordHash: knownHash, externalId: 'x' },
        ...ofEmail,
      },
    ],
    [
      'email with another hash, verified',
      heldPassword(1, 'old@x.com', { externalId: 'x' }),
      password('new@x.com', { passwordHash: otherHash, isVerified: true }),
      { update: { email: 'new@x.com', isVerified: 't', passwordHash: otherHash }, ...ofEmail },
    ],
    [
      'provider identity at the same provider',
      heldSocial(1, 'old', { externalId: 'x', isVerified: true }),
      social('new'),
      {
        update: { thirdPartyUserId: 'new', isVerified: 't', email: 's@x.com' },
        kind: 2,
        former: thirdPartyKey('google', 'old'),
        next: thirdPartyKey('google', 'new'),
      },
    ],
    [
      'phone number',
      heldMethod(1, { recipe: 3, phone: '+4915112345678', externalId: 'x' }),
      passwordless({ phoneNumber: '+4915187654321' }),
      {
        update: { phone: '+4915187654321' },
        kind: 4,
        former: identityKey('+4915112345678'),
        next: identityKey('+4915187654321'),
      },
    ],
  ];
  it.each(moves)('moves the one login method of its kind: %s', (_, held, method, move) => {
    const decided = new World([held]).decide([user('x', method)], { sameIds: true });
    const identity = { tenantNo: '0', kind: String(move.kind), userId: heldId(1) };
    const { users, updates, identities, removedIdentities } = changesOf(decided);
    expect(users).toEqual([]);
    expect(updates).toMatchObject([{ userId: heldId(1), ...move.update }]);
    expect(identities).toEqual([{ ...identity, key: move.next }]);
    expect(removedIdentities).toEqual([{ ...identity, key: move.former }]);
    expect(decided.movesKeys).toBe(true);
  });

  const links: [string, HeldMethod[], NativeUser][] = [
    [
      'the user has two of its kind',
      linked(1, heldPassword(1, 'a@x.com', { externalId: 'x' }), heldPassword(2, 'b@x.com')),
      user('x', password('new@x.com')),
    ],
    [
      'the user has none of its kind',
      [heldSocial(1, 'g', { externalId: 'x' })],
      user('x', password('new@x.com')),
    ],
    [
      'it is at another provider',
      [heldSocial(1, 'g', { externalId: 'x' })],
      user('x', social('g', { thirdPartyId: 'apple' })),
    ],
    [
      'the record has a further login method',
      linked(1, heldPassword(1, 'a@x.com', { externalId: 'x' }), heldSocial(2, 'g')),
      user('x', password('new@x.com', { isPrimary: true }), social('g')),
    ],
  ];
  it.each(links)('is linked as one more login method when %s', (_, held, record) => {
    const decided = new World(held).decide([record], { sameIds: true });
    const { users, removedIdentities } = changesOf(decided);
    expect(users).toMatchObject([{ primaryUserId: heldId(1) }]);
    expect(removedIdentities).toEqual([]);
    expect([outcome(decided), decided.movesKeys]).toEqual([{ updated: 1 }, false]);
  });

  it('is refused while the login method is in tenants that the record does not state', () => {
    const world = new World([heldPassword(1, 'old@x.com', { externalId: 'x', tenants: [0, 1] })]);
    const decided = world.decide([user('x', password('new@x.com'))]);
    expect(reasons(decided)).toEqual([['INVALID_FIELD', 'loginMethods.0.tenantIds']]);
    expect(changesOf(decided)).toEqual(nothing);
    const whole = user('x', password('new@x.com', { tenantIds: ['public', 'acme', 'globex'] }));
    const { identities, removedIdentities } = changesOf(world.decide([whole]));
    expect(identities.map(({ tenantNo }) => tenantNo)).toEqual(['0', '1', '2']);
    expect(removedIdentities.map(({ tenantNo }) => tenantNo)).toEqual(['0', '1']);
  });

  it('is added where there was none', () => {
    const world = new World([heldMethod(1, { recipe: 3, email: 'p@x.com' })]);
    const record = user(undefined, passwordless({ email: 'p@x.com', phoneNumber: '+4915112345678' }));
    const decided = world.decide([record]);
    expect(changesOf(decided)).toMatchObject({
      updates: [{ userId: heldId(1), email: 'p@x.com', phone: '+4915112345678' }],
      removedIdentities: [],
    });
    expect(decided.movesKeys).toBe(false);
  });

  it('does not drive out what another login method of the record states', () => {
    const world = new World([heldMethod(1, { recipe: 3, email: 'p@x.com', phone: '+4915112345678' })]);
    const record = user(
      undefined,
      passwordless({ email: 'p@x.com', phoneNumber: '+4915187654321', isPrimary: true }),
      passwordless({ phoneNumber: '+4915112345678' }),
    );
    expect(reasons(world.decide([record]))).toEqual([['IDENTITY_TAKEN', 'loginMethods.1.phoneNumber']]);
  });
});

describe('records that touch one user', () => {
  const held = (): HeldMethod[] => [
    ...linked(1, heldPassword(1, 'a@x.com', { externalId: 'x' }), heldSocial(2, 'g')),
    heldPassword(3, 'b@x.com'),
  ];

  it('wait for an earlier one that changes it, and are decided as it left the user', () => {
    const world = new World(held());
    const rounds = world.import([
      user('x', password('a@x.com', { passwordHash: otherHash })),
      user(undefined, social('g', { isVerified: true })),
      user(undefined, password('b@x.com')),
    ]);
    expect(rounds.map(outcome)).toEqual([{ updated: 1, unchanged: 1, deferred: 1 }, { updated: 1 }]);
    expect(rounds.map(({ deferred }) => deferred)).toEqual([[1], []]);
    expect(world.methods.get(heldId(1))?.passwordHash).toBe(otherHash);
    expect(world.methods.get(heldId(2))?.isVerified).toBe(true);
  });

  it('do not wait for one that changes nothing', () => {
    const world = new World(held());
    world.import([user('x', password('a@x.com'))]);
    world.endJob();
    const decided = world.decide([
      user('x', password('a@x.com')),
      user(undefined, social('g', { isVerified: true })),
    ]);
    expect(outcome(decided)).toEqual({ unchanged: 1, updated: 1 });
  });

  it('wait for one that waits, whichever users that touches', () => {
    const decided = new World(held()).decide([
      user('x', password('a@x.com', { passwordHash: otherHash })),
      user(undefined, social('g'), password('b@x.com', { isVerified: true })),
      user('y', { ...password('b@x.com', { tenantIds: ['acme'] }) }, password('b@x.com')),
      user(undefined, password('n@x.com')),
    ]);
    expect([decided.deferred, outcome(decided)]).toEqual([[1, 2], { updated: 1, created: 1, deferred: 2 }]);
  });

  it('take an email that an earlier one has left', () => {
    const world = new World(held());
    const records = [user('x', password('new@x.com')), user('z', password('a@x.com'))];
    expect(world.import(records).map(outcome)).toEqual([{ updated: 1, deferred: 1 }, { created: 1 }]);
  });
});

describe('the order of lines', () => {
  const held = (unchangedAtLine: number | null): HeldMethod[] =>
    linked(1, heldPassword(1, 'a@x.com', { externalId: 'x' }), heldSocial(2, 'g', { unchangedAtLine }));
  const changing = user('x', password('a@x.com', { passwordHash: otherHash }));

  it('is broken when a later line was compared with a user that this one changes', () => {
    expect(new World(held(8)).decide([changing], {}, 7).isOutOfOrder).toBe(true);
  });

  it.each([
    ['an earlier line was', held(6), changing, {}],
    ['nothing was', held(null), changing, {}],
    ['this one is skipped', held(8), changing, { onConflict: 'skip' as const }],
  ])('is kept when %s', (_, methods, record, rules) => {
    expect(new World(methods).decide([record], rules, 7).isOutOfOrder).toBe(false);
  });

  it('is kept when this one changes nothing', () => {
    const record = user('x', password('a@x.com'));
    const world = new World(held(8));
    world.import([record]);
    world.endJob();
    expect(world.decide([record], {}, 7).isOutOfOrder).toBe(false);
  });
});

describe('plain-text passwords', () => {
  const record = user(undefined, {
    recipeId: 'emailpassword',
    email: 'a@x.com',
    plainTextPassword: 'secret-password',
  });

  it('are stored as the hash that was made of them, and counted by its kind', () => {
    const decided = new World().decide([record]);
    expect([changesOf(decided).users[0]?.passwordHash, decided.byKind]).toEqual([madeHash, { argon2: 1 }]);
    expect(JSON.stringify(decided)).not.toContain('secret-password');
  });

  it('must have been hashed', () => {
    const { hashes, ...without } = single(record, 0, 1);
    expect(hashes).toEqual({ 0: madeHash });
    expect(() => new World().decideSingles([without], rulesOf())).toThrow('was not hashed');
  });
});

describe('a record that is not valid any more', () => {
  it('is one reject and claims nothing', () => {
    const decided = new World().decide([user('x', password('a@x.com'))], { tenants: {} });
    expect([reasons(decided), decided.claims]).toEqual([
      [['UNKNOWN_TENANT', 'loginMethods.0.tenantIds']],
      [],
    ]);
  });
});

describe('what is written', () => {
  it('stands in the order of its keys', () => {
    const emails = ['d', 'a', 'c', 'b'].map((name) => `${name}@x.com`);
    const held = emails.map((email, i) => heldPassword(9 - i, email));
    const records = [
      ...emails.map((email) => user(undefined, password(email, { tenantIds: ['acme', 'public', 'globex'] }))),
      user(undefined, social('g')),
    ];
    const { updates, identities } = changesOf(new World(held).decide(records));
    expect(updates.map(({ userId }) => userId)).toEqual([6, 7, 8, 9].map(heldId));
    const places = identities.map(({ kind, key, tenantNo }) => `${kind} ${key} ${tenantNo}`);
    expect(places).toEqual(places.toSorted());
    expect(places).toHaveLength(9);
  });

  it('has no hash in any message', () => {
    const world = new World(full.held);
    const messages = differences.flatMap(
      ([, record]) => world.decide([record], { onConflict: 'reject' }).rejects,
    );
    expect(JSON.stringify(messages)).not.toMatch(/\$2b\$|\$argon2|secret/);
  });
});
