/** The recipes for an app during a move: an Express app, and PHP. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import express from 'express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { moveRoutes, type OldSystem } from '../../examples/move/express.ts';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { type MoveClient, moveClient } from '../helpers/moves.ts';
import { importUser, knownHash, knownPassword, newApp, newEmail, userOf } from '../helpers/people.ts';
import { hasPhp } from '../helpers/php.ts';

/** HTTP status, and the user's id if someone signed in. */
type Outcome = readonly [status: number, userId?: string];

interface Recipe {
  post(path: '/signin' | '/signup', email: string, password: string): Promise<Outcome>;
  stop(): Promise<void>;
}

const oldPassword = 'the password there';

/** It signs anyone in who has the password, and takes all emails but one. */
const old: OldSystem = {
  signIn: (email, password) => Promise.resolve(password === oldPassword ? `old-${email}` : undefined),
  signUp: (email) => Promise.resolve(email === 'taken@example.com' ? undefined : `new-${email}`),
};

async function expressApp(core: string, apiKey: string): Promise<Recipe> {
  const app = express();
  app.use(
    moveRoutes({ core, apiKey, old, signedIn: (_request, response, userId) => response.json({ userId }) }),
  );
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    post: async (route, email, password) => {
      const response = await fetch(`http://127.0.0.1:${port}${route}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password }),
      });
      const { userId } = (await response.json()) as { userId?: string };
      return userId === undefined ? [response.status] : [response.status, userId];
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const recipe = fileURLToPath(new URL('../../examples/move/CarryoverMove.php', import.meta.url));

/** A request of its own, as PHP serves each. */
const script = `
require $argv[1];
[$core, $key, $memory, $route, $email, $password] = json_decode(stream_get_contents(STDIN));
$move = new CarryoverMove($core, $key, $memory);
try {
  $id = $route === '/signin'
    ? $move->signIn($email, $password, '192.0.2.7', fn () => $password === '${oldPassword}' ? "old-$email" : null)
    : $move->signUp($email, $password, '192.0.2.7', fn () => $email === 'taken@example.com' ? null : "new-$email");
  $refused = $route === '/signin' ? 401 : 409;
  echo json_encode($id === null ? [$refused] : [200, $id]);
} catch (RuntimeException $error) {
  echo json_encode([$error->getCode()]);
}`;

async function phpApp(core: string, apiKey: string): Promise<Recipe> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-move-'));
  return {
    post: async (route, email, password) => {
      const php = spawn('php', ['-d', 'error_reporting=-1', '-r', script, recipe]);
      php.stdin.end(JSON.stringify([core, apiKey, path.join(folder, 'move'), route, email, password]));
      const [parts] = await Promise.all([php.stdout.toArray() as Promise<Buffer[]>, once(php, 'close')]);
      return JSON.parse(Buffer.concat(parts).toString()) as Outcome;
    },
    stop: () => rm(folder, { recursive: true }),
  };
}

const recipes = [
  { name: 'Express', start: expressApp, isThere: true },
  { name: 'PHP', start: phpApp, isThere: hasPhp },
];

describe.each(recipes.filter(({ isThere }) => isThere))('the recipe for $name', ({ start }) => {
  let core: TestCore;
  let app: string;
  let move: MoveClient;
  let site: Recipe;

  beforeEach(async () => {
    core = await startTestCore();
    app = await newApp(core);
    move = moveClient(core, app);
    site = await start(`${core.url}${app}`, core.apiKey);
  });
  afterEach(async () => {
    await site.stop();
    await core.stop();
  });

  it('signs in and up at the old system until a share is here, and then here', async () => {
    const email = newEmail();
    const { id } = await importUser(core, email, app);
    await move.toFollowing();
    expect(await site.post('/signin', email, oldPassword)).toEqual([200, `old-${email}`]);
    expect(await site.post('/signin', email, knownPassword)).toEqual([401]);
    expect(await site.post('/signup', 'new@example.com', oldPassword)).toEqual([200, 'new-new@example.com']);
    expect(await site.post('/signup', 'taken@example.com', oldPassword)).toEqual([409]);
    await move.toLeading(100);
    expect(await site.post('/signin', email, knownPassword)).toEqual([200, id]);
    expect(await site.post('/signin', email, oldPassword)).toEqual([401]);
    expect(await site.post('/signup', email, knownPassword)).toEqual([409]);
    const [status, userId] = await site.post('/signup', 'other@example.com', 'a new password');
    expect([status, userId]).toEqual([
      200,
      userOf(
        await core.post(`${app}/recipe/signin`, { email: 'other@example.com', password: 'a new password' }),
      ).id,
    ]);
  });

  it('reports passwords that the old system checked', async () => {
    await move.toFollowing();
    const email = newEmail();
    // Only users who were imported count.
    const loginMethods = [
      { recipeId: 'emailpassword', email, passwordHash: knownHash, hashingAlgorithm: 'bcrypt' },
    ];
    const imported = await core.post(`${app}/bulk-import/users`, { users: [{ loginMethods }] });
    expect(imported.body).toEqual({ status: 'OK' });
    await expect.poll(async () => (await core.get(`${app}/users/count`)).body).toMatchObject({ count: 1 });
    await site.post('/signin', email, oldPassword);
    await expect.poll(move.status).toMatchObject({ refusals: { before: { users: 1 } } });
  });

  it('passes a refusal for too many wrong passwords on', async () => {
    const email = newEmail();
    await importUser(core, email, app);
    await move.toLeading(100);
    const outcomes: Outcome[] = [];
    for (let n = 0; n < 12; n++) outcomes.push(await site.post('/signin', email, 'wrong'));
    expect(outcomes.at(0)).toEqual([401]);
    expect(outcomes.at(-1)).toEqual([429]);
  });

  it('goes on at the old system while the core is away; users sign up only while none sign in here', async () => {
    await move.toFollowing();
    await site.post('/signin', 'ada@example.com', oldPassword);
    await core.close();
    expect(await site.post('/signin', 'ada@example.com', oldPassword)).toEqual([200, 'old-ada@example.com']);
    expect(await site.post('/signup', 'new@example.com', oldPassword)).toEqual([200, 'new-new@example.com']);
  });

  it('lets sign-ups wait while the core is away and users sign in here', async () => {
    await move.toLeading(100);
    await site.post('/signin', 'ada@example.com', oldPassword);
    await core.close();
    expect(await site.post('/signin', 'ada@example.com', oldPassword)).toEqual([200, 'old-ada@example.com']);
    expect(await site.post('/signup', 'new@example.com', oldPassword)).toEqual([503]);
  });

  it('uses a closed move’s core alone', async () => {
    await move.toLeading(100);
    await move.post('/close');
    await site.post('/signin', 'ada@example.com', oldPassword);
    await core.close();
    expect(await site.post('/signin', 'ada@example.com', oldPassword)).toEqual([503]);
  });
});
