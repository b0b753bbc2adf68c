import path from 'node:path';

/**
 * The URL of a module of this program that is started as a program or thread: TypeScript in the sources, JavaScript in the built
 * package.
 * @param location relative to the caller, without extension
 * @param caller its import.meta.url
 */
export function ownModule(location: string, caller: string): URL {
  return new URL(location + path.extname(caller), caller);
}
