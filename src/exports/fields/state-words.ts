/** Words of systems for whether an account may sign in: `status`, `state`. */

import { isAbsent, type Parsed, unparsable } from './parsed.ts';

function wordsOf(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}

const active: ReadonlySet<string> = wordsOf([
  'active enabled activated ok normal live approved valid',
  'aktiv aktiviert freigegeben freigeschaltet actif activo ativo attivo actief',
]);

const blocked: ReadonlySet<string> = wordsOf([
  'blocked banned disabled inactive suspended locked deleted deactivated closed',
  'archived rejected removed terminated frozen expelled revoked',
  'gesperrt blockiert inaktiv deaktiviert gelöscht gekündigt archiviert',
  'bloqué bloque suspendu banni inactif bloqueado suspendido inactivo inativo',
  'bloccato sospeso geblokkeerd zablokowany spärrad engellendi заблокирован',
]);

/** Whether the word means that the account may sign in: true for `active`, false for `blocked`; undefined for any other. */
export function mayBy(word: string): boolean | undefined {
  const text = word.trim().toLowerCase();
  if (active.has(text)) return true;
  // GitLab has ldap_blocked and blocked_pending_approval.
  return text.split(/[\s_-]+/).some((each) => blocked.has(each)) ? false : undefined;
}

/** Whether a state blocks the account; undefined for words with several meanings (online, pending) and for numbers. */
export function parseState(value: unknown): Parsed<boolean> {
  if (isAbsent(value) || typeof value === 'number' || typeof value === 'boolean') return undefined;
  if (typeof value !== 'string') return unparsable;
  const may = mayBy(value);
  return may === undefined ? undefined : !may;
}
