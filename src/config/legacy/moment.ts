const form = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** Reads a day, which begins in UTC, or a time with its zone. @returns ms since the epoch, undefined for anything else */
export function readMoment(value: unknown): number | undefined {
  if (typeof value !== 'string' || !form.test(value)) return undefined;
  const at = Date.parse(value);
  if (Number.isNaN(at)) return undefined;
  // JavaScript reads the 31st of a shorter month as a day of the next.
  return value.length > 10 || new Date(at).toISOString().startsWith(value) ? at : undefined;
}
