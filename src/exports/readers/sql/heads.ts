/** The beginnings of the statements with a dump's tables: CREATE TABLE, INSERT, COPY, USE. Texts are Latin-1. */

/** A table as statements name it. */
export interface TableName {
  readonly name: string;
  /** The schema, or MySQL's database; undefined if none is named. */
  readonly schema: string | undefined;
}

/** Rows of a table follow. */
export interface RowsHead {
  readonly table: TableName;
  /** undefined: those of CREATE TABLE, in its order. */
  readonly columns: readonly string[] | undefined;
  /** Where the rows begin in the text. */
  readonly end: number;
  /** COPY: the rows are in PostgreSQL's text format. */
  readonly isText?: boolean;
}

const quotedName = '`(?:[^`]|``)+`|"(?:[^"]|"")+"|\\[[^\\]]+\\]';
const name = `(?:${quotedName}|[A-Za-z_\\x80-\\xff][\\w$\\x80-\\xff]*)`;
const qualified = `(${name}(?:\\s*\\.\\s*${name}){0,2})`;
const list = `\\(\\s*(${name}(?:\\s*,\\s*${name})*)\\s*\\)`;

const insert = new RegExp(
  `^(?:INSERT|REPLACE)(?:\\s+(?:IGNORE|DELAYED|LOW_PRIORITY|HIGH_PRIORITY|OR\\s+\\w+))*(?:\\s+INTO)?\\s+${qualified}(?:\\s*${list})?\\s*(?:OVERRIDING\\s+\\w+\\s+VALUE\\s+)?VALUES?\\s*(?=\\()`,
  'i',
);
const copy = new RegExp(`^COPY\\s+${qualified}(?:\\s*${list})?\\s+FROM\\s+stdin([^;\\n]*);`, 'i');
const create = new RegExp(
  `^CREATE\\s+(?:(?:GLOBAL|LOCAL|TEMP|TEMPORARY|UNLOGGED|FOREIGN)\\s+)*TABLE\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?${qualified}\\s*(?=\\()`,
  'i',
);
const use = new RegExp(`^USE\\s+(${name})`, 'i');

export function readInsert(text: string): RowsHead | undefined {
  const [all, table, columns] = insert.exec(text) ?? [];
  return all === undefined ? undefined : { ...headOf(table, columns), end: all.length };
}

export function readCopy(text: string): RowsHead | undefined {
  const [all, table, columns, options = ''] = copy.exec(text) ?? [];
  const isText = options.trim() === '';
  return all === undefined ? undefined : { ...headOf(table, columns), end: all.length, isText };
}

function headOf(table = '', columns: string | undefined) {
  return { table: tableNamed(table), columns: columns === undefined ? undefined : namesIn(columns) };
}

/** The database of unqualified names from here on. */
export function readUse(text: string): string | undefined {
  const [, database] = use.exec(text) ?? [];
  return database === undefined ? undefined : plain(database);
}

export interface Created {
  readonly table: TableName;
  readonly columns: readonly string[];
}

/** A whole CREATE TABLE; undefined if it names no columns, such as a partition. */
export function readCreate(text: string, isMysql: boolean): Created | undefined {
  const [all, table] = create.exec(text) ?? [];
  if (all === undefined || table === undefined) return undefined;
  const constraint = isMysql ? mysqlConstraint : otherConstraint;
  const columns = itemsOf(text.slice(all.length))
    .filter((item) => !constraint.test(item))
    .flatMap((item) => firstName.exec(item)?.[0] ?? [])
    .map(plain);
  return { table: tableNamed(table), columns };
}

const otherConstraint = /^(?:CONSTRAINT|PRIMARY|UNIQUE|CHECK|FOREIGN|EXCLUDE|LIKE)\b/i;
const mysqlConstraint =
  /^(?:CONSTRAINT|PRIMARY|UNIQUE|CHECK|FOREIGN|KEY|INDEX|FULLTEXT|SPATIAL|PERIOD|LIKE)\b/i;
const firstName = new RegExp(`^${name}`);

/** A string, a name in quotes, a comment, or a structural byte of the list. */
const tokens = /'(?:[^'\\]|\\[^]|'')*'|`[^`]*`|"[^"]*"|\/\*[^]*?\*\/|--[^\n]*|[(),]/g;

/** The items between the commas of a list in parentheses. */
function itemsOf(text: string): readonly string[] {
  const items: string[] = [];
  let [depth, start] = [0, 1];
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (depth > 1 || !(token === ',' || (token === ')' && depth === 0))) continue;
    items.push(withoutComments(text.slice(start, index)));
    start = index + 1;
    if (depth === 0) break;
  }
  return items;
}

function withoutComments(item: string): string {
  return item.replace(/^(?:\s|--[^\n]*\n|\/\*[^]*?\*\/)+/, '');
}

const eachName = new RegExp(name, 'g');

function namesIn(text: string): readonly string[] {
  return Array.from(text.matchAll(eachName), ([each]) => plain(each));
}

/** Of three names the first is the database of SQL Server and PostgreSQL. */
function tableNamed(text: string): TableName {
  const [own = '', schema] = namesIn(text).toReversed();
  return { name: own, schema };
}

function plain(spelled: string): string {
  const text = Buffer.from(spelled, 'latin1').toString();
  const [first = ''] = text;
  if (first === '[') return text.slice(1, -1);
  return first === '`' || first === '"' ? text.slice(1, -1).replaceAll(first + first, first) : text;
}
