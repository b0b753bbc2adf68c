import type { BulkImports } from '../../../imports/ports.ts';
import { bodilessReply } from '../../response/replies.ts';
import type { Route, RouteContext } from '../../routing/route.ts';
import { tusAbilities, tusHeaders, uploadBytes } from './tus.ts';
import { mayCreate } from './creates-only.ts';
import { ndjson } from './heads.ts';
import { answerOffset, append, cancel, create } from './handlers.ts';
import { jobs } from './way-on.ts';
import { inBody, inQuery } from '../../../schema/validate.ts';

const oneJob = `${jobs}/{id}`;
const common = { scope: 'app', tag: 'Bulk import', headers: tusHeaders, needs: ['import'] } as const;
const versionHeader = { 'Tus-Resumable': '1.0.0' };

export function uploadRoutes(bulk: BulkImports): Route[] {
  const asked = [jobs, oneJob].map(abilities);
  return [...creationRoutes(bulk), ...continuationRoutes(bulk), ...asked];
}

function creationRoutes(bulk: BulkImports): Route[] {
  const creation = {
    ...common,
    path: jobs,
    needs: mayCreate,
    audit: { what: 'import.begin' },
    streams: true,
    describedQuery: inQuery.createJob,
    statuses: ['OK'],
    refusals: [408, 412, 413, 415],
    successes: { 200: 'The body was the whole upload: the job', 201: 'The upload has begun: see Location' },
    handle: (context: RouteContext) => create(bulk, context),
  } as const;
  return [
    {
      ...creation,
      method: 'POST',
      summary:
        'Begins a job; with a body of NDJSON, also ends it; with a body of JSON, verifies known passwords first',
      consumes: [ndjson, uploadBytes],
      describedBody: inBody.createCheckedJob,
      requestHeaders: {
        'Upload-Length': 'Bytes of the whole upload',
        'Upload-Defer-Length': '1 while the length is not known',
        'Upload-Metadata':
          'onConflict, dryRun, compare, secondFactor, sameIds, idPrefix, restoreRemoved, source, series, whole, absent, absentYes, receipt and name, each followed by its value in base64; never canaries',
      },
    },
    { ...creation, method: 'PUT', summary: 'A whole job from the body', consumes: [ndjson] },
  ];
}

function continuationRoutes(bulk: BulkImports): Route[] {
  return [
    {
      ...common,
      method: 'HEAD',
      path: oneJob,
      needs: mayCreate,
      summary: 'Returns the committed bytes of the upload',
      successes: { 200: 'See Upload-Offset and Upload-Length' },
      requestHeaders: versionHeader,
      refusals: [410, 412],
      handle: (context) => answerOffset(bulk, context),
    },
    {
      ...common,
      method: 'PATCH',
      path: oneJob,
      needs: mayCreate,
      summary: 'Continues an upload at its committed offset',
      audit: { what: 'import.done', when: 'reported' },
      streams: true,
      consumes: [uploadBytes],
      successes: { 204: 'See Upload-Offset: what lies before it is committed' },
      requestHeaders: {
        ...versionHeader,
        'Upload-Offset': 'The committed offset',
        'Upload-Ahead':
          '1 for an offset after the committed one, where other cores receive the bytes before it: this part is prepared meanwhile, and committed after them',
        'Upload-Length': 'Bytes of the whole upload, once they are known',
      },
      refusals: [408, 409, 410, 412, 415, 423],
      handle: (context) => append(bulk, context),
    },
    {
      ...common,
      method: 'DELETE',
      audit: { what: 'import.stop' },
      path: oneJob,
      summary:
        'Stops a job; what is committed stays. With purge=true: removes the personal data of an ended job',
      describedQuery: inQuery.cancelJob,
      successes: { 204: 'Stopped, or purged' },
      refusals: [409, 412],
      handle: (context) => cancel(bulk, context),
    },
  ];
}

/** Needs no key, because tus clients request it before the first upload and may not send one. */
function abilities(path: string): Route {
  const reply = bodilessReply(204, tusAbilities);
  return {
    ...common,
    method: 'OPTIONS',
    path,
    scope: 'core',
    needs: 'any',
    open: true,
    summary: 'Lists the supported parts of tus',
    successes: { 204: 'See Tus-Version and Tus-Extension' },
    handle: () => reply,
  };
}
