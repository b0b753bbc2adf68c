/** People who use an app all along a move: they sign in, sign up, change passwords and leave, by the move's instruction. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import bcrypt from 'bcrypt';
import express from 'express';
import { expect } from 'vitest';
import { moveRoutes, type OldSystem } from '../../examples/move/express.ts';
import type { TestCore } from './core.ts';
import { eventually } from './eventually.ts';
import type { WrittenDatabase } from './write-back.ts';

/** The cost of the old system's hashes: its minimum, because thousands are made. */
const cost = 4;

interface OldRow {
  readonly id: string | number;
  readonly password: string;
  /** Set for users who have left, where the table has the column. */
  readonly deleted_at?: unknown;
}

const hasLeft = ({ deleted_at }: Pick<OldRow, 'deleted_at'>): boolean => (deleted_at ?? null) !== null;

/** The code that a Laravel app has today, over its table of users. */
export class OldApp implements OldSystem {
  readonly #old: WrittenDatabase;

  constructor(old: WrittenDatabase) {
    this.#old = old;
  }

  async signIn(email: string, password: string): Promise<string | undefined> {
    const [row] = await this.#old.rows<OldRow>(`select * from users where email = '${email}'`);
    if (row === undefined || hasLeft(row)) return undefined;
    // Node's bcrypt knows PHP's prefix as its own.
    const isRight = await bcrypt.compare(password, row.password.replace('$2y$', '$2b$'));
    return isRight ? String(row.id) : undefined;
  }

  async signUp(email: string, password: string): Promise<string | undefined> {
    const values = `'x', '${email}', '${await hashOf(password)}', current_timestamp, current_timestamp`;
    const [row] = await this.#old.rows<OldRow>(
      `insert into users (name, email, password, created_at, updated_at) values (${values}) returning id`,
    );
    return row && String(row.id);
  }

  /** Emails of the users who have not left. */
  async emails(): Promise<string[]> {
    const rows = await this.#old.rows<OldRow & { email: string }>('select * from users');
    return rows.filter((row) => !hasLeft(row)).map(({ email }) => email);
  }

  async setPassword(id: string, password: string): Promise<void> {
    const hash = await hashOf(password);
    await this.#old.run(
      `update users set password = '${hash}', updated_at = current_timestamp where id = ${id}`,
    );
  }

  remove(id: string): Promise<void> {
    return this.#old.run(`delete from users where id = ${id}`);
  }
}

async function hashOf(password: string): Promise<string> {
  return (await bcrypt.hash(password, cost)).replace('$2b$', '$2y$');
}

export interface Person {
  readonly email: string;
  /** The newest one. */
  password: string;
  isGone: boolean;
}

interface World {
  readonly core: TestCore;
  /** The beginning of its paths. */
  readonly app: string;
  readonly old: OldApp;
  /** 0 to 1, the same sequence for a seed. */
  readonly random: () => number;
}

/** A person tries again. */
const againMs = 500;

/** The people, and the app that they use: the recipe for Express. */
export class MovingPeople {
  readonly all: Person[] = [];
  /** What people did, by name. */
  readonly done = { signIns: 0, signUps: 0, passwords: 0, left: 0 };
  readonly #world: World;
  readonly #site: string;
  readonly #busy = new Set<Person>();
  readonly #stop: () => Promise<void>;

  private constructor(world: World, site: string, stop: () => Promise<void>) {
    this.#world = world;
    this.#site = site;
    this.#stop = stop;
  }

  static async open(world: World): Promise<MovingPeople> {
    const { core, app, old } = world;
    const site = express();
    const signedIn = (_request: unknown, response: express.Response, userId: string) =>
      void response.json({ userId });
    site.use(moveRoutes({ core: `${core.url}${app}`, apiKey: core.apiKey, old, signedIn }));
    const server = site.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return new MovingPeople(world, `http://127.0.0.1:${port}`, async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    });
  }

  stop(): Promise<void> {
    return this.#stop();
  }

  /** One thing that one person does; people do theirs at the same time. */
  async act(): Promise<void> {
    const { random } = this.#world;
    if (random() < 0.1) return this.signUp();
    const free = this.all.filter((person) => !person.isGone && !this.#busy.has(person));
    const person = free[Math.floor(random() * free.length)];
    if (person === undefined) return;
    this.#busy.add(person);
    try {
      await this.#visit(person);
    } finally {
      this.#busy.delete(person);
    }
  }

  /** A person the app does not know yet. */
  async signUp(): Promise<void> {
    const number = this.all.length + 1;
    const person = { email: `person${number}@example.com`, password: `first ${number}`, isGone: false };
    this.all.push(person);
    this.#busy.add(person);
    const { status } = await this.#post('/signup', person);
    expect([person.email, status]).toEqual([person.email, 200]);
    this.done.signUps += 1;
    this.#busy.delete(person);
  }

  /** Signs in with the newest password. @returns the system that did, and the user's id there */
  async signIn(person: Person): Promise<{ readonly isHere: boolean; readonly userId: string }> {
    // What a person changed at the other system right before a step is here within seconds.
    const { status, isHere, userId } = await eventually(async () => {
      const tried = await this.#tryOnce(person);
      if (tried.status === 401) throw new Error(`${person.email} is refused with the newest password`);
      return tried;
    }, againMs);
    if (userId === undefined) throw new Error(`${person.email} cannot sign in: ${status}`);
    this.done.signIns += 1;
    return { isHere, userId };
  }

  /** @returns 401 also for a sign-in during a step, because either system may have been asked */
  async #tryOnce(person: Person) {
    const before = await this.#isHere(person);
    const answer = await this.#post('/signin', person);
    const isHere = await this.#isHere(person);
    return before === isHere ? { ...answer, isHere } : { status: 401, userId: undefined, isHere };
  }

  /** One try with the newest password. @returns the HTTP status */
  async tried(person: Person): Promise<number> {
    return (await this.#post('/signin', person)).status;
  }

  async #visit(person: Person): Promise<void> {
    const { isHere, userId } = await this.signIn(person);
    const chance = this.#world.random();
    if (chance < 0.3) await this.#changePassword(person, isHere, userId);
    else if (chance < 0.36) await this.#leave(person, isHere, userId);
  }

  async #changePassword(person: Person, isHere: boolean, userId: string): Promise<void> {
    const { core, app, old } = this.#world;
    const password = `${person.password.split(',')[0] ?? ''}, ${(this.done.passwords += 1)}`;
    if (isHere) {
      const { body } = await core.put(`${app}/recipe/user`, { recipeUserId: userId, password });
      expect(body).toMatchObject({ status: 'OK' });
    } else await old.setPassword(userId, password);
    person.password = password;
  }

  async #leave(person: Person, isHere: boolean, userId: string): Promise<void> {
    const { core, app, old } = this.#world;
    person.isGone = true;
    this.done.left += 1;
    if (isHere)
      expect((await core.post(`${app}/user/remove`, { userId })).body).toMatchObject({ status: 'OK' });
    else await old.remove(userId);
  }

  async #isHere({ email }: Person): Promise<boolean> {
    const { core, app } = this.#world;
    return (await core.get(`${app}/move`, { email })).body.signIn === 'here';
  }

  async #post(route: '/signin' | '/signup', { email, password }: Person) {
    const response = await fetch(`${this.#site}${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    const text = await response.text();
    if (response.status >= 500) throw new Error(`${email}, ${route}: ${response.status} ${text}`);
    const { userId } = JSON.parse(text) as { userId?: string };
    return { status: response.status, userId };
  }
}
