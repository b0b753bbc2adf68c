/** Roles from a field that the source's format does not declare: `--roles-from`. */

import { listOf, objectOf, objectsOf, textOf } from '../../providers/parts/fields.ts';
import type { SourceRow } from '../../providers/provider.ts';
import type { NativeUser } from '../../../imports/record/native-record.ts';

/** The name of the option in ConvertOptions. */
export const rolesOption = 'roles-from';

/**
 * The value at a path such as `app_metadata.roles`. Objects on the way may be JSON texts, or lists of pairs of Name and Value; a
 * name may contain dots, as names of claims do. undefined if the record has no such field.
 */
export function valueAt(row: SourceRow, path: string): unknown {
  if (Object.hasOwn(row, path)) return row[path];
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const name = path.slice(0, dot);
    if (!Object.hasOwn(row, name)) continue;
    const within = objectOf(row[name]) ?? pairsOf(row[name]);
    const found = within && valueAt(within, path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** As Cognito writes attributes. */
function pairsOf(value: unknown): SourceRow | undefined {
  const pairs = objectsOf(value).filter((each) => 'Name' in each && 'Value' in each);
  return pairs.length === 0
    ? undefined
    : Object.fromEntries(pairs.map(({ Name, Value }) => [textOf(Name) ?? '', Value]));
}

/**
 * The roles in a value: an array of texts or of objects with a name; texts separated by commas or spaces; PostgreSQL's `{a,b}`;
 * an object, whose keys with `true` count. Each once.
 */
export function rolesIn(value: unknown): readonly string[] {
  const list = listOf(value);
  const object = objectOf(value);
  if (list.length > 0) return unique(list.flatMap((each) => nameOf(each) ?? []));
  if (object !== undefined) return Object.keys(object).filter((name) => object[name] === true);
  const text = textOf(value);
  return text === undefined ? [] : unique(namesIn(text));
}

function nameOf(value: unknown): string | undefined {
  const { name, role, key, slug } = objectOf(value) ?? { name: value };
  return textOf(name) ?? textOf(role) ?? textOf(key) ?? textOf(slug);
}

/** If there is a comma, spaces belong to the names. */
function namesIn(text: string): string[] {
  const inner = /^\[\s*\]$/.test(text) ? '' : (/^\{(.*)\}$/s.exec(text)?.[1] ?? text);
  const parts = /[,;]/.test(inner) || inner !== text ? inner.split(/[,;]/) : inner.split(/\s+/);
  return parts.map((part) => part.trim().replace(/^"(.*)"$/s, '$1')).filter((part) => part !== '');
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}

/** The user with the roles of this field instead of those of the format. */
export function withRolesFrom(user: NativeUser, row: SourceRow, path: string): NativeUser {
  const others = Object.fromEntries(Object.entries(user).filter(([name]) => name !== 'userRoles'));
  const roles = rolesIn(valueAt(row, path));
  const userRoles = roles.map((role) => ({ role }));
  return { ...others, loginMethods: user.loginMethods, ...(userRoles.length > 0 && { userRoles }) };
}

const nameOfRoles = /role|group|permission|scope|(^|_|\.)(is_?)?(admin|staff|superuser)/i;

/** The depth to which records are searched. */
const mostLevels = 4;

/** Paths of the fields that may hold roles, by their names. */
export function fieldsLikeRoles(row: SourceRow, level = 1): readonly string[] {
  return Object.entries(row).flatMap(([name, value]) => {
    const own = nameOfRoles.test(name) ? [name] : [];
    const within = level < mostLevels ? (objectOf(value) ?? pairsOf(value)) : undefined;
    return within === undefined
      ? own
      : [...own, ...fieldsLikeRoles(within, level + 1).map((each) => `${name}.${each}`)];
  });
}
