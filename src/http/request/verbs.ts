/** The labels of the metrics: a client must not be able to make up new ones. */
const verbs: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** A verb as metrics name it. */
export function verbLabel(method: string): string {
  return verbs.has(method) ? method : 'other';
}
