/** PBKDF2, whose cost is time alone. */

import { aspnetThreeStart, parseAspnet } from '../aspnet.ts';
import { pbkdf2Bytes, pbkdf2Ms } from '../pbkdf2.ts';
import { parseDjangoPbkdf2, parsePhcPbkdf2, parseWerkzeugPbkdf2 } from '../pbkdf2-spellings.ts';
import type { KindRows } from './row.ts';

const pbkdf2Cost = { bytes: () => pbkdf2Bytes, work: pbkdf2Ms };

export const pbkdf2Rows: Pick<KindRows, 'pbkdf2' | 'pbkdf2_kratos' | 'aspnet'> = {
  pbkdf2: {
    label: 'PBKDF2',
    spellings: [
      ['$pbkdf2-sha1$', parsePhcPbkdf2('pbkdf2', 'sha1')],
      ['$pbkdf2-sha256$', parsePhcPbkdf2('pbkdf2', 'sha256')],
      ['$pbkdf2-sha512$', parsePhcPbkdf2('pbkdf2', 'sha512')],
      // passlib's name for SHA-1
      ['$pbkdf2$', parsePhcPbkdf2('pbkdf2', 'sha1')],
      ['pbkdf2_sha1$', parseDjangoPbkdf2],
      ['pbkdf2_sha256$', parseDjangoPbkdf2],
      ['pbkdf2_sha512$', parseDjangoPbkdf2],
      ['pbkdf2:', parseWerkzeugPbkdf2],
    ],
    ...pbkdf2Cost,
  },
  // Ory Kratos means SHA-3 by these labels, everybody else SHA-2: only a caller can say which it is.
  pbkdf2_kratos: {
    label: 'Kratos PBKDF2',
    spellings: [
      ['$pbkdf2-sha224$', parsePhcPbkdf2('pbkdf2_kratos', 'sha3-224')],
      ['$pbkdf2-sha384$', parsePhcPbkdf2('pbkdf2_kratos', 'sha3-384')],
    ],
    mustBeNamed: true,
    ...pbkdf2Cost,
  },
  aspnet: {
    label: 'ASP.NET Identity',
    spellings: [[aspnetThreeStart, parseAspnet]],
    parseUnmarked: parseAspnet,
    ...pbkdf2Cost,
  },
};
