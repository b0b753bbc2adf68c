const form = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** A day, which begins in UTC, or a moment with its zone. @returns ms since the epoch, undefined for anything else */
export function readMoment(value: unknown): number | undefined {
  if (typeof value !== 'string' || !form.test(value)) return undefined;
  const at = Date.parse(value);
  if (Number.isNaN(at)) return undefined;
  // The 31st of a shorter month is read as a day of the next one.
  return value.length > 10 || new Date(at).toISOString().startsWith(value) ? at : undefined;
}
