import { bodilessReply, type Header, type Reply } from '../../http/response/replies.ts';
import { Receive } from '../../http/response/outcome.ts';
import {
  newUploadLength,
  tusAbilities,
  tusHeaders,
  uploadBytes,
  uploadMetadata,
  uploadOffset,
} from '../../http/routes/uploads/tus.ts';
import type { Route, RouteContext } from '../../http/routing/route.ts';
import { demoExport, demoName, demoPasswords, demoPasswordsName } from './demo.ts';
import { Refusal } from '../../domain/errors.ts';
import { appOf } from './app-of.ts';
import { common as shared, path, type StagedFile } from './model.ts';
import type { ConsoleOperations } from './operations.ts';

const files = `${path}/files`;
const oneFile = `${files}/{id}`;
const common = { ...shared, needs: ['import', 'import:new'], headers: tusHeaders } as const;

/** Files on their way into a run: by the tus protocol, so that an upload that broke off goes on. */
export function fileRoutes(console: ConsoleOperations): Route[] {
  return [...listRoutes(console), ...uploadRoutes(console), abilities];
}

function listRoutes(console: ConsoleOperations): Route[] {
  return [
    {
      ...common,
      method: 'GET',
      path: files,
      statuses: ['OK'],
      summary: 'Lists the files that this core holds for the console, and the bytes that a new one may have',
      handle: async (context) => ({
        status: 'OK',
        files: await console.files.list(appOf(context)),
        room: await console.files.room(),
      }),
    },
    {
      ...common,
      method: 'DELETE',
      path: oneFile,
      summary: 'Removes a file',
      unaudited: 'removes what was not imported',
      successes: { 204: 'Removed' },
      handle: async (context) => {
        await console.files.remove(appOf(context), context.id);
        return bodilessReply(204);
      },
    },
    {
      ...common,
      method: 'POST',
      path: `${path}/demo`,
      statuses: ['OK'],
      summary: 'Makes the export of a made-up old system, and a file of known passwords',
      unaudited: 'the run that reads the file has an entry',
      handle: async (context) => {
        const appId = appOf(context);
        return {
          status: 'OK',
          file: await console.files.write(appId, demoName, demoExport()),
          passwords: await console.files.write(appId, demoPasswordsName, demoPasswords()),
        };
      },
    },
  ];
}

function uploadRoutes(console: ConsoleOperations): Route[] {
  return [
    {
      ...common,
      method: 'POST',
      path: files,
      summary: 'Begins the upload of a file, of the length and with the name that the headers of tus state',
      unaudited: 'the run that reads the file has an entry',
      successes: { 201: 'See Location' },
      requestHeaders: { 'Upload-Length': 'Bytes of the file', 'Upload-Metadata': 'filename' },
      refusals: [413],
      handle: (context) => create(console, context),
    },
    {
      ...common,
      method: 'HEAD',
      path: oneFile,
      summary: 'The number of bytes that have arrived',
      successes: { 200: 'See Upload-Offset and Upload-Length' },
      handle: async (context) => {
        const file = await console.files.find(appOf(context), context.id);
        return bodilessReply(200, [
          ['Cache-Control', 'no-store'],
          ...offsetOf(file),
          ['Upload-Length', String(file.size)],
        ]);
      },
    },
    {
      ...common,
      method: 'PATCH',
      path: oneFile,
      summary: 'Continues the upload of a file where its bytes end',
      unaudited: 'the run that reads the file has an entry',
      streams: true,
      consumes: [uploadBytes],
      successes: { 204: 'See Upload-Offset' },
      requestHeaders: { 'Upload-Offset': 'The number of bytes that have arrived' },
      refusals: [408, 409, 423],
      handle: async (context) => {
        const from = { id: context.id, offset: uploadOffset(context.head) };
        const answer = (file: StagedFile) => bodilessReply(204, offsetOf(file));
        return new Receive(await console.files.receive(appOf(context), from, answer));
      },
    },
  ];
}

const abilities: Route = {
  ...common,
  method: 'OPTIONS',
  path: files,
  scope: 'core',
  needs: 'any',
  open: true,
  summary: 'Lists the supported parts of tus',
  successes: { 204: 'See Tus-Version and Tus-Extension' },
  handle: () => bodilessReply(204, tusAbilities),
};

const named = new Set(['filename']);

async function create({ files: staged }: ConsoleOperations, context: RouteContext): Promise<Reply> {
  const size = newUploadLength(context.head);
  if (size === undefined) throw new Refusal('UPLOAD_LENGTH_REQUIRED', "State 'Upload-Length'");
  const name = new URLSearchParams(uploadMetadata(context.head, named)).get('filename') ?? 'users';
  const file = await staged.create(appOf(context), name, size);
  return bodilessReply(201, [['Location', `files/${file.id}`], ...offsetOf(file)]);
}

function offsetOf({ offset }: StagedFile): Header[] {
  return [['Upload-Offset', String(offset)]];
}
