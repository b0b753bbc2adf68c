/** Words that open an endpoint's path, and so can never be the name of a tenant. */
export const reservedWords = [
  'recipe',
  'config',
  'users',
  'user',
  'hello',
  'apiversion',
  'bulk-import',
  'bulk-export',
  '.well-known',
  'metrics',
  'health',
  'livez',
  'readyz',
  'docs',
  'hooks',
] as const;

/** What an app or a tenant may be called, after lower-casing. */
export const namePattern = '^[a-z0-9-]{1,64}$';

/** The same for a tenant that is to be made: one that a path could never reach is refused. */
export const tenantNamePattern = `^(?!appid-)(?!(?:${reservedWords.join('|').replaceAll('.', '\\.')})$)${namePattern.slice(1)}`;
