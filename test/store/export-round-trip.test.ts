/** An export can be imported: the result is the same users. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import { parseRecord } from '../../src/imports/record/parse-record.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { exportOperations } from '../../src/operations/export.ts';
import type { OperationsContext } from '../../src/operations/context.ts';
import { parseHash, storedForm } from '../../src/hashes/recognise.ts';
import { hashKindNamed } from '../../src/hashes/registry.ts';
import type { HashKindName } from '../../src/hashes/registry.ts';
import { defaultLimits } from '../helpers/hash-limits.ts';
import { sealedFactors, testSealer } from '../helpers/imports.ts';
import { knownHash } from '../helpers/people.ts';
import {
  alsoIn,
  link,
  useStore,
  passwordUser,
  putDetails,
  putPasswordless,
  thirdPartyUser,
} from '../helpers/store.ts';
import type { TestStore } from '../helpers/store.ts';
import { readVectors } from '../helpers/vectors.ts';

let store: TestStore;
let tenant: Tenant;

useStore((opened, app) => {
  [store, tenant] = [opened, app];
});

async function exported(): Promise<NativeUser[]> {
  // Only this part of the context is used.
  const context = {
    stores: store,
    now: Date.now,
    sealer: testSealer,
    allowHashExport: true,
  } as unknown as OperationsContext;
  const users: NativeUser[] = [];
  for await (const text of exportOperations(context).users(tenant))
    users.push(
      ...text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as NativeUser),
    );
  return users;
}

async function putPassword(email: string, passwordHash: string) {
  const user = passwordUser(tenant, email, { passwordHash });
  await store.users.putPasswordUser(user);
  return user;
}

const pepper = Buffer.from('pepper');
const pepperedHash = `$carryover$bcrypt_peppered$${knownHash}`;
/** The kind that an import of each vector names, if the hash does not show it. */
const namedKind = (kind: string): HashKindName | undefined =>
  hashKindNamed(kind) ?? (kind.startsWith('firebase') ? 'provider_scrypt' : undefined);

it('is accepted by an import, which makes the same user of it', async () => {
  const signerKey = Buffer.alloc(64, 1);
  const other = await store.newTenant(tenant);
  const rules = {
    tenants: { public: 0, [other.tenantId]: other.tenantNo },
    limits: defaultLimits,
    signerKey,
    pepper,
    allowPlainText: false,
    onConflict: 'update',
    dryRun: false,
    secondFactor: 'flag',
    now: Date.UTC(2027, 0, 1),
  } as const;
  const head = await putPassword('head@b.test', pepperedHash);
  const less = await putPasswordless(store.sql, tenant, { email: 'c@b.test', phone: '+4912345' });
  const member = thirdPartyUser(tenant, 'm', { isVerified: true });
  await store.users.putThirdPartyUser(member);
  await link(store.sql, tenant, [head.userId, member.userId, less]);
  await alsoIn(store.sql, other, member.userId);
  await store.mappings.map(tenant.appNo, { superTokensUserId: head.userId, externalUserId: 'ext' });
  const details = {
    metadata: { a: { b: [] } },
    roles: [{ role: 'admin', tenantIds: [other.tenantId] }],
    totpDevices: [{ secretKey: 'JBSWY3DPEHPK3PXP' }],
  };
  const totpDevices = sealedFactors(tenant, details.totpDevices);
  await putDetails(store.sql, tenant, head.userId, { ...details, totpDevices });
  const result = parseRecord(JSON.stringify((await exported())[0]), rules);
  expect(result).toMatchObject({
    ok: true,
    record: {
      externalUserId: 'ext',
      ...details,
      methods: [
        {
          recipe: 1,
          email: 'head@b.test',
          isPrimary: true,
          isVerified: false,
          passwordHash: pepperedHash,
          timeJoined: head.timeJoined,
          tenantNos: [0],
        },
        { recipe: 3, email: 'c@b.test', phone: '+4912345', isPrimary: false },
        {
          recipe: 2,
          email: 'm@social.test',
          thirdPartyId: 'google',
          thirdPartyUserId: 'm',
          isPrimary: false,
          isVerified: true,
          timeJoined: member.timeJoined,
          tenantNos: [0, other.tenantNo],
        },
      ],
    },
  });
});

it('names the kind of every hash that can be stored, so that it is stored alike again', async () => {
  const stored = new Set<string>();
  for (const { hash, kind } of readVectors().filter(({ valid }) => valid)) {
    for (const given of [undefined, namedKind(kind.replaceAll('-', '_'))]) {
      const result = parseHash(hash, given, defaultLimits);
      if (result.ok) stored.add(storedForm(hash, result.parsed));
    }
  }
  stored.add(pepperedHash);
  for (const passwordHash of stored) await putPassword(`${randomUUID()}@b.test`, passwordHash);
  const kinds = new Set<string>();
  for (const { loginMethods } of await exported()) {
    const [method] = loginMethods;
    if (method?.recipeId !== 'emailpassword') throw new Error('no password user');
    const { passwordHash = '', hashingAlgorithm = '' } = method;
    const given = hashKindNamed(hashingAlgorithm);
    const result = parseHash(passwordHash, given, defaultLimits);
    expect([given, result.ok && storedForm(passwordHash, result.parsed)]).toEqual([
      hashingAlgorithm,
      passwordHash,
    ]);
    expect(result.ok && result.parsed.kind).toBe(given);
    kinds.add(hashingAlgorithm);
    stored.delete(passwordHash);
  }
  expect([...stored]).toEqual([]);
  expect(kinds.size).toBeGreaterThan(12);
});
