/**
 * What a named key may be for. A caller that needs two lists both; only `import` opens all that `import:new` opens, of
 * which it is the part that cannot reach a user who exists.
 */
export const keyScopes = ['sign-in', 'read', 'import', 'import:new', 'export', 'admin', 'metrics'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** What something asks of a key: one of these scopes, or no more than that it is a key of the core. */
export type Needs = readonly KeyScope[] | 'any';

/** The holder of a key. */
export interface KeyHolder {
  /** As reports and refusals say it. */
  readonly name: string;
  readonly scopes: ReadonlySet<KeyScope> | 'all';
}

/** Callers of a core that asks for no key. The name stays, because audit logs have it. */
export const withoutKey: KeyHolder = { name: 'anybody', scopes: 'all' };

/** The holder of the keys of `api_keys`: reports distinguish them from named ones, and not from each other. */
export const unnamed: KeyHolder = { name: 'api_keys', scopes: 'all' };

/** Names that no key may have: the audit log has others by them. */
export const reservedNames: readonly string[] = [withoutKey.name, unnamed.name, 'core', 'unknown'];

/** Whether a key of this holder opens what needs this. */
export function allows({ scopes }: KeyHolder, needs: Needs): boolean {
  return scopes === 'all' || needs === 'any' || needs.some((scope) => scopes.has(scope));
}

/**
 * The refusal of a valid key that does not open the route.
 * @param needs what would open it
 * @param what the part of the request that needs it, where its rest does not
 */
export function lackOf({ name }: KeyHolder, needs: readonly KeyScope[], what?: string): string {
  const scopes = needs.map((scope) => `'${scope}'`).join(', ');
  const missing = needs.length > 1 ? `one of the scopes ${scopes}` : `the scope ${scopes}`;
  const part = what === undefined ? '' : `, which ${what} needs`;
  return `The key '${name}' lacks ${missing}${part}: add it to the key in 'named_keys', or use a key that has it`;
}
