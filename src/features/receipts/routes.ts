import { body, plain, query, requireTenant } from '../../http/routing/handlers.ts';
import type { Route } from '../../http/routing/route.ts';
import { StreamReply } from '../../http/response/replies.ts';
import { bodyForms, queryForms } from '../../schema/forms.ts';
import type { ReceiptOperations } from './operations.ts';
import { receiptBodies, receiptQueries } from './schema.ts';

const inBody = bodyForms(receiptBodies);
const inQuery = queryForms(receiptQueries);
const ofJob = '/bulk-import/jobs/{id}/receipt';
const ofKeys = '/bulk-import/receipt-keys';
const common = { scope: 'app', tag: 'Receipts', statuses: ['OK'] } as const;
const mayRead = ['import', 'read'] as const;

/** Receipts of imports, proofs of their lines, and the keys that sign them. */
export function receiptRoutes(receipts: ReceiptOperations): Route[] {
  return [...routesOfJobs(receipts), ...routesOfKeys(receipts)];
}

function routesOfJobs(receipts: ReceiptOperations): Route[] {
  return [
    {
      ...common,
      method: 'POST',
      path: ofJob,
      needs: ['import'],
      summary: 'Makes and signs the receipt of an ended job; later requests get the same one',
      bodyMayBeMissing: true,
      refusals: [409, 410],
      audit: { what: 'import.receipt' },
      ...body(inBody.makeReceipt, (tenant, { files = [] }, { id, act }) => {
        act?.report({ job: id });
        return receipts.make(tenant, id, files);
      }),
    },
    {
      ...common,
      method: 'GET',
      path: ofJob,
      needs: mayRead,
      summary: 'The receipt of a job',
      refusals: [409],
      handle: ({ tenant, id }) => receipts.get(requireTenant(tenant), id),
    },
    {
      ...common,
      method: 'GET',
      path: `${ofJob}/proof`,
      needs: mayRead,
      summary: 'The outcome of one line, with the proof that the receipt states it',
      refusals: [409, 410],
      ...query(inQuery.proveLine, (tenant, { line }, { id }) => receipts.prove(tenant, id, line)),
    },
    {
      ...common,
      method: 'GET',
      path: `${ofJob}/outcomes`,
      needs: ['import'],
      summary: 'The secret of the leaves and the outcome of each line: what an audit of the whole file needs',
      contentType: 'application/x-ndjson',
      refusals: [409, 410],
      async handle({ tenant, id }) {
        const lines = await receipts.outcomes(requireTenant(tenant), id);
        return new StreamReply({ contentType: 'application/x-ndjson', chunks: () => lines });
      },
    },
  ];
}

function routesOfKeys(receipts: ReceiptOperations): Route[] {
  return [
    {
      ...common,
      method: 'GET',
      path: ofKeys,
      needs: mayRead,
      summary: 'The public keys of receipts, newest first',
      ...plain((tenant) => receipts.keys(tenant)),
    },
    {
      ...common,
      method: 'POST',
      path: ofKeys,
      needs: ['admin'],
      summary: 'Makes a new key, which signs receipts from now on',
      bodyMayBeMissing: true,
      audit: { what: 'receipts.key' },
      ...plain((tenant) => receipts.rotate(tenant)),
    },
  ];
}
