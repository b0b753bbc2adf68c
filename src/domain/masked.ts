const email = /^([^@]+)@([^@]+)$/;

/**
 * A sample of personal data: enough to distinguish two values, too little to identify a user. `ada@example.com` becomes
 * `a…@e….com`, a longer id shows its ends, a short one nothing.
 */
export function masked(text: string): string {
  const [, local, domain] = email.exec(text) ?? [];
  if (local !== undefined && domain !== undefined) {
    const ending = /\.[^.]+$/.exec(domain)?.[0] ?? '';
    return `${first(local)}…@${first(domain)}…${ending}`;
  }
  const letters = Array.from(text);
  return letters.length < 8 ? '…' : `${letters.slice(0, 2).join('')}…${letters.slice(-2).join('')}`;
}

function first(text: string): string {
  return Array.from(text)[0] ?? '';
}
