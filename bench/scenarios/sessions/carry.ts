import { generateKeyPairSync, sign } from 'node:crypto';
import { externalIdOf, someHash } from '../../../src/load/made-up.ts';
import { importPeople } from '../../load/people.ts';
import { startServerProcess } from '../../load/processes.ts';
import { runLoad } from '../../load/run-load.ts';
import { withStand } from '../../load/stand.ts';
import { untilKnown } from '../../rounds.ts';
import { measured, type Scenario } from '../../scenario.ts';
import { serveSignatures } from './bare-keys.ts';

const connections = 64;
const people = 1000;
/** Either is enough: a machine that is slow at signatures cannot reach the first, and a fast one need not reach the second. */
const promised = { perSecond: 2000, share: 0.8 };
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const [issuer, audience, kid] = ['https://old.example', 'app', 'old'];
const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
const source = {
  name: 'old',
  speaks: 'jwt',
  issuer,
  audience,
  algorithms: ['ES256'],
  until: day,
  keys: [{ ...publicKey.export({ format: 'jwk' }), kid }],
};

/**
 * Tokens of an old system exchanged for sessions: one signature is verified and one made for each, so a server that only signs is
 * the reference. Client, server and PostgreSQL share the machine.
 */
export const carry: Scenario = {
  name: 'carry',
  about: 'tokens of an old system exchanged for sessions, against a server that only signs',
  run: (options) =>
    withStand({ SESSION_SOURCES: JSON.stringify([source]) }, async ({ core }) => {
      const signer = await startServerProcess(import.meta.resolve('./bare-keys.ts'), serveSignatures);
      try {
        const hash = { passwordHash: someHash, hashingAlgorithm: 'bcrypt' } as const;
        await importPeople(core, people, () => hash);
        const visits = options.quick ? 3000 : 6000;
        const loop = (count: number) => ({ kind: 'closed', connections, until: { visits: count } }) as const;
        const { say } = options;
        const warmUp = posts('/recipe/session/carry', tokensFor(500 + connections));
        await runLoad(core, { traffic: warmUp, loop: loop(500), say });
        return await untilKnown(
          options,
          {
            least: 5,
            most: 15,
            inWords: ({ carried, signed }) =>
              `exchanged ${Math.round(carried.perSecond)}/s, signed ${Math.round(signed.perSecond)}/s`,
          },
          async () => {
            const traffic = posts('/recipe/session/carry', tokensFor(visits + connections));
            const carried = await runLoad(core, { traffic, loop: loop(visits), say });
            const signed = await runLoad(signer, { traffic: posts('/', ['{}']), loop: loop(visits), say });
            return { carried, signed };
          },
          (rounds) => [
            measured(
              {
                name: 'carry/exchange',
                unit: 'exchanges/s',
                reference: 'a server that only signs',
                details: { connections, outcomes: rounds.at(-1)?.carried.outcomes },
              },
              rounds.map(({ carried, signed }) => [carried.perSecond, signed.perSecond]),
            ),
            measured(
              {
                name: 'carry/promised',
                unit: 'exchanges/s',
                atLeast: 1,
                reference: `${promised.perSecond}/s, or ${promised.share} of a server that only signs where that is less`,
              },
              rounds.map(({ carried, signed }) => [
                carried.perSecond,
                Math.min(promised.perSecond, promised.share * signed.perSecond),
              ]),
            ),
          ],
        );
      } finally {
        await signer.stop();
      }
    }),
};

const posts = (path: string, bodies: readonly string[]) => ({ kind: 'posts', path, bodies }) as const;

let made = 0;

/** None is exchanged twice. */
function tokensFor(count: number): string[] {
  const iat = Math.floor(Date.now() / 1000);
  return Array.from({ length: count }, () => {
    made++;
    const sub = externalIdOf(made % people);
    const text = [
      { alg: 'ES256', kid },
      { iss: issuer, aud: audience, sub, iat, exp: iat + 3600, jti: String(made) },
    ]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
    const token = `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
    return JSON.stringify({ source: source.name, token });
  });
}
