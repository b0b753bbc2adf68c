import { randomFractions } from '../../../src/load/random.ts';
import type { CoreProcess } from '../../load/processes.ts';
import { type JsonRequest, sendAll } from '../../load/requests.ts';
import { passwordOf } from './laravel.ts';

/** A user who is changed here, as the old system should have them. */
export interface Person {
  /** As callers of the core know the user: the key of the row there, but for users who signed up here. */
  readonly id: string;
  readonly isNew: boolean;
  email: string;
  password: string;
  /** The id of the account at Google. */
  google: string | null;
  isGone: boolean;
}

const kinds = ['sign-up', 'reset', 'email', 'link', 'factor', 'removal'] as const;
type Kind = (typeof kinds)[number];

/** People, and what they change at random: the same for the same core. */
export class People {
  readonly all: Person[] = [];
  readonly #core: CoreProcess;
  readonly #random = randomFractions(20_261_128);
  #changes = 0;

  /** @param users the number of imported users, of which `active` change something */
  constructor(core: CoreProcess, users: number, active: number) {
    this.#core = core;
    const numbers = new Set<number>();
    while (numbers.size < active) numbers.add(1 + Math.floor(this.#random() * users));
    for (const n of numbers) {
      const email = `user-${n}@example.com`;
      this.all.push({
        id: String(n),
        isNew: false,
        email,
        password: passwordOf(n),
        google: null,
        isGone: false,
      });
    }
  }

  /**
   * Makes changes of all kinds, in the order of these; a person may change several things, and each of them once.
   * @returns the number of users who are to be written back: a second factor has no place there
   */
  async change(count: number): Promise<number> {
    const chosen = this.#choose(count);
    await this.#reset(chosen.get('reset') ?? []);
    await this.#changeEmails(chosen.get('email') ?? []);
    await this.#link(chosen.get('link') ?? []);
    await this.#addFactors(chosen.get('factor') ?? []);
    await this.#remove(chosen.get('removal') ?? []);
    const noted = kinds.filter((kind) => kind !== 'factor').flatMap((kind) => chosen.get(kind) ?? []);
    const signUps = count - [...chosen.values()].reduce((sum, people) => sum + people.length, 0);
    await this.#signUp(signUps);
    return new Set(noted).size + signUps;
  }

  /** By kind, without those who sign up. */
  #choose(count: number): ReadonlyMap<Kind, readonly Person[]> {
    const there = this.all.filter(({ isGone }) => !isGone);
    const chosen = new Map<Kind, Set<Person>>();
    for (let n = 0; n < count; n++) {
      const kind = kinds[Math.floor(this.#random() * kinds.length)] ?? 'sign-up';
      const person = there[Math.floor(this.#random() * there.length)];
      if (kind === 'sign-up' || person === undefined || (kind === 'link' && person.google !== null)) continue;
      chosen.set(kind, (chosen.get(kind) ?? new Set()).add(person));
    }
    return new Map([...chosen].map(([kind, people]) => [kind, [...people]]));
  }

  #next(): number {
    return (this.#changes += 1);
  }

  async #post(requests: readonly (readonly [path: string, body: object])[]): Promise<unknown[]> {
    return sendAll(
      this.#core,
      requests.map(([path, body]) => ({ method: 'POST', path, body })),
    );
  }

  /** Changes of login methods with a password. */
  async #put(people: readonly Person[], input: (person: Person) => object): Promise<void> {
    const request = (person: Person): JsonRequest => ({
      method: 'PUT',
      path: '/recipe/user',
      body: { recipeUserId: person.id, ...input(person) },
    });
    await sendAll(this.#core, people.map(request));
  }

  /** Those who forgot their password set another one by the token that they were sent. */
  async #reset(people: readonly Person[]): Promise<void> {
    const path = '/recipe/user/password/reset/token';
    const made = await this.#post(people.map(({ id, email }) => [path, { userId: id, email }]));
    const tokens = made as { readonly token: string }[];
    await this.#post(tokens.map(({ token }) => [`${path}/consume`, { method: 'token', token }]));
    for (const person of people) person.password = `set here ${this.#next()}`;
    await this.#put(people, ({ password }) => ({ password }));
  }

  async #changeEmails(people: readonly Person[]): Promise<void> {
    for (const person of people) person.email = `changed-${this.#next()}@example.com`;
    await this.#put(people, ({ email }) => ({ email }));
  }

  /** They add an account at Google with the same email. */
  async #link(people: readonly Person[]): Promise<void> {
    for (const person of people) person.google = String(1e15 + this.#next());
    const made = await this.#post(
      people.map(({ email, google }) => [
        '/recipe/signinup',
        { thirdPartyId: 'google', thirdPartyUserId: google, email: { id: email, isVerified: true } },
      ]),
    );
    const accounts = made as { readonly user: { readonly id: string } }[];
    const path = '/recipe/accountlinking/user';
    await this.#post(people.map(({ id }) => [`${path}/primary`, { recipeUserId: id }]));
    await this.#post(
      people.map(({ id }, n) => [`${path}/link`, { recipeUserId: accounts[n]?.user.id, primaryUserId: id }]),
    );
  }

  async #addFactors(people: readonly Person[]): Promise<void> {
    const device = { skew: 1, period: 30, secretKey: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' };
    await this.#post(
      people.map(({ id }) => [
        '/recipe/totp/device/import',
        { userId: id, deviceName: `phone ${this.#next()}`, ...device },
      ]),
    );
  }

  async #remove(people: readonly Person[]): Promise<void> {
    for (const person of people) person.isGone = true;
    await this.#post(people.map(({ id }) => ['/user/remove', { userId: id }]));
  }

  async #signUp(count: number): Promise<void> {
    const inputs = Array.from({ length: count }, () => {
      const n = this.#next();
      return { email: `new-${n}@example.com`, password: `made here ${n}` };
    });
    const made = await this.#post(inputs.map((input) => ['/recipe/signup', input]));
    const users = made as { readonly user: { readonly id: string } }[];
    for (const [n, input] of inputs.entries())
      this.all.push({ id: users[n]?.user.id ?? '', isNew: true, ...input, google: null, isGone: false });
  }
}
