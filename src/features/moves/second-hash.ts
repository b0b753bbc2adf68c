/** A password that is set here while a move leads is hashed once more as the old system does, so that it can be written back. */
import { randomBytes } from 'node:crypto';
import { hashLimitsBy } from '../../config/tenant-settings.ts';
import { workOf } from '../../hashes/assess.ts';
import { parseStoredHash } from '../../hashes/recognise.ts';
import type { NewHash } from '../feature.ts';
import type { MoveContext } from './context.ts';

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
]);

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

/** Before a step into leading: the old system may have another cost by now than at the last one. */
export async function chooseSecondHash(
  { stores: { passwords, moves }, hasher }: MoveContext,
  appNo: number,
): Promise<void> {
  const move = await moves.current(appNo);
  if (move === undefined) return;
  const like = likeOf(move.source.system, await passwords.newest(appNo));
  if (like === undefined) return;
  // Of a random text: a user's hash is in no other table.
  const model = await hasher.hashLike(randomBytes(16).toString('hex'), like, { party: appNo });
  await passwords.choose(appNo, move.moveNo, model);
}

/** Stored before the user has the password, so none is without. Costs nothing for an app without a move that leads. */
export async function addSecondHash(
  { stores: { passwords }, leading, hasher }: MoveContext,
  { appNo, password, hash, behalf }: NewHash,
): Promise<void> {
  const move = await leading.current(appNo);
  if (move?.model === undefined) return;
  const second = await hasher.hashLike(password, move.model, behalf);
  await passwords.add(appNo, move.moveNo, { hash: await hash, second });
}
