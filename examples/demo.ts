import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual, styleText } from 'node:util';
import { runConsoleDemo } from './demo-console.ts';
import { type DemoCore, startDemoCore } from './demo-core.ts';

/**
 * Imports a small export, end to end, into a real core with a real database: import, map, verify, sign in. Every answer is
 * checked against the contract; the exit code is 0 only when all were right.
 */

interface ExportedUser {
  readonly id: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly passwordHash?: string;
  readonly hashingAlgorithm?: string;
  readonly thirdPartyId?: string;
  readonly thirdPartyUserId?: string;
}

const password = 'correct horse battery staple';

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** One displayed step: the request, and whether the answer is as in the contract. */
function step(title: string, answer: Record<string, unknown>, expected: Record<string, unknown>): void {
  const wrong = Object.keys(expected).filter((field) => !isDeepStrictEqual(answer[field], expected[field]));
  if (wrong.length > 0) {
    const seen = JSON.stringify(Object.fromEntries(wrong.map((field) => [field, answer[field]])));
    throw new Error(`${title}: expected ${JSON.stringify(expected)}, the core answered ${seen}`);
  }
  const { status, ...rest } = expected;
  const details = Object.entries(rest).map(([field, value]) => `${field}: ${JSON.stringify(value)}`);
  print(
    `  ${styleText('green', '✓')} ${title}  ${styleText('dim', [String(status), ...details].join(', '))}`,
  );
}

/** @returns the core's own id of the user */
async function importUser(core: DemoCore, user: ExportedUser): Promise<string> {
  const { email, passwordHash, hashingAlgorithm, thirdPartyId, thirdPartyUserId } = user;
  const answer = passwordHash
    ? await core.call('POST', '/recipe/user/passwordhash/import', {
        email,
        passwordHash,
        ...(hashingAlgorithm && { hashingAlgorithm }),
      })
    : await core.call('POST', '/recipe/signinup', { thirdPartyId, thirdPartyUserId, email: { id: email } });
  const isNew = passwordHash ? { didUserAlreadyExist: false } : { createdNewUser: true };
  step(`import ${email} (${kindOf(user)})`, answer, { status: 'OK', ...isNew });
  return (answer.user as { id: string }).id;
}

function kindOf({ passwordHash, thirdPartyId }: ExportedUser): string {
  return passwordHash?.split('$')[1] ?? thirdPartyId ?? 'nothing';
}

async function carryOver(core: DemoCore, user: ExportedUser): Promise<void> {
  const superTokensUserId = await importUser(core, user);
  const mapped = await core.call('POST', '/recipe/userid/map', {
    superTokensUserId,
    externalUserId: user.id,
  });
  step(`  keep the id ${user.id}`, mapped, { status: 'OK' });
  if (!user.emailVerified) return;
  const pair = { userId: user.id, email: user.email };
  const made = await core.call('POST', '/recipe/user/email/verify/token', pair);
  step('  make a verification token', made, { status: 'OK' });
  const redemption = { method: 'token', token: made.token };
  const redeemed = await core.call('POST', '/recipe/user/email/verify', redemption);
  step('  redeem it', redeemed, { status: 'OK', userId: user.id, email: user.email });
  const again = await core.call('POST', '/recipe/user/email/verify', redemption);
  step('  it works only once', again, { status: 'EMAIL_VERIFICATION_INVALID_TOKEN_ERROR' });
}

async function signIn(core: DemoCore, user: ExportedUser): Promise<void> {
  const answer = await core.call('POST', '/recipe/signin', { email: user.email, password });
  step(`${user.email} signs in with the old password`, answer, { status: 'OK', recipeUserId: user.id });
  const read = await core.call('GET', '/user/id', { userId: user.id });
  const [method] = (read.user as { loginMethods: Record<string, unknown>[] }).loginMethods;
  step(
    '  verified as in the export',
    { status: read.status, ...method },
    {
      status: 'OK',
      verified: user.emailVerified,
    },
  );
}

async function run(core: DemoCore, users: readonly ExportedUser[]): Promise<void> {
  print(`\nCarrying ${users.length} users over`);
  for (const user of users) await carryOver(core, user);
  print('\nSigning in');
  const withPassword = users.filter((user) => user.passwordHash !== undefined);
  for (const user of withPassword) await signIn(core, user);
  for (const [who, email, given] of [
    ['a wrong password', withPassword[0]?.email, 'incorrect horse'],
    ['an unknown email', 'nobody@example.com', password],
    ['a social user', users.find((user) => user.thirdPartyId)?.email, password],
  ]) {
    const answer = await core.call('POST', '/recipe/signin', { email, password: given });
    step(`${who ?? ''} is refused`, answer, { status: 'WRONG_CREDENTIALS_ERROR' });
  }
  const counted = await core.call('GET', '/users/count', {});
  step('all are there', counted, { status: 'OK', count: users.length });
}

async function main(): Promise<void> {
  const text = await readFile(new URL('users.json', import.meta.url), 'utf8');
  const { signerKey, users } = JSON.parse(text) as { signerKey: string; users: ExportedUser[] };
  print('Starting PostgreSQL and the core in a temporary folder');
  const core = await startDemoCore(signerKey);
  print(`  ${styleText('green', '✓')} ready at ${core.url}`);
  try {
    await run(core, users);
  } finally {
    print('\nStopping');
    process.exitCode = (await core.stop()) === 0 ? 0 : 1;
  }
  if (process.exitCode !== 0) throw new Error('the core did not stop with exit code 0');
  print(`  ${styleText('green', '✓')} stopped cleanly, nothing left behind`);
}

try {
  if (process.argv.includes('--console')) await runConsoleDemo();
  else {
    await main();
    print('\nEvery step gave what the contract says.');
  }
} catch (error) {
  print(`\n${styleText('red', '✗')} ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
