/** What a named key may be for. None includes another: who needs two lists both. */
export const keyScopes = ['sign-in', 'read', 'import', 'export', 'admin', 'metrics'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** What something asks of a key: one of these scopes, or no more than that it is a key of the core. */
export type Needs = readonly KeyScope[] | 'any';

/** Whose key it is. */
export interface KeyHolder {
  /** As reports and refusals say it. */
  readonly name: string;
  readonly scopes: ReadonlySet<KeyScope> | 'all';
}

/** Whoever calls a core that asks for no key. */
export const anybody: KeyHolder = { name: 'anybody', scopes: 'all' };

/** What holds the keys of `api_keys`: in reports they are told apart from named ones, and not from each other. */
export const unnamed: KeyHolder = { name: 'api_keys', scopes: 'all' };

/** Names that no key may have: the audit log has others by them. */
export const reservedNames: readonly string[] = [anybody.name, unnamed.name, 'core', 'unknown'];

/** Whether a key of this holder opens what needs this. */
export function allows({ scopes }: KeyHolder, needs: Needs): boolean {
  return scopes === 'all' || needs === 'any' || needs.some((scope) => scopes.has(scope));
}
