import { sourceOfKind } from '../../domain/legacy-mark.ts';
import { count, printable } from './format.ts';

/** Kinds whose name for people differs from that in the interface. */
const titles: Readonly<Record<string, string>> = { provider_scrypt: 'Firebase scrypt' };

/** The name of a kind of hash for people. In JSON it has its name in the interface. */
export function kindTitle(kind: string): string {
  return titles[kind] ?? kind;
}

/** Passwords by their kind: the number of hashes of each kind, and of passwords that an old system verifies. */
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
