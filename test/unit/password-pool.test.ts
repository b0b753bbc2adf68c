import { getPriority } from 'node:os';
import { describe, expect, it } from 'vitest';
import { hashClass } from '../../src/hashes/assess.ts';
import { parseStoredHash } from '../../src/hashes/recognise.ts';
import { createPasswordPool } from '../../src/threads/password-pool.ts';
import type { PasswordPool, PasswordPoolOptions } from '../../src/threads/password-pool.ts';
import { niceness } from '../../workers/niceness.ts';
import { Gate } from '../helpers/gate.ts';
import { defaultLimits as limits } from '../helpers/hash-limits.ts';
import { readVectors, scryptVariantString } from '../helpers/vectors.ts';

const tellingWorker = new URL('../helpers/password-priority-worker.ts', import.meta.url);
const heldWorker = new URL('../helpers/held-worker.ts', import.meta.url);
const policy = { algorithm: 'ARGON2', memoryKb: 64, iterations: 1, parallelism: 1 } as const;
const bcryptHash = '$2b$04$abcdefghijklmnopqrstuuCi15uRb1eH7NAlJ/TgeJertyknQpYn2';
const noKey = { limits, signerKey: undefined };

/** A scrypt variant hash with the length of a gate and an estimate of 16 MiB. */
const heldHash = `$f_scrypt$${Buffer.alloc(64, 1).toString('base64')}$AAAA$m=14$r=8$s=Bw==`;
const heldBytes = 128 * 8 * (2 ** 14 + 3);

/** Runs `use` with a pool that is closed afterwards. */
async function withPool(options: Partial<PasswordPoolOptions>, use: (pool: PasswordPool) => Promise<void>) {
  const pool = createPasswordPool({
    threads: 2,
    memoryBudgetBytes: 2 ** 30,
    queueLimit: 8,
    policy,
    ...options,
  });
  try {
    await use(pool);
  } finally {
    await pool.close();
  }
}

function classOf(hash: string): unknown {
  const result = parseStoredHash(hash, limits);
  return result.ok && hashClass(result.parsed);
}

async function madeBy(options: Partial<PasswordPoolOptions>): Promise<string> {
  let made = '';
  await withPool(options, async (pool) => {
    made = await pool.hash('another password');
  });
  return made;
}

/** Runs `use` with a pool whose verifications wait at a gate, which is opened afterwards in any case. */
async function withHeldPool(
  options: Partial<PasswordPoolOptions>,
  use: (pool: PasswordPool, gate: Gate, hold: () => Promise<boolean>) => Promise<void>,
) {
  const gate = new Gate();
  await withPool({ workerFile: heldWorker, ...options }, async (pool) => {
    const hold = () => pool.verify('held', heldHash, { limits, signerKey: gate.asSignerKey });
    try {
      await use(pool, gate, hold);
    } finally {
      gate.open();
    }
  });
}

describe('with real threads', () => {
  it('verifies each kind, right and wrong', async () => {
    const vector = readVectors().find(({ id }) => id === '142');
    const signerKey = Buffer.from(vector?.signerKey ?? '', 'base64');
    const variant = vector === undefined ? '' : scryptVariantString(vector);
    await withPool({}, async (pool) => {
      const argon2Hash = await pool.hash('correct horse');
      expect(argon2Hash).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/);
      expect(await pool.verify('correct horse', argon2Hash, noKey)).toBe(true);
      expect(await pool.verify('battery staple', argon2Hash, noKey)).toBe(false);
      expect(await pool.verify('abc', bcryptHash.replace('$2b$', '$2y$'), noKey)).toBe(true);
      expect(await pool.verify('abd', bcryptHash.replace('$2b$', '$2y$'), noKey)).toBe(false);
      expect(await pool.verify('user1password', variant, { limits, signerKey })).toBe(true);
      expect(await pool.verify('user1passworb', variant, { limits, signerKey })).toBe(false);
    });
  });

  it.runIf(process.platform === 'linux')('lets the event loop and the database go first', async () => {
    await withPool({ threads: 1, workerFile: tellingWorker }, async (pool) => {
      const own = getPriority();
      expect(await pool.hash('correct horse')).toBe(String(Math.max(own, niceness.password)));
      expect(getPriority()).toBe(own);
    });
  });

  it('verifies stored strings of kinds without a mark, with the secrets they need', async () => {
    const peppered =
      '$carryover$bcrypt_peppered$$2a$10$ndCGPWg5JFMQH/Kl6xKe.OGNaiG7CFIAVsgAOJU75Q6g5/FpY5eX6';
    const bare = '$carryover$md5$5f4dcc3b5aa765d61d8327deb882cf99';
    const pepper = Buffer.from('abcdefg');
    await withPool({}, async (pool) => {
      expect(await pool.verify('testpassword3', peppered, { ...noKey, pepper })).toBe(true);
      expect(await pool.verify('testpassword4', peppered, { ...noKey, pepper })).toBe(false);
      expect(await pool.verify('testpassword3', peppered, noKey)).toBe(false);
      expect(await pool.verify('password', bare, noKey)).toBe(true);
      expect(await pool.verify('passwore', bare, noKey)).toBe(false);
    });
  });

  it('hashes by a bcrypt policy too', async () => {
    await withPool({ policy: { algorithm: 'BCRYPT', logRounds: 4 } }, async (pool) => {
      const hash = await pool.hash('pässwörd');
      expect(hash).toMatch(/^\$2b\$04\$/);
      expect(await pool.verify('pässwörd', hash, noKey)).toBe(true);
      expect(await pool.verifyDecoy('pässwörd', undefined, noKey)).toBe(false);
    });
  });

  it('hashes like another hash: in its spelling, at its cost, with another salt', async () => {
    const models = [
      bcryptHash.replace('$2b$', '$2y$'),
      `pbkdf2_sha256$1000$${'A'.repeat(22)}$${Buffer.alloc(32).toString('base64')}`,
      await madeBy({}),
      `bcrypt_sha256$${bcryptHash}`,
      `scrypt$2048$saltsaltsalt$8$1$${Buffer.alloc(64, 1).toString('base64')}`,
    ];
    await withPool({}, async (pool) => {
      for (const model of models) {
        const [hash, other] = [
          await pool.hashLike('pässwörd', model, noKey),
          await pool.hashLike('pässwörd', model, noKey),
        ];
        expect([classOf(hash), hash.length]).toEqual([classOf(model), model.length]);
        expect(new Set([hash, other, model]).size).toBe(3);
        expect(await pool.verify('pässwörd', hash, noKey)).toBe(true);
        expect(await pool.verify('passwörd', hash, noKey)).toBe(false);
      }
    });
  });

  it('says no at the price of a verification when a hash cannot be verified', async () => {
    const kinds: string[] = [];
    await withPool({ onTask: (kind) => kinds.push(kind) }, async (pool) => {
      const low = { ...limits, bcryptMaxCost: 3 };
      expect(await pool.verify('abc', bcryptHash, { limits: low, signerKey: undefined })).toBe(false);
      expect(await pool.verify('abc', 'no hash at all', noKey)).toBe(false);
      expect(await pool.verify('abc', heldHash, noKey)).toBe(false);
      for (const decoy of [undefined, 'no hash at all', heldHash])
        expect(await pool.verifyDecoy('abc', decoy, noKey)).toBe(false);
      expect(await pool.verifyDecoy('abc', bcryptHash, { ...noKey, limits: low })).toBe(false);
      expect(kinds).toEqual(Array(7).fill('verify'));
      await pool.hash('abc');
      expect(kinds.at(-1)).toBe('hash');
    });
  });
});

describe('under load', () => {
  it('refuses at once when threads and queue are full, and serves again afterwards', async () => {
    await withHeldPool({ threads: 1, queueLimit: 1 }, async (pool, gate, hold) => {
      const running = hold();
      await gate.arrivals(1);
      const waiting = hold();
      await expect(hold()).rejects.toMatchObject({ code: 'OVERLOADED' });
      await expect(pool.hash('x')).rejects.toMatchObject({ code: 'OVERLOADED' });
      expect(pool.gauges).toEqual({ running: 1, waiting: 1, bytesInFlight: heldBytes, threads: 1 });
      gate.open();
      expect(await Promise.all([running, waiting])).toEqual([true, true]);
      expect(await hold()).toBe(true);
      expect(pool.gauges).toEqual({ running: 0, waiting: 0, bytesInFlight: 0, threads: 1 });
    });
  });

  it('a decoy costs what its hash costs, and is false even when it is right', async () => {
    await withHeldPool({ threads: 2, memoryBudgetBytes: heldBytes }, async (pool, gate, hold) => {
      const decoy = pool.verifyDecoy('held', heldHash, { limits, signerKey: gate.asSignerKey });
      await gate.arrivals(1);
      const real = hold();
      expect(pool.gauges).toEqual({ running: 1, waiting: 1, bytesInFlight: heldBytes, threads: 2 });
      gate.open();
      expect(await Promise.all([decoy, real])).toEqual([false, true]);
    });
  });

  it('keeps to the budget of bytes though threads are free', async () => {
    await withHeldPool({ threads: 2, memoryBudgetBytes: heldBytes * 1.5 }, async (pool, gate, hold) => {
      const tasks = [hold(), hold()];
      await gate.arrivals(1);
      expect(pool.gauges).toEqual({ running: 1, waiting: 1, bytesInFlight: heldBytes, threads: 2 });
      expect(gate.arrived).toBe(1);
      gate.open();
      expect(await Promise.all(tasks)).toEqual([true, true]);
    });
  });

  it('uses all threads within the budget', async () => {
    await withHeldPool({ threads: 2, memoryBudgetBytes: heldBytes * 2 }, async (pool, gate, hold) => {
      const tasks = [hold(), hold(), hold()];
      await gate.arrivals(2);
      expect(pool.gauges).toMatchObject({ running: 2, waiting: 1, bytesInFlight: heldBytes * 2 });
      gate.open();
      await Promise.all(tasks);
    });
  });
});

describe('a thread that dies', () => {
  it('costs its own task only: the pool is whole for the next', async () => {
    await withHeldPool({ threads: 1 }, async (pool) => {
      for (let round = 0; round < 3; round += 1) {
        await expect(pool.hash('exit')).rejects.toThrow('worker exited with code: 7');
        expect(pool.gauges).toMatchObject({ running: 0, bytesInFlight: 0 });
        expect(await pool.hash('x')).toBe('hashed');
      }
    });
  });

  it('fails its own task only, also of those that were handed over with it', async () => {
    await withHeldPool({ threads: 1 }, async (pool, gate, hold) => {
      const held = hold();
      await gate.arrivals(1);
      const before = pool.hash('x');
      const dying = expect(pool.hash('exit')).rejects.toThrow('worker exited with code: 7');
      const throwing = expect(pool.hash('throw')).rejects.toThrow('worker threw');
      const after = pool.hash('y');
      expect(pool.gauges).toMatchObject({ running: 1, waiting: 4 });
      gate.open();
      expect(await Promise.all([held, before, after])).toEqual([true, 'hashed', 'hashed']);
      await Promise.all([dying, throwing]);
    });
  });

  it('leaves tasks in other threads alone', async () => {
    await withHeldPool({ threads: 2 }, async (pool, gate, hold) => {
      const held = hold();
      await gate.arrivals(1);
      await expect(pool.hash('exit')).rejects.toThrow('worker exited');
      const others = [pool.hash('x'), pool.hash('y')];
      expect(await Promise.all(others)).toEqual(['hashed', 'hashed']);
      gate.open();
      expect(await held).toBe(true);
    });
  });

  it('is not needed for an error: what a worker throws rejects its task', async () => {
    await withHeldPool({ threads: 1 }, async (pool) => {
      await expect(pool.hash('throw')).rejects.toThrow('worker threw');
      expect(await pool.hash('x')).toBe('hashed');
    });
  });
});

describe('closing', () => {
  it('finishes what was accepted, refuses what is new', async () => {
    await withHeldPool({ threads: 1 }, async (pool, gate, hold) => {
      const accepted = [hold(), hold()];
      await gate.arrivals(1);
      const closed = pool.close();
      await expect(hold()).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
      await expect(pool.hash('x')).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
      gate.open();
      expect(await Promise.all(accepted)).toEqual([true, true]);
      await closed;
      expect(pool.gauges).toMatchObject({ running: 0, waiting: 0, bytesInFlight: 0 });
    });
  });
});
