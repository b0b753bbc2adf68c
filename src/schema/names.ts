/** First segments of endpoints' paths, which no tenant may have as a name. */
export const reservedWords = [
  'recipe',
  'config',
  'console',
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
  'move',
] as const;

/** Names of apps and tenants, after lower-casing. */
export const namePattern = '^[a-z0-9-]{1,64}$';

/** Names of new tenants: excludes those that no path could reach. */
export const tenantNamePattern = `^(?!appid-)(?!(?:${reservedWords.join('|').replaceAll('.', '\\.')})$)${namePattern.slice(1)}`;
