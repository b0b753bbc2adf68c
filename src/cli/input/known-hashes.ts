/** Looks up in a file of users, converted as it is read, which hashes some emails have. */

import { Writable } from 'node:stream';
import { hashKindNamed } from '../../hashes/registry.ts';
import { storedKind } from '../../hashes/recognise.ts';
import { withSource } from './with-source.ts';
import type { Input } from './input.ts';
import { linesOf } from './lines.ts';
import { lineBytesLimit } from '../../domain/line-limit.ts';
import type { UploadSource } from './source.ts';
import type { Surroundings } from '../surroundings.ts';

export interface FoundHash {
  readonly passwordHash: string;
  readonly hashingAlgorithm: string | undefined;
}

export interface FoundHashes {
  /** By email; undefined: the user is there, and has no password hash. */
  readonly hashes: ReadonlyMap<string, FoundHash | undefined>;
  /** Kinds of all hashes in the part that was read: up to the last email that was sought. */
  readonly kinds: ReadonlySet<string>;
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads until every email was met. @param emails trimmed and in lower case */
export async function findHashes(
  input: Input,
  emails: ReadonlySet<string>,
  { interrupt }: Pick<Surroundings, 'interrupt'>,
): Promise<FoundHashes> {
  // What conversion has to say it says when the file is imported.
  const stderr = new Writable({
    write(_chunk, _encoding, done) {
      done();
    },
  });
  const onRejects = (): Promise<void> => Promise.resolve();
  return withSource(input, { onRejects, stderr }, (source) => search(source, emails, interrupt));
}

async function search(
  source: UploadSource,
  emails: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<FoundHashes> {
  const hashes = new Map<string, FoundHash | undefined>();
  const kinds = new Set<string>();
  let left = emails.size;
  for await (const line of linesOf(source.open(0, signal))) {
    for (const method of methodsOf(line)) {
      const found = hashOf(method);
      if (found !== undefined) kinds.add(kindOf(found));
      const email = typeof method.email === 'string' ? method.email.trim().toLowerCase() : '';
      if (!emails.has(email) || hashes.get(email) !== undefined) continue;
      hashes.set(email, found);
      if (found !== undefined) left -= 1;
    }
    if (left === 0) break;
  }
  return { hashes, kinds };
}

/** Login methods with a password. What is no record has none: the core says what is wrong with it. */
function methodsOf(line: Uint8Array): Fields[] {
  if (line.length === 0 || line.length > lineBytesLimit) return [];
  const record = parsed(Buffer.from(line).toString('utf8'));
  const methods: unknown = isObject(record) ? record.loginMethods : undefined;
  if (!Array.isArray(methods)) return [];
  return methods.filter(isObject).filter(({ recipeId }) => recipeId === 'emailpassword');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function hashOf({ passwordHash, hashingAlgorithm }: Fields): FoundHash | undefined {
  if (typeof passwordHash !== 'string' || passwordHash === '') return undefined;
  return {
    passwordHash,
    hashingAlgorithm: typeof hashingAlgorithm === 'string' ? hashingAlgorithm : undefined,
  };
}

/** The kind that a hash says or that is said of it. */
export function kindOf({ passwordHash, hashingAlgorithm }: FoundHash): string {
  const named = hashingAlgorithm === undefined ? undefined : hashKindNamed(hashingAlgorithm);
  return storedKind(passwordHash) ?? named ?? 'unknown';
}
