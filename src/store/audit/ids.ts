/** The smallest UUIDv7 of a time. @param at ms since the epoch */
export function oldestIdOf(at: number): string {
  const hex = Math.max(0, Math.floor(at)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
