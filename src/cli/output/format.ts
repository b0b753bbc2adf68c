/** Numbers as people read them. */

const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });

/** `1,234,567` */
export function count(value: number): string {
  return whole.format(value);
}

/** `1 record`, `2 records` */
export function plural(value: number, noun: string, nouns = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : nouns}`;
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** `3.4 MiB` */
export function bytes(value: number): string {
  const { amount, unit } = inLargestUnit(value);
  return `${unit === 'B' ? amount : amount.toFixed(1)} ${unit}`;
}

/** @param value bytes @returns the amount in the largest unit that fits, and that unit */
export function inLargestUnit(value: number): { readonly amount: number; readonly unit: string } {
  const power = value < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(value) / 10));
  return { amount: value / 1024 ** power, unit: units[power] ?? '' };
}

/** `42 s`, `3 min 5 s`, `2 h 10 min` @param seconds undefined or infinite: `?` */
export function duration(seconds: number | undefined): string {
  if (seconds === undefined || !Number.isFinite(seconds)) return '?';
  const all = Math.max(0, Math.round(seconds));
  if (all < 60) return `${all} s`;
  if (all < 3600) return `${Math.floor(all / 60)} min ${all % 60} s`;
  return `${Math.floor(all / 3600)} h ${Math.floor((all % 3600) / 60)} min`;
}

/** `2026-11-21 06:30` in UTC. @param at ms since the epoch */
export function moment(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

/** Rows as columns: the first cell aligned left, numbers right. */
export function table(rows: readonly (readonly (string | number)[])[]): string[] {
  const widths: number[] = [];
  const texts = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? count(cell) : cell)));
  for (const row of texts)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  return texts.map((row, at) =>
    row
      .map((cell, column) =>
        typeof rows[at]?.[column] === 'number'
          ? cell.padStart(widths[column] ?? 0)
          : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}

/** Makes control characters visible: text from a server or a file must not move the cursor. */
export function printable(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu, '\ufffd');
}
