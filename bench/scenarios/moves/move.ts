import { identityOf, readAddress } from '../../../src/exports/sources/engines/address.ts';
import type { CoreProcess } from '../../load/processes.ts';
import { sendAll } from '../../load/requests.ts';

/** The steps of a move from a Laravel app, with the reports that they ask for. */
export interface Steps {
  toFollowing(): Promise<void>;
  /** All users sign in here. */
  toLeading(): Promise<void>;
  close(): Promise<void>;
}

/** @param address of the old system's database, as on a command line */
export function stepsOf(core: CoreProcess, address: string): Steps {
  const source = { system: 'laravel', address: identityOf(readAddress(address, undefined)) };
  const post = async (path: string, body: object): Promise<unknown> => {
    const [answer] = await sendAll(core, [{ method: 'POST', path: `/move${path}`, body }]);
    return answer;
  };
  const role = 'follow';
  return {
    async toFollowing() {
      await post('', source);
      await post('/plan', { users: 1 });
      await post('/next', {});
    },
    async toLeading() {
      await post('/comparison', { users: 1, unexplained: 0, tookMs: 1 });
      await post('/way-back', { users: 1, without: 0, tookMs: 1 });
      const claimed = (await post('/lease', { role, holder: 'bench', ...source })) as {
        readonly fence: number;
      };
      const renewal = { role, fence: claimed.fence, lagMs: 1 };
      await sendAll(core, [{ method: 'PUT', path: '/move/lease', body: renewal }]);
      await post('/next', { share: 100, refusedBefore: 1 });
    },
    async close() {
      await post('/close', {});
    },
  };
}
