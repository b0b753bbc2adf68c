/** A move by its routes. */
import { expect } from 'vitest';
import type { TestCore } from './core.ts';

type Answer = Readonly<Record<string, unknown>>;

/** As it is sent, and as a status shows it. */
export const source = {
  sent: { system: 'laravel', address: 'mysql://db.example.com:3306/shop', source: '' },
  shown: { system: 'laravel', address: 'mysql://db.example.com:3306/shop', label: '' },
} as const;

/** A step waits until every core hashes as it says: meanwhile processes renew their leases, as they do. */
export async function whileRenewing<Result>(
  renew: () => Promise<unknown>,
  step: Promise<Result>,
): Promise<Result> {
  const timer = setInterval(() => {
    renew().catch(() => undefined);
  }, 3000);
  try {
    return await step;
  } finally {
    clearInterval(timer);
  }
}

export type MoveClient = ReturnType<typeof moveClient>;

export function moveClient(core: TestCore, app: string) {
  const fences = new Map<string, number>();
  const post = async (path: string, input: object = {}): Promise<Answer> => {
    const { http, body, text } = await core.post(`${app}/move${path}`, input);
    expect([http, text]).toEqual([200, text]);
    return body;
  };
  const done = async (path: string, input?: object): Promise<Answer> => {
    const answer = await post(path, input);
    expect(answer).toMatchObject({ status: 'OK' });
    return answer;
  };
  const client = {
    post,
    where: async (named: Record<string, string>) => (await core.get(`${app}/move`, named)).body,
    status: async () => (await core.get(`${app}/move/status`)).body,
    start: () => done('', source.sent),
    compared: (figures: object = {}) =>
      done('/comparison', { users: 9, unexplained: 0, tookMs: 5, ...figures }),
    wayBack: (figures: object = {}) => done('/way-back', { users: 9, without: 0, tookMs: 5, ...figures }),
    async claim(role: string, holder = 'a machine') {
      const { fence } = await done('/lease', { role, holder, ...source.sent });
      fences.set(role, Number(fence));
    },
    async lag(role: string, lagMs: number, lagRecords = 1) {
      const sent = { role, fence: fences.get(role), lagMs, lagRecords };
      expect((await core.put(`${app}/move/lease`, sent)).body).toMatchObject({ status: 'OK' });
    },
    async toFollowing() {
      if ((await client.status()).stage === undefined) await client.start();
      await done('/plan', { users: 9 });
      await done('/next');
    },
    /** Everything that a first share needs. */
    async ready() {
      await client.compared();
      await client.wayBack();
      if (!fences.has('follow')) await client.claim('follow');
      await client.lag('follow', 10);
    },
    async toLeading(share: number, refusedBefore = 1) {
      const { stage } = await client.status();
      if (stage === undefined || stage === 'rehearsing') await client.toFollowing();
      await client.ready();
      await whileRenewing(() => client.lag('follow', 10), done('/next', { share, refusedBefore }));
    },
    async raise(share: number) {
      if (!fences.has('write-back')) await client.claim('write-back');
      const renew = async () => {
        for (const role of fences.keys()) await client.lag(role, 10);
      };
      await renew();
      await whileRenewing(renew, done('/next', { share }));
    },
  };
  return client;
}
