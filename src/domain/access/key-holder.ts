/**
 * Scopes of a named key. A caller that needs two lists both; only `import` includes another: `import:new`, its part that cannot
 * change an existing user.
 */
export const keyScopes = [
  'sign-in',
  'read',
  'import',
  'import:new',
  'export',
  'move',
  'admin',
  'metrics',
] as const;
export type KeyScope = (typeof keyScopes)[number];

/** Scopes of which one suffices; `any` accepts every key of the core. */
export type Needs = readonly KeyScope[] | 'any';

export interface KeyHolder {
  /** As reports and refusals show it. */
  readonly name: string;
  readonly scopes: ReadonlySet<KeyScope> | 'all';
}

/** Callers of a core without keys. Audit logs contain the name, so it stays. */
export const withoutKey: KeyHolder = { name: 'anybody', scopes: 'all' };

/** The holder of every key in `api_keys`: distinct from named keys, but not from each other. */
export const unnamed: KeyHolder = { name: 'api_keys', scopes: 'all' };

/** Names that no key may have, because the audit log uses them. */
export const reservedNames: readonly string[] = [withoutKey.name, unnamed.name, 'core', 'unknown'];

export function allows({ scopes }: KeyHolder, needs: Needs): boolean {
  return scopes === 'all' || needs === 'any' || needs.some((scope) => scopes.has(scope));
}

/**
 * The refusal of a valid key that lacks the scope.
 * @param needs scopes of which one would suffice
 * @param what the part of the request that needs it, if the rest does not
 */
export function lackOf({ name }: KeyHolder, needs: readonly KeyScope[], what?: string): string {
  const scopes = needs.map((scope) => `'${scope}'`).join(', ');
  const missing = needs.length > 1 ? `one of the scopes ${scopes}` : `the scope ${scopes}`;
  const part = what === undefined ? '' : `, which ${what} needs`;
  return `The key '${name}' lacks ${missing}${part}: add it to the key in 'named_keys', or use a key that has it`;
}
