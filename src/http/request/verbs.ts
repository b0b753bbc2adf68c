/** Known labels of metrics: clients must not be able to add any. */
const verbs: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function verbLabel(method: string): string {
  return verbs.has(method) ? method : 'other';
}
