/** A password that is set here while a move leads is hashed once more as the old system does, so that it can be written back. */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { hashLimitsBy } from '../../config/tenant-settings.ts';
import { workOf } from '../../hashes/assess.ts';
import { parseStoredHash } from '../../hashes/recognise.ts';
import { secretProblem } from '../../hashes/accept.ts';
import type { HashKindName } from '../../hashes/registry.ts';
import type { Tenant } from '../../domain/model.ts';
import type { HashingBehalf, HashSecrets } from '../../operations/ports/passwords.ts';
import type { NewHash } from '../feature.ts';
import type { MoveContext } from './context.ts';
import type { Move } from './model.ts';
import { knownAfterMs } from './store/hash-rules.ts';
import type { NewestHashes } from './store/passwords.ts';

interface OwnHashes {
  /** Hashes that its own code makes, as they are stored here. */
  readonly own: RegExp;
  /** For a system without a hash here. */
  readonly usual: string;
  /** Its code may add a pepper to passwords, of which its imported hashes are marked. */
  readonly maybePeppered?: true;
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
    'devise',
    {
      own: /^\$(?:2[aby]|carryover\$bcrypt_peppered|argon2id?)\$/,
      usual: `$2a$12$abcdefghijklmnopqrstuu${'C'.repeat(31)}`,
      maybePeppered: true,
    },
  ],
  ['supabase', { own: /^\$2[aby]\$/, usual: `$2a$10$abcdefghijklmnopqrstuu${'C'.repeat(31)}` }],
  ['authjs', { own: /^\$(?:2[aby]|argon2id?)\$/, usual: `$2b$12$abcdefghijklmnopqrstuu${'C'.repeat(31)}` }],
  [
    'wordpress',
    {
      own: /^(?:\$password-as\$slashed,trimmed\|trimmed\$)?\$(?:P|wp)\$/,
      // Every version verifies it.
      usual: `$password-as$slashed,trimmed|trimmed$$P$Babcdefgh${'.'.repeat(22)}`,
    },
  ],
  [
    'keycloak',
    {
      own: /^\$(?:argon2(?:id|i|d)\$v=(?:16|19)|pbkdf2-sha(?:1|256|512)\$i=)/,
      // Every version verifies it.
      usual: `$pbkdf2-sha512$i=210000,l=64$c2FsdHNhbHRzYWx0c2FsdA$${'A'.repeat(86)}`,
    },
  ],
  [
    'kratos',
    {
      own: /^\$(?:argon2id?\$v=19|2[aby])\$/,
      // Whichever hasher its configuration names, it verifies it.
      usual: `$2a$12$abcdefghijklmnopqrstuu${'C'.repeat(31)}`,
    },
  ],
]);

/** Hashes of users, as they are stored, and what is known of the old system's. */
export interface KnownHashes extends NewestHashes {
  /** Whether the app has a pepper configured: it may be that of another old system. */
  readonly hasPepper: boolean;
}

/** Clocks of cores do not run at exactly the same rate. */
const clockMarginMs = 100;

/** The hashes were accepted, with the ceilings of their app. */
const noCeilings = hashLimitsBy(() => Number.MAX_SAFE_INTEGER);

/**
 * The hash whose like the old system makes: the most expensive one of the most frequent kind.
 * @returns undefined for a system whose hashes are not made here, and if it is not known whether it adds a pepper
 */
export function likeOf(system: string, { hashes, areImported, hasPepper }: KnownHashes): string | undefined {
  const known = ownHashes.get(system);
  if (known === undefined) return undefined;
  const { own, usual, maybePeppered = false } = known;
  const parsed = hashes
    .filter((hash) => own.test(hash))
    .flatMap((hash) => {
      const result = parseStoredHash(hash, noCeilings);
      return result.ok ? [{ hash, kind: result.parsed.kind, work: workOf(result.parsed) }] : [];
    });
  const counts = Map.groupBy(parsed, ({ kind }) => kind);
  const [most = []] = [...counts.values()].toSorted((a, b) => b.length - a.length);
  const like = most.toSorted((a, b) => b.work - a.work)[0];
  // Without a pepper a core makes such hashes, too.
  if (maybePeppered && hasPepper && !areImported && like?.kind !== peppered) return undefined;
  return like?.hash ?? usual;
}

const peppered: HashKindName = 'bcrypt_peppered';

/**
 * Before a step into leading: the old system may have another cost by now than at the last one.
 * @returns once every core obeys the rule, so no password that is set after the step is without a second hash
 */
export async function setHashRule(
  context: MoveContext,
  { appNo, appId }: Pick<Tenant, 'appNo' | 'appId'>,
  { moveNo, source, stage }: Pick<Move, 'moveNo' | 'source' | 'stage'>,
): Promise<void> {
  const { passwords, hashRules } = context.stores;
  const secrets = await secretsOf(context, appId);
  const hasPepper = secrets.pepper !== undefined;
  const like = likeOf(source.system, { ...(await passwords.newest(appNo)), hasPepper });
  // Of a random text: a user's hash is in no other table.
  const text = randomBytes(16).toString('hex');
  const model = like && (await hashLike(context, text, like, { secrets, behalf: { party: appNo } }));
  await hashRules.set(appNo, moveNo, model);
  if (stage !== 'leading') await delay(knownAfterMs + clockMarginMs);
}

/** Stored before the user has the password, so none is without. Costs nothing for an app without a move that leads. */
export async function addSecondHash(
  context: MoveContext,
  { appNo, password, hash, behalf }: NewHash,
): Promise<void> {
  const { passwords, hashRules } = context.stores;
  const rule = await hashRules.find(appNo);
  if (rule?.model === undefined) return;
  const secrets = await secretsOf(context, rule.appId);
  const second = await hashLike(context, password, rule.model, { secrets, behalf });
  if (second !== undefined) await passwords.add(appNo, rule.moveNo, { hash: await hash, second });
}

/** An old system has one for all its users: the app's, which its tenants may override for others. */
async function secretsOf({ tenants }: MoveContext, appId: string): Promise<HashSecrets> {
  const { signerKey, pepper } = (await tenants.find(appId, 'public'))?.settings ?? {};
  return { signerKey, pepper };
}

/** @returns undefined if the pepper of the model is not configured any more */
async function hashLike(
  { hasher }: MoveContext,
  password: string,
  model: string,
  { secrets, behalf }: { readonly secrets: HashSecrets; readonly behalf: HashingBehalf },
): Promise<string | undefined> {
  const result = parseStoredHash(model, noCeilings);
  if (!result.ok || secretProblem(result.parsed, secrets) !== undefined) return undefined;
  return hasher.hashLike(password, model, secrets, behalf);
}
