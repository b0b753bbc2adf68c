/** Values as text, in the language of the page. */
import { masked } from '../../../domain/masked.ts';

const numbers = new Intl.NumberFormat('en');
export const count = (value: number): string => numbers.format(value);

export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

export function percent(part: number, whole: number): string {
  if (whole === 0) return '–';
  const share = (100 * part) / whole;
  if (share > 0 && share < 0.1) return 'under 0.1 %';
  return `${share >= 10 || Number.isInteger(share) ? Math.floor(share) : share.toFixed(1)} %`;
}

export function duration(seconds: number): string {
  if (seconds < 1) return 'under a second';
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 129_600) return `${(seconds / 3600).toFixed(1)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

export function bytes(value: number): string {
  if (value < 1024) return `${value} B`;
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  let shown = value;
  let unit = -1;
  while (shown >= 1024 && unit < units.length - 1) {
    shown /= 1024;
    unit++;
  }
  return `${shown.toFixed(shown < 10 ? 1 : 0)} ${units[unit] ?? ''}`;
}

const times = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
export const time = (ms: number): string => times.format(ms);

export function ago(ms: number, now = Date.now()): string {
  const seconds = Math.max(0, (now - ms) / 1000);
  return seconds < 5 ? 'just now' : `${duration(seconds)} ago`;
}

/** `SIGN_IN` and `canSignIn` as words. */
export function words(name: string): string {
  const spaced = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** A text with its emails masked, for lists. A user's own page shows them in full, on request. */
export function withMaskedEmails(text: string): string {
  return text.replaceAll(/[^\s@"<>]+@[^\s@"<>]+/g, masked);
}
