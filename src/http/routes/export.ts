import type { RequestAct } from '../audit/act.ts';
import type { QueryInputs } from '../../schema/requests.ts';
import type { Operations } from '../../operations/operations.ts';
import { requireTenant } from '../routing/handlers.ts';
import { StreamReply } from '../response/replies.ts';
import type { Route } from '../routing/route.ts';
import { inQuery } from '../../schema/validate.ts';

const contentType = 'application/x-ndjson; charset=utf-8';
/** No cache may store hashes. */
const headers = [['Cache-Control', 'no-store']] as const;

/** Exports every user of an app as records that a bulk import accepts. */
export function exportRoutes({ exports }: Operations): Route[] {
  return [
    {
      method: 'GET',
      path: '/bulk-export/users',
      scope: 'app',
      needs: ['export'],
      tag: 'Bulk export',
      summary: 'Streams every user of the app, password hashes included, as records of a bulk import',
      contentType,
      audit: { what: 'export' },
      query: inQuery.exportUsers,
      handle: async ({ tenant, input, act }) => {
        const { changedSince } = input as QueryInputs['exportUsers'];
        const app = requireTenant(tenant);
        const pages =
          changedSince === undefined ? exports.users(app) : await exports.changedUsers(app, changedSince);
        return new StreamReply({ contentType, headers, chunks: () => counted(pages, act) });
      },
    },
  ];
}

async function* counted(pages: AsyncIterable<string>, act: RequestAct | undefined): AsyncGenerator<string> {
  let users = 0;
  for await (const page of pages) {
    users += page.split('\n').length - 1;
    act?.report({}, users);
    yield page;
  }
}
