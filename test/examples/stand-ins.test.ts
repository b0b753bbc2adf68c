/** The stand-ins for a provider and a mailbox: as strict as those, and bounded. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Grants } from '../../examples/app/stand-ins/grants.ts';
import { Outbox } from '../../examples/app/stand-ins/outbox.ts';
import { people } from '../../examples/app/stand-ins/people.ts';

const [person] = people;
const verifier = 'known to the app alone';
const codeChallenge = createHash('sha256').update(verifier).digest('base64url');
const redirectUri = 'http://localhost:3001/callback';

function opened(): { grants: Grants; code: string; pass: (ms: number) => void } {
  let now = 0;
  const grants = new Grants(() => now);
  if (!person) throw new Error('nobody has an account');
  const code = grants.open(person, { redirectUri, codeChallenge });
  return { grants, code, pass: (ms) => (now += ms) };
}

describe('a code of the provider', () => {
  it('says once who came', () => {
    const { grants, code } = opened();
    expect(grants.redeem(code, redirectUri, verifier)).toBe(person);
    expect(grants.redeem(code, redirectUri, verifier)).toBeUndefined();
  });

  it.each([
    ['another address', 'http://localhost:3001/elsewhere', verifier],
    ['another verifier', redirectUri, 'a guess'],
  ])('is worth nothing with %s, and nothing after that', (_what, address, given) => {
    const { grants, code } = opened();
    expect(grants.redeem(code, address, given)).toBeUndefined();
    expect(grants.redeem(code, redirectUri, verifier)).toBeUndefined();
  });

  it('works for a minute', () => {
    const { grants, code, pass } = opened();
    pass(60_001);
    expect(grants.redeem(code, redirectUri, verifier)).toBeUndefined();
  });

  it('gives way to a hundred newer ones', () => {
    const { grants, code } = opened();
    if (person) for (let n = 0; n < 100; n++) grants.open(person, { redirectUri, codeChallenge });
    expect(grants.redeem(code, redirectUri, verifier)).toBeUndefined();
  });
});

it('keeps the newest twenty mails', () => {
  const outbox = new Outbox();
  for (let n = 1; n <= 21; n++) outbox.send({ to: 'ada@example.com', subject: `mail ${n}`, text: '' });
  expect(outbox.mails.map(({ subject }) => subject)).toEqual(
    Array.from({ length: 20 }, (_, n) => `mail ${21 - n}`),
  );
});
