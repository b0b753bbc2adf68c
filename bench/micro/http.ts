import { KeyRing } from '../../src/process/keys/key-ring.ts';
import { admit } from '../../src/http/authorize.ts';
import { answer } from '../../src/http/response/answer.ts';
import { readHead } from '../../src/http/request/head.ts';
import type { NativeRequest, NativeResponse } from '../../src/http/front-ends/native.ts';
import { jsonReply } from '../../src/http/response/replies.ts';
import { signInRoutes } from '../../src/http/routes/sign-in.ts';
import { userRoutes } from '../../src/http/routes/users/users.ts';
import { routeTable } from '../../src/http/routing/route.ts';
import type { Operations } from '../../src/operations/operations.ts';
import { assembleUser } from '../../src/domain/user.ts';
import { user } from './samples.ts';
import type { Operation } from './operation.ts';

const apiKey = 'bench-key-of-more-than-twenty-characters';

/** The event loop's work for a request before its body and after its operation; the native side does nothing. */
export function httpOperations(): Operation[] {
  const request = signInRequest();
  const head = readHead(request);
  // Routes are only looked up, so the operations they would call need not exist.
  const operations = { passwords: {}, users: {} } as Operations;
  const table = routeTable([...signInRoutes(operations), ...userRoutes(operations)]);
  const gate = {
    table,
    apiKeys: new KeyRing({ apiKeys: [apiKey], named: [] }),
    requireApiKey: true,
    versions: new Map([['5.4', table]]),
  };
  const result = { status: 'OK', user, recipeUserId: user.id };
  const reply = jsonReply(result);
  const form = { isHead: false, isBadlyFramed: false, isChunked: false, closes: false, headers: [] };
  const response = silentResponse();
  return [
    { name: 'http/head', run: () => readHead(request) },
    { name: 'http/admission', run: () => admit(gate, head) },
    { name: 'http/user object', run: () => assembleUser(user.id, false, user.loginMethods) },
    { name: 'http/reply', run: () => jsonReply(result) },
    {
      name: 'http/answer',
      run: () => {
        answer(response, reply, form);
      },
    },
  ];
}

/** With the headers that a driver sends. */
function signInRequest(): NativeRequest {
  const headers = Object.entries({
    host: 'localhost:3567',
    'api-key': apiKey,
    'cdi-version': '5.4',
    rid: 'emailpassword',
    'content-type': 'application/json; charset=utf-8',
    accept: '*/*',
    'user-agent': 'node',
    'accept-encoding': 'gzip, deflate',
    'content-length': '75',
  });
  return {
    getCaseSensitiveMethod: () => 'POST',
    getUrl: () => '/appid-public/public/recipe/signin',
    getQuery: () => undefined,
    forEach: (visit) => {
      for (const [name, value] of headers) visit(name, value);
    },
  };
}

function silentResponse(): NativeResponse {
  let written = 0;
  const write = (): void => {
    written++;
  };
  return {
    getRemoteAddress: () => '',
    cork: (run) => {
      run();
    },
    writeStatus: write,
    writeHeader: write,
    write: () => written > 0,
    end: write,
    endWithoutBody: write,
    close: write,
    pause: write,
    resume: write,
    onData: write,
    onWritable: write,
    onAborted: write,
  };
}
