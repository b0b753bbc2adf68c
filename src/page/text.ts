/** Text and numbers for people. */

/** Without control and other invisible characters, which SVG does not allow or which would reverse a line. */
export function clean(text: unknown): string {
  const visible = String(text)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Cn}]/gu, ' ')
    .trim();
  return visible === '' ? 'unnamed' : visible;
}

/** For text and for attributes in double quotes, of HTML and of SVG. */
export function escape(text: unknown): string {
  return clean(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** At least three digits if known, with separators: `0.0123`, `8.48`, `83,120`. */
export function format(value: number | null | undefined): string {
  if (value === undefined || value === null || !Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size >= 100) return value.toLocaleString('en', { maximumFractionDigits: 0 });
  if (size >= 1) return value.toLocaleString('en', { maximumFractionDigits: size >= 10 ? 1 : 2 });
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}

/** Two digits after the point, the precision of comparisons of ratios. */
export function formatRatio(value: number | null | undefined): string {
  return value !== undefined && value !== null && Number.isFinite(value) ? value.toFixed(2) : '–';
}

/** Short enough for an axis: `83k`, `1.5M`. */
export function short(value: number): string {
  if (Math.abs(value) >= 1e6) return `${round(value / 1e6)}M`;
  if (Math.abs(value) >= 1e3) return `${round(value / 1e3)}k`;
  return String(round(value));
}

/** A time in the unit that suits it: `12 µs`, `58 ms`, `1.2 s`. */
export function duration(ms: number): string {
  if (ms >= 1000) return `${format(ms / 1000)} s`;
  return ms >= 1 ? `${format(ms)} ms` : `${format(ms * 1000)} µs`;
}

/** The maximum number of characters. */
export function clip(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
