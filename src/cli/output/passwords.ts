import { sourceOfKind } from '../../domain/legacy-mark.ts';
import { count, printable } from './format.ts';

/** The kinds that are called otherwise by people than on the wire. */
const titles: Readonly<Record<string, string>> = { provider_scrypt: 'Firebase scrypt' };

/** A kind of hash as people know it. In JSON it has its name of the wire. */
export function kindTitle(kind: string): string {
  return titles[kind] ?? kind;
}

/** Passwords by their kind: which hashes there are, and how many an old system knows. */
export function describePasswords(byKind: Readonly<Record<string, number>>): string[] {
  const entries = Object.entries(byKind).sort(([, a], [, b]) => b - a);
  const hashes = entries.filter(([kind]) => sourceOfKind(kind) === undefined);
  const list = hashes.map(([kind, people]) => `${count(people)} ${printable(kindTitle(kind))}`).join(', ');
  return [
    ...(hashes.length > 0 ? [`password hashes: ${list}`] : []),
    ...entries.flatMap(([kind, people]) => {
      const source = sourceOfKind(kind);
      return source === undefined
        ? []
        : [`passwords that the old system '${printable(source)}' knows: ${count(people)}`];
    }),
  ];
}
