import { InvalidArgumentError, Option } from 'commander';
import { carryover } from '../../../process/called.ts';
import type { AuditEntry } from '../../../domain/access/act.ts';
import { type ExitCode, exitCodes } from '../../command-error.ts';
import { addServerOptions, type ServerOptions, withCore } from '../../client/server.ts';
import { asJson } from '../../output/answer.ts';
import { count, moment, printable, table } from '../../output/format.ts';
import type { Surroundings } from '../../surroundings.ts';
import { addJsonOption, type AddCommand, examples } from '../command.ts';

interface AuditOptions extends ServerOptions {
  readonly since?: number;
  readonly who?: string;
  readonly what?: string;
  readonly limit: string;
  readonly json?: boolean;
}

interface AuditPage {
  readonly entries: readonly AuditEntry[];
  readonly nextPaginationToken?: string;
}

const pageSize = 500;
const mostEntries = 1_000_000;

/** `audit`: the audit log. */
export const addAudit: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('audit')
    .summary('list who did what with a core')
    .description(
      'Lists imports, undos, exports, removals, changes of accounts, tenants, roles and restrictions, sessions and tokens by the hour, and refused keys, newest first: by which key, from which address, to how many.',
    )
    .addOption(
      new Option('--since <when>', 'only since then: such as 24h, 7d or 2026-01-31').argParser(parseSince),
    )
    .option('--who <key>', 'only by the key of this name')
    .option('--what <act>', 'only this act, and acts below it: import includes import.undo')
    .addOption(new Option('--limit <number>', 'how many at most').default('100').argParser(parseLimit));
  addServerOptions(addJsonOption(command))
    .addHelpText(
      'after',
      examples(`${carryover} audit`, `${carryover} audit --since 24h --what import --json`),
    )
    .action(action((options: AuditOptions) => showAudit(options, surroundings)));
};

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

function parseSince(text: string): number {
  const [, amount, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (amount !== undefined) return Date.now() - Number(amount) * unitMs[unit as keyof typeof unitMs];
  const at = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(at))
    throw new InvalidArgumentError('It takes a time span such as 24h or 7d, or a day such as 2026-01-31.');
  return at;
}

function parseLimit(text: string): string {
  if (/^\d{1,7}$/.test(text) && Number(text) >= 1 && Number(text) <= mostEntries) return text;
  throw new InvalidArgumentError(`It takes a whole number from 1 to ${mostEntries}.`);
}

async function showAudit(options: AuditOptions, surroundings: Surroundings): Promise<ExitCode> {
  const entries = await readEntries(options, surroundings);
  const { stdout } = surroundings;
  stdout.write(options.json ? asJson('audit', { entries }) : listing(entries));
  return exitCodes.ok;
}

async function readEntries(options: AuditOptions, surroundings: Surroundings): Promise<AuditEntry[]> {
  const { since, who, what } = options;
  const most = Number(options.limit);
  const filters = {
    ...(since !== undefined && { since: String(since) }),
    ...(who !== undefined && { who }),
    ...(what !== undefined && { what }),
  };
  return withCore(options, surroundings, async ({ client }) => {
    const entries: AuditEntry[] = [];
    let token: string | undefined;
    do {
      const limit = String(Math.min(pageSize, most - entries.length));
      const query = new URLSearchParams({ ...filters, limit, ...(token && { paginationToken: token }) });
      const path = `/config/audit?${query.toString()}`;
      const page = await client.call<AuditPage>({ method: 'GET', path, signal: surroundings.interrupt });
      entries.push(...page.entries);
      token = page.nextPaginationToken;
    } while (token !== undefined && entries.length < most);
    return entries;
  });
}

const titles = ['when (UTC)', 'who', 'from', 'what', 'outcome', 'how many', 'details'];

function listing(entries: readonly AuditEntry[]): string {
  if (entries.length === 0) return 'Nothing was done that the audit log keeps\n';
  const rows = entries.map((entry) => [
    moment(entry.begunAt),
    printable(entry.who),
    printable(entry.address ?? '-'),
    printable(entry.what),
    printable(entry.outcome ?? 'unknown'),
    entry.count === undefined ? '-' : count(entry.count),
    printable(detailsOf(entry)),
  ]);
  return `${table([titles, ...rows]).join('\n')}\n`;
}

function detailsOf({ appId, tenantId, details }: AuditEntry): string {
  const place = [
    ...(appId === 'public' ? [] : [`app ${appId}`]),
    ...(tenantId === 'public' ? [] : [`tenant ${tenantId}`]),
  ];
  const said = Object.entries(details).map(([name, value]) => `${name} ${String(value)}`);
  return [...place, ...said].join(', ');
}
