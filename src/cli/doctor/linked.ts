/** `doctor linked`: users of a core whose login methods an app with an SDK of driver interface 3.x sees as separate users. */
import { type ExitCode, exitCodes } from '../command-error.ts';
import { type Core, type ServerOptions, withCore } from '../client/server.ts';
import { asJson } from '../output/answer.ts';
import { plural, printable } from '../output/format.ts';
import { type SampleOptions, sampled } from '../output/mask.ts';
import type { Surroundings } from '../surroundings.ts';

export interface LinkedOptions extends ServerOptions, SampleOptions {
  readonly json?: boolean;
}

/** As `GET /users` has it. */
interface UserView {
  readonly id: string;
  readonly loginMethods: readonly {
    readonly recipeId: string;
    readonly thirdParty?: { readonly id: string };
  }[];
}

interface PageView {
  readonly users: readonly UserView[];
  readonly nextPaginationToken?: string;
}

interface TenantsView {
  readonly tenants: readonly { readonly tenantId: string }[];
}

const pageSize = 500;

/**
 * Written as they arrive: there may be many. With --json one object a line, and the count last.
 * @throws CommandError
 */
export async function examineLinked(options: LinkedOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { stdout, stderr, interrupt } = surroundings;
  const show = sampled(options);
  const linked = new Set<string>();
  await withCore(options, surroundings, async (core) => {
    for await (const { id, loginMethods } of usersOf(core, interrupt)) {
      if (loginMethods.length === 1 || linked.has(id)) continue;
      linked.add(id);
      const shown = { userId: show(id), loginMethods: loginMethods.map(nameOf) };
      stdout.write(options.json === true ? jsonOf(shown) : textOf(shown));
    }
  });
  stdout.write(options.json === true ? asJson('doctor linked', { count: linked.size }) : sum(linked.size));
  if (linked.size > 0 && options.showSamples !== true && options.json !== true)
    stderr.write('Ids are masked: --show-samples shows them\n');
  return exitCodes.ok;
}

/** Of all tenants, in turn: a user of several occurs several times. */
async function* usersOf({ client }: Core, signal: AbortSignal): AsyncGenerator<UserView> {
  const list = { method: 'GET', path: '/recipe/multitenancy/tenant/list/v2', signal } as const;
  const { tenants } = await client.call<TenantsView>(list);
  for (const { tenantId } of tenants) {
    let after: string | undefined;
    do {
      const query = new URLSearchParams({
        limit: String(pageSize),
        ...(after !== undefined && { paginationToken: after }),
      });
      const path = `/${tenantId}/users?${query.toString()}`;
      const page = await client.call<PageView>({ method: 'GET', path, signal });
      yield* page.users;
      after = page.nextPaginationToken;
    } while (after !== undefined);
  }
}

interface Shown {
  readonly userId: string;
  readonly loginMethods: readonly string[];
}

function jsonOf(shown: Shown): string {
  return `${JSON.stringify({ type: 'linked user', ...shown })}\n`;
}

function textOf({ userId, loginMethods }: Shown): string {
  return `${printable(userId)}: ${loginMethods.map(printable).join(', ')}\n`;
}

function nameOf({ recipeId, thirdParty }: UserView['loginMethods'][number]): string {
  return thirdParty === undefined ? recipeId : `${recipeId} ${thirdParty.id}`;
}

function sum(linked: number): string {
  if (linked === 0) return 'No user has several login methods\n';
  return `${plural(linked, 'user')} with several login methods: an SDK of driver interface 3.x shows each of these as a separate user\n`;
}
