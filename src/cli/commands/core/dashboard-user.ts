import type { Command } from 'commander';
import { carryover } from '../../../process/called.ts';
import { addServerOptions, type ServerOptions, withCore } from '../../client/server.ts';
import { CommandError, type ExitCode, exitCodes } from '../../command-error.ts';
import { addYesOption, confirm, type ConfirmOptions } from '../../confirm/confirm.ts';
import { readPassword } from '../../input/password.ts';
import { asJson } from '../../output/answer.ts';
import { moment, printable, table } from '../../output/format.ts';
import type { Surroundings } from '../../surroundings.ts';
import { addJsonOption, type AddCommand, examples } from '../command.ts';

interface Options extends ServerOptions, ConfirmOptions {
  readonly json?: boolean;
}

interface Account {
  readonly userId: string;
  readonly email: string;
  /** ms since the epoch */
  readonly timeJoined: number;
}

interface Answer {
  readonly status: string;
  /** The fault of a password. */
  readonly message?: string;
  readonly users?: readonly Account[];
  readonly didUserExist?: boolean;
}

const path = '/recipe/dashboard/user';

/** `dashboard-user`: users of the dashboard. */
export const addDashboardUser: AddCommand = (program, { surroundings, action }) => {
  const parent = program
    .command('dashboard-user')
    .summary('add, list and remove users of the dashboard')
    .description(
      'Manages the people who operate an app with the dashboard and sign in there with an email and a password. They are not users of the app.',
    );
  const add = (name: string, summary: string): Command =>
    addServerOptions(addJsonOption(parent.command(name).summary(summary).description(`${summary}.`)));
  const addChange = (name: string, summary: string): Command => addYesOption(add(name, summary));
  const password = 'typed, or the first line of the standard input';
  addChange('add <email>', `add a dashboard user, with a password that is ${password}`)
    .addHelpText('after', examples(`${carryover} dashboard-user add operator@example.com`))
    .action(action((email: string, options: Options) => put('POST', email, options, surroundings)));
  addChange('password <email>', `give a dashboard user another password, ${password}`).action(
    action((email: string, options: Options) => put('PUT', email, options, surroundings)),
  );
  add('list', 'list the dashboard users').action(action((options: Options) => list(options, surroundings)));
  addChange('remove <email>', 'remove a dashboard user, and end their sessions').action(
    action((email: string, options: Options) => remove(email, options, surroundings)),
  );
};

async function put(
  method: 'POST' | 'PUT',
  email: string,
  options: Options,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const would = method === 'POST' ? 'add' : 'password';
  const what =
    method === 'POST'
      ? 'let this person sign in to the dashboard'
      : 'give this dashboard user another password';
  const lines = [`Would ${what}: ${printable(email)}`];
  await confirm({ lines, would: { [would]: email } }, options, surroundings);
  const password = await readPassword(surroundings);
  const input = method === 'POST' ? { email, password } : { email, newPassword: password };
  const answer = await withCore(options, surroundings, ({ client }) =>
    client.call<Answer>({ method, path, input, signal: surroundings.interrupt }),
  );
  if (answer.status !== 'OK') throw new CommandError(refusalOf(answer));
  const done = method === 'POST' ? 'May sign in to the dashboard' : 'Has another password';
  return said(would, `${done}: ${printable(email)}\n`, answer, { ...options, surroundings });
}

async function list(options: Options, surroundings: Surroundings): Promise<ExitCode> {
  const answer = await withCore(options, surroundings, ({ client }) =>
    client.call<Answer>({ method: 'GET', path: `${path}s`, signal: surroundings.interrupt }),
  );
  const rows = (answer.users ?? []).map(({ email, timeJoined }) => [
    printable(email),
    `since ${moment(timeJoined)} UTC`,
  ]);
  const text =
    rows.length > 0
      ? table(rows).join('\n')
      : `There are no dashboard users yet: '${carryover} dashboard-user add <email>'`;
  return said('list', `${text}\n`, answer, { ...options, surroundings });
}

async function remove(email: string, options: Options, surroundings: Surroundings): Promise<ExitCode> {
  await confirm(
    {
      lines: [`Would remove the dashboard user ${printable(email)}, and end their sessions`],
      would: { remove: email },
      question: 'Remove this dashboard user?',
    },
    options,
    surroundings,
  );
  const query = new URLSearchParams({ email }).toString();
  const answer = await withCore(options, surroundings, ({ client }) =>
    client.call<Answer>({ method: 'DELETE', path: `${path}?${query}`, signal: surroundings.interrupt }),
  );
  if (answer.didUserExist !== true) throw new CommandError(refusalOf({ status: 'UNKNOWN_USER_ERROR' }));
  return said('remove', `Removed: ${printable(email)}\n`, answer, { ...options, surroundings });
}

function said(
  verb: string,
  text: string,
  { users }: Answer,
  { json, surroundings: { stdout } }: Options & { readonly surroundings: Surroundings },
): ExitCode {
  const next =
    verb === 'list' ? [] : [{ command: `${carryover} dashboard-user list`, reason: 'lists who may sign in' }];
  stdout.write(json === true ? asJson(`dashboard-user ${verb}`, { users }, next) : text);
  return exitCodes.ok;
}

function refusalOf({ status, message }: Answer): string {
  switch (status) {
    case 'EMAIL_ALREADY_EXISTS_ERROR':
      return `The email is that of a dashboard user already: '${carryover} dashboard-user password <email>' sets another password`;
    case 'UNKNOWN_USER_ERROR':
      return `No dashboard user has this email: '${carryover} dashboard-user list' shows them`;
    case 'INVALID_EMAIL_ERROR':
      return 'The email is not valid: give an address such as operator@example.com';
    default:
      return message ?? `The core answered ${status}`;
  }
}
