import { pbkdf2Sync, timingSafeEqual } from 'node:crypto';
import type { ParsedPbkdf2 } from '../kinds/pbkdf2.ts';

/** Whether `password` has this hash. Blocks for all iterations; the comparison takes constant time. */
export function verifyPbkdf2(
  parsed: ParsedPbkdf2<'pbkdf2' | 'pbkdf2_kratos' | 'aspnet'>,
  password: Buffer,
): boolean {
  return parsed.key.length > 0 && timingSafeEqual(pbkdf2Key(parsed, password), parsed.key);
}

/** The key of `password` with the parameters and the salt of a hash, as long as its key. */
export function pbkdf2Key(
  { digest, iterations, salt, key }: ParsedPbkdf2<'pbkdf2' | 'pbkdf2_kratos' | 'aspnet'>,
  password: Buffer,
): Buffer {
  return pbkdf2Sync(password, salt, iterations, key.length, digest);
}
