/** A password that is set here while a move leads is hashed once more as the old system does, so that it can be written back. */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { hashLimitsBy } from '../../config/tenant-settings.ts';
import { workOf } from '../../hashes/assess.ts';
import { parseStoredHash } from '../../hashes/recognise.ts';
import type { NewHash } from '../feature.ts';
import type { MoveContext } from './context.ts';
import type { Move } from './model.ts';
import { knownAfterMs } from './store/hash-rules.ts';

interface OwnHashes {
  /** Hashes that its own code makes, as they are stored here. */
  readonly own: RegExp;
  /** For a system without a hash here. */
  readonly usual: string;
}

/** Systems to which changes are written back, by the names of their providers. */
export const ownHashes: ReadonlyMap<string, OwnHashes> = new Map([
  ['laravel', { own: /^\$(?:2[aby]|argon2id?)\$/, usual: `$2y$12$abcdefghijklmnopqrstuu${'C'.repeat(31)}` }],
  [
    'django',
    {
      own: /^(?:(?:pbkdf2_sha256|bcrypt_sha256|scrypt)\$|\$argon2id\$)/,
      usual: `pbkdf2_sha256$600000$${'A'.repeat(22)}$${Buffer.alloc(32).toString('base64')}`,
    },
  ],
  [
    'better-auth',
    {
      own: /^\$(?:carryover\$better_auth|2[aby]|argon2id?)\$/,
      usual: `$carryover$better_auth$${'0123456789abcdef'.repeat(2)}:${'0'.repeat(128)}`,
    },
  ],
  [
    'wordpress',
    {
      own: /^(?:\$password-as\$slashed,trimmed\|trimmed\$)?\$(?:P|wp)\$/,
      // Every version verifies it.
      usual: `$password-as$slashed,trimmed|trimmed$$P$Babcdefgh${'.'.repeat(22)}`,
    },
  ],
]);

/** Clocks of cores do not run at exactly the same rate. */
const clockMarginMs = 100;

/** The hashes were accepted, with the ceilings of their app. */
const noCeilings = hashLimitsBy(() => Number.MAX_SAFE_INTEGER);

/**
 * The hash whose like the old system makes: the most expensive one of the most frequent kind.
 * @param hashes of users, as they are stored @returns undefined for a system whose hashes are not made here
 */
export function likeOf(system: string, hashes: readonly string[]): string | undefined {
  const known = ownHashes.get(system);
  if (known === undefined) return undefined;
  const { own, usual } = known;
  const parsed = hashes
    .filter((hash) => own.test(hash))
    .flatMap((hash) => {
      const result = parseStoredHash(hash, noCeilings);
      return result.ok ? [{ hash, kind: result.parsed.kind, work: workOf(result.parsed) }] : [];
    });
  const counts = Map.groupBy(parsed, ({ kind }) => kind);
  const [most = []] = [...counts.values()].toSorted((a, b) => b.length - a.length);
  return most.toSorted((a, b) => b.work - a.work)[0]?.hash ?? usual;
}

/**
 * Before a step into leading: the old system may have another cost by now than at the last one.
 * @returns once every core obeys the rule, so no password that is set after the step is without a second hash
 */
export async function setHashRule(
  { stores: { passwords, hashRules }, hasher }: MoveContext,
  appNo: number,
  { moveNo, source, stage }: Pick<Move, 'moveNo' | 'source' | 'stage'>,
): Promise<void> {
  const like = likeOf(source.system, await passwords.newest(appNo));
  // Of a random text: a user's hash is in no other table.
  const model = like && (await hasher.hashLike(randomBytes(16).toString('hex'), like, { party: appNo }));
  await hashRules.set(appNo, moveNo, model);
  if (stage !== 'leading') await delay(knownAfterMs + clockMarginMs);
}

/** Stored before the user has the password, so none is without. Costs nothing for an app without a move that leads. */
export async function addSecondHash(
  { stores: { passwords, hashRules }, hasher }: MoveContext,
  { appNo, password, hash, behalf }: NewHash,
): Promise<void> {
  const rule = await hashRules.find(appNo);
  if (rule?.model === undefined) return;
  const second = await hasher.hashLike(password, rule.model, behalf);
  await passwords.add(appNo, rule.moveNo, { hash: await hash, second });
}
