/**
 * A whole move, by the real commands, while people use the app all along: from the start to "closed", with a return to the old system in
 * between. No person is refused for good who knows the newest password, and at the end both systems hold each of them once.
 *
 * CARRYOVER_PEOPLE: people at the start; see long-runs.ts. CARRYOVER_PEOPLE_SEED: what they do; it is printed when the test fails.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { randomNumbers } from '../helpers/bulk-files.ts';
import { makePlace, type Place, type Running } from '../helpers/carryover.ts';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { countOf, longRuns } from '../helpers/long-runs.ts';
import { type Mariadb, startMariadb } from '../helpers/mariadb.ts';
import { moveClient } from '../helpers/moves.ts';
import { MovingPeople, OldApp } from '../helpers/moving-people.ts';
import { newApp } from '../helpers/people.ts';
import { withTestKey as key } from '../helpers/use-core.ts';
import { openWritten, writableEngines, type WrittenDatabase } from '../helpers/write-back.ts';

const people = countOf(longRuns.wholeMove);
const seed = Number(process.env.CARRYOVER_PEOPLE_SEED ?? Date.now() % 1_000_000);

let core: TestCore;
let place: Place;
let mariadb: Mariadb | undefined;
beforeAll(async () => {
  const settings = { ALLOW_HASH_EXPORT: 'true', GUESSES_PER_ADDRESS: '100000', GUESSES_PER_ACCOUNT: '1000' };
  [core, place] = await Promise.all([startTestCore({ settings }), makePlace()]);
});
afterEach(({ task }) => {
  if (task.result?.state === 'fail') process.stderr.write(`CARRYOVER_PEOPLE_SEED=${seed}\n`);
});
afterAll(async () => {
  await Promise.all([core.stop(), place.remove(), mariadb?.stop()]);
});

/** The commands of one move, as a person types them. */
class Commands {
  readonly status: ReturnType<typeof moveClient>['status'];
  readonly #address: string;
  readonly #where: readonly string[];
  readonly #running: Running[] = [];

  constructor(app: string, old: WrittenDatabase) {
    this.#address = old.address;
    this.#where = ['--url', core.url, '--app', app.replace('/appid-', '')];
    ({ status: this.status } = moveClient(core, app));
  }

  async move(...args: string[]): Promise<void> {
    const { code, stderr } = await place.run(['move', ...args, ...this.#where], key);
    expect([args, code, stderr]).toEqual([args, 0, stderr]);
  }

  async start(): Promise<void> {
    const bare = new URL(this.#address);
    bare.password = '';
    await this.move('start', bare.href, '--from', 'laravel', '--yes');
  }

  /** Until it finds nothing: what changes while it reads may be on one side alone. */
  async compare(): Promise<void> {
    await expect
      .poll(async () => {
        const args = ['compare', this.#address, '--from', 'laravel', '--json', ...this.#where];
        const { code, stdout } = await place.run(args, key);
        if (code === 0) await place.write('comparison.json', stdout);
        return [code, stdout];
      })
      .toEqual([0, expect.anything()]);
    await this.move('record', 'comparison.json');
  }

  async examineWayBack(): Promise<void> {
    const args = ['write-back', this.#address, '--from', 'laravel', '--check', '--json', ...this.#where];
    const { code, stdout } = await place.run(args, key);
    expect([code, stdout]).toEqual([0, stdout]);
    await place.write('way-back.json', stdout);
    await this.move('record', 'way-back.json');
  }

  /** A process that runs until the end of the move. */
  run(command: 'follow' | 'write-back', ...more: string[]): void {
    const args = [command, this.#address, '--from', 'laravel', '--yes', ...more];
    this.#running.push(place.start([...args, ...this.#where], key));
  }

  /** Once nothing is against the step, such as the lag of a process. */
  async next(...args: string[]): Promise<void> {
    const step = ['move', 'next', ...args, '--yes', ...this.#where];
    const taken = async () => {
      const { code, stdout, stderr } = await place.run(step, key);
      return [code, stdout, stderr];
    };
    await expect.poll(taken).toEqual([0, expect.anything(), expect.anything()]);
  }

  /** How the processes ended, which the close of the move does. */
  ended = () => Promise.all(this.#running.map(({ ended }) => ended));

  /** Of a test that failed. @returns what they said */
  async stop(): Promise<string> {
    for (const process of this.#running) process.interrupt();
    return (await this.ended()).map(({ stderr }) => stderr).join('\n');
  }
}

/** Workers that act at the same time, so many times in all. */
async function live(crowd: MovingPeople, acts: number): Promise<void> {
  const workers = 12;
  const each = Math.ceil(acts / workers);
  const one = async (): Promise<void> => {
    for (let n = 0; n < each; n++) await crowd.act();
  };
  await Promise.all(Array.from({ length: workers }, one));
}

/** A stage of the move, and people on both sides of the step into the next one. */
async function during(crowd: MovingPeople, step: () => Promise<void>): Promise<void> {
  await Promise.all([live(crowd, people), step()]);
}

describe.each(writableEngines)('from Laravel in %s', (engine) => {
  it('refuses no person, and ends with everyone once', async () => {
    if (engine === 'MariaDB') mariadb = await startMariadb();
    const app = await newApp(core);
    const database = await openWritten('laravel', mariadb);
    await database.run('delete from users');
    const commands = new Commands(app, database);
    const old = new OldApp(database);
    const crowd = await MovingPeople.open({ core, app, old, random: randomNumbers(seed) });
    try {
      for (let n = 0; n < people; n++) await crowd.signUp();
      await commands.start();
      await core.post(`${app}/move/plan`, { users: people });
      await during(crowd, () => commands.next());

      commands.run('follow', '--interval', '1s', '--full-every', '5s', '--absent', 'remove');
      await during(crowd, () => commands.compare());
      await commands.examineWayBack();
      await during(crowd, () => commands.next('--share', '5', '--refused-before', '5'));

      commands.run('write-back');
      for (const share of ['50', '100']) await during(crowd, () => commands.next('--share', share));
      await during(crowd, () => commands.move('back', '--yes'));
      await live(crowd, people);
      await during(crowd, () => commands.next('--share', '100', '--refused-before', '5'));
      await live(crowd, people);

      await expect
        .poll(async () => (await commands.status()).waiting)
        .toMatchObject({ users: 0, conflicts: 0 });
      await commands.compare();
      await expectTheSame(crowd, old);
      await during(crowd, () => commands.move('close', '--yes'));
      expect(await commands.ended()).toMatchObject([{ code: 3 }, { code: 3 }]);
      for (const person of crowd.all)
        expect([person.email, person.isGone || (await crowd.signIn(person)).isHere]).toEqual([
          person.email,
          true,
        ]);
      for (const count of Object.values(crowd.done)) expect(count).toBeGreaterThan(0);
      const users = crowd.all.filter(({ isGone }) => !isGone).length;
      expect((await core.get(`${app}/users/count`)).body).toMatchObject({ count: users });
    } finally {
      process.stderr.write(await commands.stop());
      await crowd.stop();
      await database.drop();
    }
  });
});

/** The old system holds everyone with the newest password, everyone once, and only them. */
async function expectTheSame(crowd: MovingPeople, old: OldApp): Promise<void> {
  const there = crowd.all.filter(({ isGone }) => !isGone);
  expect((await old.emails()).toSorted()).toEqual(there.map(({ email }) => email).toSorted());
  for (const { email, password } of there)
    expect([email, await old.signIn(email, password)]).toEqual([email, expect.any(String)]);
  for (const person of crowd.all.filter(({ isGone }) => isGone))
    await expect.poll(() => crowd.tried(person), { message: person.email }).toBe(401);
}
