/** A users' table of Laravel, and the forms in which tools write it. */

export type Row = readonly (string | undefined)[];

export const passwordHash = '$2y$12$8WSyYIowkxZmjm4xd2./0OmC0vdtmvMJ2JddlGjG4LQjF8UNrdnVy';
export const columns = 'id,name,email,email_verified_at,password,remember_token,created_at,updated_at'.split(
  ',',
);

const moment = '2024-01-01 00:05:00';
const ada = `Ada, "the first"; O'Hara (x) -- /* y */`;
/** With characters that need quotes or escapes somewhere, and some that not all encodings have. */
export const rows: readonly Row[] = [
  ['42', ada, 'ada@example.com', moment, passwordHash, undefined, moment, moment],
  ['43', 'José\nMüller\tæ\\ \\n %_', 'jose@example.com', undefined, passwordHash, 'x', moment, moment],
  ['44', `Œuvre €5 \\' '' $$;`, 'o@example.com', undefined, undefined, '', moment, moment],
];

export interface Writing {
  readonly delimiter: string;
  readonly absent: string;
  readonly cell: (text: string) => string;
  readonly end?: string;
  readonly isHeaderless?: boolean;
}

export const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
/** As phpMyAdmin does when it is set to escape with a backslash. */
export const quotedByBackslash = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
/** As `mysql --batch` and COPY do; INTO OUTFILE writes the tab and the line end themselves after the backslash. */
export const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n');
export const escapedByOutfile = (text: string): string => text.replaceAll(/[\\\t\n]/g, '\\$&');

/** As text with delimiters. */
export function tableIn({ delimiter, absent, cell, end = '\n', isHeaderless = false }: Writing): string {
  const lines = rows.map((row) => row.map((text) => (text === undefined ? absent : cell(text))));
  const all = isHeaderless ? lines : [columns, ...lines];
  return all.map((cells) => cells.join(delimiter) + end).join('');
}

/** The plain file: the expected result of every other form. */
export const plainText = tableIn({ delimiter: ',', absent: '', cell: quoted });

/** The JSON of phpMyAdmin, of tables that all have these rows. */
export function phpMyAdminJson(...tables: readonly string[]): string {
  const cells = (row: Row): Readonly<Record<string, string | null>> =>
    Object.fromEntries(row.map((text, place) => [columns[place] ?? '', text ?? null] as const));
  const envelope = [
    { type: 'header', version: '5.2.1', comment: 'Export to JSON plugin for PHPMyAdmin' },
    { type: 'database', name: 'shop', extra: [{ data: [1] }, { data: { data: [2] } }] },
    ...tables.map((name) => ({ type: 'table', name, database: 'shop', data: rows.map(cells) })),
  ];
  return JSON.stringify(envelope, undefined, 1);
}
