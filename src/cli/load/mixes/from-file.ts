import path from 'node:path';
import { CommandError } from '../../command-error.ts';
import { printable } from '../../output/format.ts';
import type { Surroundings } from '../../surroundings.ts';
import { type Fields, readYaml } from '../yaml.ts';
import { type ActionName, actionNames } from './actions.ts';
import { type Mix, mixes } from './mix.ts';

const names = mixes.map(({ name }) => name);
const mostUsers = 1_000_000;

/** @param given a name, or a file of YAML @throws CommandError */
export async function mixNamed(given: string, surroundings: Pick<Surroundings, 'folder'>): Promise<Mix> {
  const known = mixes.find(({ name }) => name === given);
  if (known !== undefined) return known;
  if (!/\.ya?ml$/.test(given))
    throw new CommandError(
      `--mix: there is no mix '${printable(given)}': give ${names.join(', ')}, or a file that ends in .yaml`,
      { field: '--mix' },
    );
  return mixOf(await readYaml(given, '--mix', surroundings), given);
}

/** @throws CommandError, which names the field */
export function mixOf(fields: Fields, file: string): Mix {
  const unknown = Object.keys(fields).find((name) => !['actions', 'import', 'morning'].includes(name));
  if (unknown !== undefined)
    throw fault(file, unknown, 'is unknown: actions, import and morning are what a mix has');
  const { morning = false } = fields;
  if (typeof morning !== 'boolean') throw fault(file, 'morning', 'takes true or false');
  return {
    name: path.basename(file).replace(/\.ya?ml$/, ''),
    inWords: `of ${file}`,
    shares: sharesOf(objectOf(fields.actions, file, 'actions'), file),
    importing: usersOf(fields.import, file),
    isMorning: morning,
  };
}

function objectOf(value: unknown, file: string, field: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw fault(file, field, `takes names and shares, such as 'actions: {sign-in: 90, mistype: 10}'`);
}

function sharesOf(given: Readonly<Record<string, unknown>>, file: string): Mix['shares'] {
  const shares: Partial<Record<ActionName, number>> = {};
  for (const [name, share] of Object.entries(given)) {
    const action = actionNames.find((each) => each === name);
    if (action === undefined)
      throw fault(file, `actions.${name}`, `is unknown: the actions are ${actionNames.join(', ')}`);
    if (typeof share !== 'number' || !(share >= 0) || !Number.isFinite(share))
      throw fault(file, `actions.${name}`, 'takes a number, its share of all visits');
    shares[action] = share;
  }
  if (!Object.values(shares).some((share) => share > 0))
    throw fault(file, 'actions', 'needs an action with a share over 0');
  return shares;
}

function usersOf(value: unknown, file: string): number {
  if (value === undefined) return 0;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= mostUsers) return value;
  throw fault(file, 'import', `takes the users of the file that is imported meanwhile, up to ${mostUsers}`);
}

function fault(file: string, field: string, what: string): CommandError {
  return new CommandError(`${file}: ${printable(field)} ${what}`, { field });
}
