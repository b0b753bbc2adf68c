import type { Command } from 'commander';
import { checkAtSource } from '../../domain/required-actions.ts';
import { shellWord } from '../../exports/readers/bytes/shell-word.ts';
import { carryover } from '../../process/called.ts';
import { addServerOptions, type Core, flagsFor, type ServerOptions, withImport } from '../client/server.ts';
import { type ExitCode, exitCodes } from '../command-error.ts';
import { addYesOption, confirm, type ConfirmOptions } from '../confirm/confirm.ts';
import { asJson } from '../output/answer.ts';
import { plural, printable } from '../output/format.ts';
import { type SampleOptions, sampled } from '../output/mask.ts';
import { tell } from '../output/terminal.ts';
import type { Surroundings } from '../surroundings.ts';
import { addJsonOption, addSampleOption, type AddCommand, examples } from './command.ts';

interface WhichOptions extends ServerOptions, SampleOptions {
  readonly job?: string;
  readonly action: string;
  readonly json?: boolean;
}

interface LiftOptions extends WhichOptions, ConfirmOptions {
  readonly dryRun?: boolean;
}

/** As `GET /user/restrictions` has it. */
interface RestrictedView {
  readonly userId: string;
  readonly isDisabled: boolean;
  readonly isHeld: boolean;
  readonly requiredActions: readonly string[];
}

interface PageView {
  readonly users: readonly RestrictedView[];
  readonly nextPaginationToken?: string;
}

/** Users of a page, which are lifted before the next is requested. */
const pageSize = 500;
/** Concurrent requests: the core writes those that arrive together in one commit. */
const atOnce = 16;

/** `restrictions`: users that an import blocked until they have been checked. */
export const addRestrictions: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('restrictions')
    .summary('list users that an import keeps out, and let them in')
    .description(
      `Lists the users that an import keeps out for an action that is still to do, and lifts that for all of them. ${checkAtSource} is of users whose record has a value that may disable them and cannot be read.`,
    )
    .addHelpText(
      'after',
      examples(
        `${carryover} restrictions list --job 0198c0de-…`,
        `${carryover} restrictions lift --job 0198c0de-… --yes`,
      ),
    );
  addWhich(command.command('list'))
    .description('Lists them. Users who are restricted for another reason, too, are not among them.')
    .action(action((options: WhichOptions) => list(options, surroundings)));
  addYesOption(addWhich(command.command('lift')))
    .description(
      'Lets them in. Users who are restricted for another reason, too, stay so. It first shows how many users that is, and asks. Broken off, it goes on when it is run again.',
    )
    .option('--dry-run', 'show how many users that would be, and change nothing')
    .action(action((options: LiftOptions) => lift(options, surroundings)));
};

function addWhich(command: Command): Command {
  command
    .option('--job <id>', 'users that this import created or changed; left out: of all imports')
    .option('--action <name>', 'the required action, such as UPDATE_PASSWORD', checkAtSource);
  return addServerOptions(addSampleOption(addJsonOption(command)));
}

function withUsers<Result>(
  options: WhichOptions,
  surroundings: Surroundings,
  work: (core: Core) => Promise<Result>,
): Promise<Result> {
  const { job = '' } = options;
  return withImport(job, options, surroundings, async (core) => {
    if (options.job !== undefined) await core.client.job(job, surroundings.interrupt);
    return work(core);
  });
}

/** In pages. A page that was lifted does not exist any more, so the next one begins after its last user in either case. */
async function* pagesOf(
  { client }: Core,
  { job, action }: WhichOptions,
  signal: AbortSignal,
): AsyncGenerator<readonly RestrictedView[]> {
  let after: string | undefined;
  do {
    const query = new URLSearchParams({
      requiredAction: action,
      limit: String(pageSize),
      ...(job !== undefined && { job }),
      ...(after !== undefined && { paginationToken: after }),
    });
    const page = await client.call<PageView>({
      method: 'GET',
      path: `/user/restrictions?${query.toString()}`,
      signal,
    });
    if (page.users.length > 0) yield page.users;
    after = page.nextPaginationToken;
  } while (after !== undefined);
}

async function list(options: WhichOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { stdout, interrupt } = surroundings;
  const show = sampled(options);
  return withUsers(options, surroundings, async (core) => {
    let count = 0;
    for await (const page of pagesOf(core, options, interrupt))
      for (const user of page) {
        count++;
        const userId = show(user.userId);
        const line = `${printable(userId)}: ${user.requiredActions.map(printable).join(', ')}`;
        stdout.write(
          options.json ? `${JSON.stringify({ type: 'restricted', ...user, userId })}\n` : `${line}\n`,
        );
      }
    const command = commandOf(options, core);
    const next = count > 0 ? [{ command, reason: 'lets them in' }] : [];
    const { job, action } = options;
    if (options.json) stdout.write(asJson('restrictions list', { job, action, count }, next));
    else tell(surroundings, `${plural(count, 'user')}${count > 0 ? `. To let them in: ${command}` : ''}\n`);
    return exitCodes.ok;
  });
}

function commandOf({ job, action }: WhichOptions, { server }: Core): string {
  const which = `${job === undefined ? '' : ` --job ${job}`}${action === checkAtSource ? '' : ` --action ${shellWord(action)}`}`;
  return `${carryover} restrictions lift${which}${flagsFor(server)} --yes`;
}

async function lift(options: LiftOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { job, action, json, dryRun = false } = options;
  const { interrupt, stdout } = surroundings;
  return withUsers({ ...options, writes: true }, surroundings, async (core) => {
    let restricted = 0;
    for await (const page of pagesOf(core, options, interrupt)) restricted += page.length;
    const foreseen = `${plural(restricted, 'user')} that ${printable(action)} alone keeps out`;
    if (dryRun) {
      const next = restricted > 0 ? [{ command: commandOf(options, core), reason: 'lets them in' }] : [];
      if (json) stdout.write(asJson('restrictions lift', { job, action, dryRun, restricted }, next));
      else tell(surroundings, `Dry run, nothing is changed: ${foreseen}\n`);
      return exitCodes.ok;
    }
    const would = { job, action, restricted };
    if (restricted > 0)
      await confirm({ lines: [foreseen], would, question: 'Let them in?' }, options, surroundings);
    let lifted = 0;
    for await (const page of pagesOf(core, options, interrupt)) {
      await liftAll(core, page, action, interrupt);
      lifted += page.length;
    }
    if (json) stdout.write(asJson('restrictions lift', { job, action, lifted }));
    else tell(surroundings, `${plural(lifted, 'user')} can sign in again\n`);
    return exitCodes.ok;
  });
}

/** A user who was removed in the meantime has a separate status, and is skipped. */
async function liftAll(
  { client }: Core,
  users: readonly RestrictedView[],
  action: string,
  signal: AbortSignal,
): Promise<void> {
  const change = action === checkAtSource ? { isDisabled: false } : { isHeld: false };
  for (let from = 0; from < users.length; from += atOnce)
    await Promise.all(
      users
        .slice(from, from + atOnce)
        .map(({ userId }) =>
          client.call({ method: 'PUT', path: '/user/restrictions', input: { userId, ...change }, signal }),
        ),
    );
}
