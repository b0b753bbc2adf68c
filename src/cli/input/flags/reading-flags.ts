/** Flags that state how a file is written, if it does not show it. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { encodingNamed, encodings, type Encoding } from '../../../exports/readers/bytes/encodings.ts';
import { originOf, type Names } from '../../../exports/readers/names.ts';
import type { Reading } from '../../../exports/readers/reading.ts';
import type { DateOrder } from '../../../exports/fields/times.ts';
import { constructionForms, isConstruction, parseConstruction } from '../../../hashes/parts/construction.ts';
import { hashKindNamed, kindNames } from '../../../hashes/registry.ts';
import { addPasswordAs, type PasswordAsOptions } from './password-as.ts';

/** As commander gives them. */
export interface ReadingOptions extends PasswordAsOptions {
  readonly encoding?: Encoding;
  readonly columns?: readonly string[];
  readonly map?: Names;
  readonly table?: string;
  readonly hashAs?: string;
  readonly rolesFrom?: string;
  readonly dates?: DateOrder;
}

export function addReadingOptions(command: Command): Command {
  const added = command
    .addOption(
      new Option(
        '--encoding <name>',
        `one of ${encodings.join(', ')}; left out: UTF-8, or what a byte order mark says`,
      ).argParser(parseEncoding),
    )
    .option(
      '--table <name>',
      'of a dump of mysqldump or pg_dump: the table of the users, such as members or shop.members; left out: recognised by its columns',
    )
    .addOption(
      new Option(
        '--columns <names>',
        'of CSV without a header row: the names of all its columns in their order, with commas between them; left out: the order of the tables of Laravel and WordPress is known',
      ).argParser(parseColumns),
    )
    .addOption(
      new Option(
        '--map <names>',
        "the format's name of a field and the file's, such as email=mail,password=pwd; may be given several times. For a table of your own: --map externalUserId=id,email=mail,passwordHash=pwd,passwordSalt=salt,userMetadata.plan=plan; the opposite of a flag: 'isDisabled=!is_active'; words: 'isDisabled=status:banned|deleted', or 'isDisabled=!status:active'",
      ).argParser(parseNames),
    );
  return addHashAs(added)
    .addOption(
      new Option(
        '--dates <order>',
        'of dates such as 3/4/2023: dmy for the day first, mdy for the month first; left out: what the other dates of their column show, and where they show neither the file is refused',
      ).choices(['dmy', 'mdy']),
    )
    .addOption(
      new Option(
        '--roles-from <field>',
        'where roles are in a record, such as app_metadata.roles or customAttributes.role: a list, texts with commas or spaces between them, or an object whose keys with true count; left out: where the format itself has them',
      ).argParser(parseField),
    );
}

function parseField(text: string): string {
  const field = text.trim();
  if (field !== '' && field.length <= 256) return field;
  throw new InvalidArgumentError('It takes the name of a field, with dots between names on the way to it.');
}

/** For hashes alone. */
export function addHashAs(command: Command): Command {
  const added = command.addOption(
    new Option(
      '--hash-as <kind>',
      `the kind of the hashes that do not show theirs, such as md5, or how they were made of the password and the salt (--map passwordSalt=COLUMN): ${constructionForms}; hashes that show their kind keep it`,
    ).argParser(parseKind),
  );
  return addPasswordAs(added);
}

/** undefined if no flag was given. */
export function readingOf({ encoding, table, columns, map: names }: ReadingOptions): Reading | undefined {
  const reading = { encoding, table, columns, names };
  return Object.values(reading).some((each) => each !== undefined) ? reading : undefined;
}

function parseEncoding(text: string): Encoding {
  const encoding = encodingNamed(text);
  if (encoding !== undefined) return encoding;
  throw new InvalidArgumentError(`It takes one of ${encodings.join(', ')}.`);
}

function parseColumns(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw new InvalidArgumentError('It takes names with one comma between them.');
  if (new Set(names).size === names.length) return names;
  throw new InvalidArgumentError('It names a column twice.');
}

/** Each repetition adds to the former ones. */
function parseNames(text: string, former: Names = {}): Names {
  const pairs = text.split(',').map((pair) => pair.split('=').map((name) => name.trim()));
  if (pairs.some((pair) => pair.length !== 2 || pair.includes('')))
    throw new InvalidArgumentError('It takes pairs such as email=mail, with commas between them.');
  const given = pairs.map(([name = '', own = '']) => [name, own] as const);
  const twice = given.find(
    ([name], place) => Object.hasOwn(former, name) || given.findIndex(([n]) => n === name) < place,
  );
  if (twice !== undefined) throw new InvalidArgumentError(`It maps ${twice[0]} twice.`);
  const names = { ...former, ...Object.fromEntries(given) };
  refuseUsedTwice(names);
  return names;
}

/** Ids may be emails, and metadata may repeat anything. */
const mayShare = /^(?:externalUserId$|id$|userMetadata\.)/;

/** One column for two fields is usually a slip: one of them would get the other's values. */
function refuseUsedTwice(names: Names): void {
  const users = new Map<string, string>();
  for (const [name, own] of Object.entries(names)) {
    if (mayShare.test(name)) continue;
    // A name may contain a colon: only the file shows whether words follow it.
    const { column, words } = originOf(own, () => false);
    if (words !== undefined) continue;
    const other = users.get(column);
    if (other !== undefined)
      throw new InvalidArgumentError(
        `It uses the column ${column} twice, for ${other} and ${name}: leave one of them out. Only externalUserId and userMetadata.KEY may share a column.`,
      );
    users.set(column, name);
  }
}

function parseKind(text: string): string {
  if (isConstruction(text)) {
    const made = parseConstruction(text);
    if (typeof made !== 'string') return text;
    throw new InvalidArgumentError(`It is not a construction: ${made}. Such as ${constructionForms}.`);
  }
  const kind = hashKindNamed(text.trim());
  if (kind !== undefined) return kind;
  throw new InvalidArgumentError(
    `It takes one of ${kindNames.join(', ')}, or how the hashes were made: ${constructionForms}.`,
  );
}
