/** What was asked of a load, as its result states it: by this the results of several machines are known as parts of one load. */

import { addressText, type Server } from '../../client/http.ts';
import type { Bounds } from '../measure.ts';
import type { Mix, Share } from '../mixes/mix.ts';
import type { LoadOptions } from '../run.ts';

export interface Asked {
  readonly url: string;
  readonly mix: Pick<Mix, 'name' | 'inWords' | 'shares' | 'importing'>;
  readonly people: {
    readonly users: number;
    readonly signIn: number;
    readonly inWords: string;
  };
  readonly asked: {
    readonly rate: number | undefined;
    readonly seconds: number;
    readonly stepSeconds: number;
    /** The planned beginning in UTC, as 2026-11-27T10:30:00.000Z. */
    readonly at: string | undefined;
    readonly share: Share;
    readonly bounds: Bounds;
  };
}

export function askedOf({ url }: Pick<Server, 'url'>, options: LoadOptions): Asked {
  const { mix, people, rate, seconds, stepSeconds, at, share, bounds } = options;
  return {
    url: addressText(url),
    mix: { name: mix.name, inWords: mix.inWords, shares: mix.shares, importing: mix.importing },
    people: { users: people.users, signIn: people.people.length, inWords: people.inWords },
    asked: {
      rate,
      seconds,
      stepSeconds,
      at: at === undefined ? undefined : new Date(at).toISOString(),
      share,
      bounds,
    },
  };
}
