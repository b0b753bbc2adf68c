/** An app moves to another place while people sign up and a file is imported, and back. */
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePlace } from '../helpers/carryover.ts';
import { apiKey, askCore, type Movable, startMovable } from '../helpers/movable.ts';
import { knownHash, knownPassword } from '../helpers/people.ts';

let movable: Movable;
let url: string;
let apps = 0;
beforeAll(async () => {
  movable = await startMovable();
  ({ url } = await movable.startCore());
});
afterAll(() => movable.remove());

const ask = (path: string, body?: object, method?: string) => askCore(url, path, body, method);

const line = (email: string): string =>
  `${JSON.stringify({ loginMethods: [{ recipeId: 'emailpassword', email, passwordHash: knownHash }] })}\n`;

async function importFile(app: string, users: number): Promise<void> {
  const lines = Array.from({ length: users }, (_, n) => line(`old-${n}@${app}.test`));
  const answer = await fetch(`${url}/appid-${app}/bulk-import/jobs`, {
    method: 'PUT',
    headers: { 'api-key': apiKey },
    body: lines.join(''),
  });
  expect(answer.status).toBe(200);
}

/** @returns its name */
async function newApp(users: number): Promise<string> {
  const appId = `shop-${apps++}`;
  await ask('/recipe/multitenancy/app/v2', { appId }, 'PUT');
  if (users > 0) await importFile(appId, users);
  return appId;
}

/** @returns the number of the people who were acknowledged */
function signingUp(app: string): { readonly so: () => number; stop(): Promise<number> } {
  let acknowledged = 0;
  const refused = new Set<unknown>();
  const over = new AbortController();
  const going = (async () => {
    for (let n = 0; !over.signal.aborted; n++) {
      const email = `new-${n}@${app}.test`;
      const { status } = await ask(`/appid-${app}/recipe/signup`, { email, password: knownPassword });
      if (status === 'OK') acknowledged++;
      else refused.add(status);
      await turn();
    }
  })();
  return {
    so: () => acknowledged,
    stop: async () => {
      over.abort();
      await going;
      expect([...refused].filter((status) => status !== 'DATABASE_UNAVAILABLE')).toEqual([]);
      return acknowledged;
    },
  };
}

async function moved(...rest: readonly string[]): Promise<string> {
  const moving = movable.move(...rest);
  expect([await moving.ended, moving.stderr()]).toEqual([[0, null], expect.any(String)]);
  return moving.stderr();
}

async function refused(...rest: readonly string[]): Promise<string> {
  const moving = movable.move(...rest);
  expect([await moving.ended, moving.stdout()]).toEqual([[2, null], '']);
  return moving.stderr().trim();
}

describe('an app that is moved', () => {
  it('has everyone who was acknowledged, there and back', async () => {
    const app = await newApp(3000);
    const signUps = signingUp(app);
    process.stdout.write(await moved(app, '--to', 'second'));
    const before = signUps.so();
    await expect.poll(() => signUps.so()).toBeGreaterThan(before + 20);
    process.stdout.write(await moved(app, '--back'));
    const after = signUps.so();
    await expect.poll(() => signUps.so()).toBeGreaterThan(after + 20);
    const people = 3000 + (await signUps.stop());
    expect(await movable.peopleOf(app)).toEqual([people, 0]);
    expect((await ask(`/appid-${app}/users/count`)).count).toBe(people);
  });

  it('leaves nothing in its old place once the move is confirmed, and moves on from there', async () => {
    const app = await newApp(100);
    await moved(app, '--to', 'second');
    await importFile(app, 200);
    expect(await movable.peopleOf(app)).toEqual([expect.any(Number), 200]);
    await moved(app, '--confirm');
    expect(await movable.peopleOf(app)).toEqual([0, 200]);
    await moved(app, '--to', 'first');
    await moved(app, '--confirm');
    expect(await movable.peopleOf(app)).toEqual([200, 0]);
    await importFile(app, 300);
    expect(await movable.peopleOf(app)).toEqual([300, 0]);
    expect(await movable.leftovers()).toEqual([]);
  });

  it('is complete though the command is killed at any point', async () => {
    const app = await newApp(500);
    const signUps = signingUp(app);
    for (const step of [['--to', 'second'], ['--back'], ['--to', 'second'], ['--confirm']]) {
      for (let n = 1; n <= 4; n++) {
        const moving = movable.move(app, ...step);
        await Promise.race([moving.ended, delay(n * 250)]);
        moving.child.kill('SIGKILL');
        const [code] = await moving.ended;
        if (code === 0) break;
      }
      const last = movable.move(app, ...step);
      await last.ended;
      const isDone = /No move|has been moved|Moved|Returned|Confirmed/;
      expect(last.stdout() + last.stderr()).toMatch(isDone);
    }
    const before = signUps.so();
    await expect.poll(() => signUps.so()).toBeGreaterThan(before);
    const people = 500 + (await signUps.stop());
    expect(await movable.peopleOf(app)).toEqual([0, people]);
    expect(await movable.leftovers()).toEqual([]);
  });

  it('goes on noting what changes while its move from an old system leads', async () => {
    const app = await newApp(0);
    const at = `/appid-${app}`;
    const ok = async (path: string, body: object): Promise<void> => {
      expect(await ask(`${at}/move${path}`, body)).toMatchObject({ status: 'OK' });
    };
    await ok('', { system: 'laravel' });
    await ok('/plan', { users: 1 });
    await ok('/next', {});
    await ok('/comparison', { users: 1, unexplained: 0, tookMs: 1 });
    await ok('/way-back', { users: 1, without: 0, tookMs: 1 });
    await ok('/next', { share: 100, refusedBefore: 1 });
    let people = 0;
    const signsUp = async () => {
      const email = `noted-${(people += 1)}@${app}.test`;
      expect(await ask(`${at}/recipe/signup`, { email, password: knownPassword })).toMatchObject({
        status: 'OK',
      });
      expect((await ask(`${at}/move/status`)).waiting).toMatchObject({ users: people });
    };
    await signsUp();
    for (const step of [['--to', 'second'], ['--back'], ['--to', 'second'], ['--confirm']]) {
      await moved(app, ...step);
      await signsUp();
    }
    // Its removal in the old place is not a change of users, and leaves nothing there.
    const [first] = movable.servers;
    const left = await first?.sql<{ name: string }>(
      `select t.tgname as name from pg_trigger t where t.tgname like 'move_journal_%'
       union all select 'a change' from carryover.move_changes`,
      'core',
    );
    expect(left).toEqual([]);
  });

  it('takes an import along that is under way', async () => {
    const app = await newApp(0);
    const place = await makePlace();
    await place.write(
      'users.ndjson',
      Array.from({ length: 60_000 }, (_, n) => line(`u${n}@x.test`)).join(''),
    );
    const importing = place.start(
      ['import', 'users.ndjson', '--from', 'native', '--url', url, '--app', app, '--yes'],
      { environment: { CARRYOVER_API_KEY: apiKey } },
    );
    await moved(app, '--to', 'second');
    const ended = await importing.ended;
    expect([ended.code, ended.stderr]).toEqual([0, expect.any(String)]);
    await moved(app, '--confirm');
    expect(await movable.peopleOf(app)).toEqual([0, 60_000]);
    await place.remove();
  });

  it('is not removed before the move ends', async () => {
    const app = await newApp(1);
    await moved(app, '--to', 'second');
    expect(await ask('/recipe/multitenancy/app/remove', { appId: app })).toMatchObject({
      status: 'APP_IS_MOVING',
    });
    await moved(app, '--confirm');
    expect(await ask('/recipe/multitenancy/app/remove', { appId: app })).toMatchObject({ didExist: true });
    expect(await movable.peopleOf(app)).toEqual([0, 0]);
  });
});

describe('a neighbour of an app that has moved', () => {
  it('has its queue worked off, and its rows swept', async () => {
    const [gone, neighbour] = [await newApp(0), await newApp(0)];
    await moved(gone, '--to', 'second');
    const users = [JSON.parse(line('queued@x.test')) as object];
    for (const app of [gone, neighbour])
      expect(await ask(`/appid-${app}/bulk-import/users`, { users })).toMatchObject({ status: 'OK' });
    for (const app of [gone, neighbour])
      await expect.poll(async () => (await ask(`/appid-${app}/users/count`)).count).toBe(1);
    await moved(gone, '--back');
  });
});

describe('a move is refused', () => {
  it('for an app or a place that there is not, and for the place that it is in', async () => {
    const app = await newApp(0);
    expect(await refused('nowhere', '--to', 'second')).toMatch(/There is no app 'nowhere'/);
    expect(await refused(app, '--to', 'third')).toMatch(
      /There is no place 'third': the setting 'places' has first, second/,
    );
    expect(await refused(app, '--to', 'first')).toMatch(/is in the place 'first' already/);
    expect(await refused(app, '--back')).toMatch(/No move of the app 'shop-\d+' is under way/);
    expect(await refused(app, '--confirm', '--back')).toMatch(/give one of --to, --back and --confirm/);
  });

  it('names the place that does not answer', async () => {
    const app = await newApp(0);
    const [, second] = movable.servers;
    await second?.kill();
    try {
      expect(await refused(app, '--to', 'second')).toContain("The place 'second' does not answer. ");
    } finally {
      await second?.start();
    }
  });

  it('while another is not ended', async () => {
    const app = await newApp(0);
    await moved(app, '--to', 'second');
    expect(await refused(app, '--to', 'first')).toMatch(
      /has been moved to 'second': end that move with --confirm or --back first/,
    );
    await moved(app, '--back');
  });

  it('where the places differ, and the app stays where it is', async () => {
    const app = await newApp(10);
    await moved(app, '--to', 'second');
    await movable.servers[0]?.sql(
      `set session_replication_role = replica; delete from carryover.users where app_no =
         (select app_no from carryover.apps where app_id = '${app}') and user_id =
         (select min(user_id::text)::uuid from carryover.users u join carryover.apps a using (app_no) where app_id = '${app}')`,
      'core',
    );
    const message = await refused(app, '--back');
    expect(message).toMatch(
      /'first' has not the same rows: users \(10 rows, 9 there\)\. The app stays where it is/,
    );
    expect(await ask(`/appid-${app}/recipe/signup`, { email: 'x@y.test', password: 'abc' })).toMatchObject({
      status: 'OK',
    });
    await moved(app, '--confirm');
  });
});
