import { Refusal } from '../../domain/errors.ts';
import { lineBytesLimit } from '../../domain/line-limit.ts';
import type { BulkQueue, InvalidUser } from '../../imports/queue/queue.ts';
import type { Reject } from '../../imports/model.ts';
import { createsOnlyOf, mayCreate } from './uploads/creates-only.ts';
import { body, query, requireTenant } from '../routing/handlers.ts';
import { jsonReply, type Reply } from '../response/replies.ts';
import type { Route } from '../routing/route.ts';
import { inBody, inQuery } from '../../schema/validate.ts';

const maxBodyBytes = 64 * 1024 * 1024;

const common = { scope: 'app', tag: 'Import queue', statuses: ['OK'], needs: ['import'] } as const;

/** Importing through a queue, or one user at once, as in the interface; uses the engine of import jobs. */
export function bulkQueueRoutes(queue: BulkQueue): Route[] {
  return [...importingRoutes(queue), ...watchingRoutes(queue)];
}

function importingRoutes(queue: BulkQueue): Route[] {
  return [
    {
      ...common,
      method: 'POST',
      path: '/bulk-import/users',
      maxBodyBytes,
      summary: 'Queues up to 10,000 users, all of them or none; they are imported in the background at once',
      audit: { what: 'import.queue', when: 'often' },
      ...body(inBody.addBulkUsers, async (tenant, { users, ...marks }) =>
        addedReply(await queue.add(tenant, users, marks)),
      ),
      handleLarge: async ({ tenant, input }) => addedReply(await queue.addBody(requireTenant(tenant), input)),
    },
    {
      ...common,
      method: 'POST',
      path: '/bulk-import/import',
      maxBodyBytes: lineBytesLimit,
      needs: [...mayCreate],
      summary: 'Imports one user and answers when that is done',
      audit: { what: 'import.user', when: 'often' },
      ...body(inBody.importBulkUser, async (tenant, record, { holder }) => {
        const outcome = await queue.importOne(tenant, record, createsOnlyOf(holder));
        return 'reject' in outcome ? rejectReply(outcome.reject) : { status: 'OK', user: outcome.user };
      }),
    },
  ];
}

function watchingRoutes(queue: BulkQueue): Route[] {
  return [
    {
      ...common,
      method: 'GET',
      path: '/bulk-import/users',
      needs: ['import', 'read'],
      summary: 'Lists users who wait for their import or failed, without their secrets, newest first',
      ...query(inQuery.listBulkUsers, async (tenant, input) => ({
        status: 'OK',
        ...(await queue.list(tenant, input)),
      })),
    },
    {
      ...common,
      method: 'GET',
      path: '/bulk-import/users/count',
      needs: ['import', 'read'],
      summary: 'Counts users who wait for their import or failed',
      ...query(inQuery.countBulkUsers, async (tenant, { status }) => ({
        status: 'OK',
        count: await queue.count(tenant, status),
      })),
    },
    {
      ...common,
      method: 'POST',
      path: '/bulk-import/users/remove',
      summary: 'Takes up to 500 users out of the queue',
      audit: { what: 'import.queue.remove' },
      ...body(inBody.removeBulkUsers, async (tenant, { ids }) => ({
        status: 'OK',
        ...(await queue.remove(tenant, ids)),
      })),
    },
  ];
}

function addedReply(invalid: readonly InvalidUser[]): object {
  return invalid.length === 0 ? { status: 'OK' } : invalidReply(invalid);
}

/** With `message`, as in every refusal, and `error`, which clients of the interface read. */
function invalidReply(users: readonly InvalidUser[]): Reply {
  const message = 'Data has missing or invalid fields. Please check the users field for more details.';
  return jsonReply({ status: 'INVALID_FIELD', message, error: message, users }, 400);
}

/** @throws Refusal if the key does not allow it */
function rejectReply({ code, field, message }: Reject): Reply {
  if (code === 'KEY_SCOPE_MISSING') throw new Refusal(code, message);
  return jsonReply(
    { status: code, message, field, errors: [field === '' ? message : `${field}: ${message}`] },
    400,
  );
}
