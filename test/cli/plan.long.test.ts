/** `carryover plan` as a person runs it: with a separate core and PostgreSQL, of which nothing remains. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePlace, type Place, type Running } from '../helpers/carryover.ts';

let place: Place;
let temporary: string;

beforeEach(async () => {
  place = await makePlace();
  // PostgreSQL's user needs access when the tests run as root.
  await chmod(path.dirname(place.folder), 0o711);
  temporary = path.join(path.dirname(place.folder), 'tmp');
  await mkdir(temporary);
});

afterEach(() => place.remove());

/** Whatever else is configured: a person's own database is never used. */
const ownDatabase = { POSTGRESQL_CONNECTION_URI: 'postgres://nobody:secret@127.0.0.1:1/theirs' };

const start = (...args: string[]): Running =>
  place.start(['plan', ...args], { environment: { TMPDIR: temporary, ...ownDatabase } });

const bcrypt10 = '$2b$10$pz9wj5VnjseLzsZIFntXOuDZ9rinO8n6eeLztHLbWBhy4vM3QFXTa';
const argon2 = '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$iyh0uBYyVLVvf2pTfXnXxQoIR0z0y6bJ8L0F1Yf2Qx4';

function writeUsers(hashes: readonly string[], count: number): Promise<string> {
  const lines = Array.from({ length: count }, (_, n) => {
    const method = {
      recipeId: 'emailpassword',
      email: `person-${n}@example.com`,
      passwordHash: hashes[n % hashes.length],
      tenantIds: n % 2 === 0 ? ['public'] : ['shop'],
    };
    return JSON.stringify({ externalUserId: `legacy-${n}`, loginMethods: [method] });
  });
  return place.write('users.ndjson', `${lines.join('\n')}\n`);
}

interface Program {
  readonly pid: number;
  readonly command: string;
}

/** Running programs that mention the temporary folder. */
async function programsLeft(): Promise<Program[]> {
  return (await allPrograms()).filter(({ command }) => command.includes(temporary));
}

async function allPrograms(): Promise<Program[]> {
  const pids = await readdir('/proc').catch(() => undefined);
  if (pids !== undefined) return Promise.all(pids.map(Number).filter(Number.isInteger).map(programOf));
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid,args']);
  return stdout.split('\n').map((line) => ({ pid: Number.parseInt(line), command: line }));
}

async function programOf(pid: number): Promise<Program> {
  return { pid, command: await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') };
}

async function expectNothingLeft(): Promise<void> {
  expect(await place.list(temporary)).toEqual([]);
  expect(await programsLeft()).toEqual([]);
}

interface PlanView {
  readonly users: number;
  readonly import: Readonly<Record<string, number>>;
  readonly hashes: readonly { kind: string; users: number; cpuMs: number; isBelowPolicy: boolean }[];
  readonly signIns: { arrivals: number; capacity: number; steps: { upgraded: number; cpuMs: number }[] };
  readonly settings: { advice: readonly { setting: string; value: unknown }[] };
}

describe('plan', () => {
  it('measures and reckons for a small file, from the hashes that it holds', async () => {
    await writeUsers([bcrypt10, bcrypt10, bcrypt10, argon2], 50);
    const { code, stdout } = await start('users.ndjson', '--calibrate', '3', '--arrivals', '40/s', '--json')
      .ended;
    const view = JSON.parse(stdout) as PlanView;
    expect(code, stdout).toBe(0);
    expect(view).toMatchObject({ status: 'OK', format: 'native', records: 50, users: 50, rejected: 0 });
    expect(view.hashes).toMatchObject([
      { kind: 'bcrypt', cost: { logRounds: 10 }, users: 38, isBelowPolicy: true, isMeasured: true },
      { kind: 'argon2', users: 12, isBelowPolicy: false, isMeasured: true },
    ]);
    for (const figure of ['seconds', 'usersPerSecond', 'databaseBytes', 'walPeakBytes'])
      expect(view.import[figure], figure).toBeGreaterThan(0);
    expect(view.signIns).toMatchObject({ arrivals: 40, areArrivalsAssumed: false });
    expect(view.signIns.steps.map(({ upgraded }) => upgraded)).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect(view.signIns.capacity).toBeGreaterThan(0);
    expect(view.settings.advice.map(({ setting }) => setting)).toContain('hashing_queue_limit');
    expect(stdout).not.toContain(bcrypt10);
    await expectNothingLeft();
  });

  it('says the same to people, of an export whose signer key is missing', async () => {
    const file = fileURLToPath(new URL('../exports/files/firebase.json', import.meta.url));
    const { code, stdout, stderr } = await start(file, '--calibrate', '2').ended;
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(
      /Reading as firebase[^]*Calibrating the import: 1 s\nCalibrating sign-ins: 1 s\n$/,
    );
    expect(stdout).toMatch(/\nImport\n {2}time +about [^]+ {2}disk +about [^]+ {2}memory {4}/);
    expect(stdout).toMatch(/\n {2}Firebase scrypt {2}N=16384 r=8 p=1 +\d/);
    expect(stdout).toMatch(
      /\nFirst morning: [\d.]+ sign-ins\/s \(assumed: a tenth of the \d+ within an hour/,
    );
    expect(stdout).toMatch(/\n {2}provider_password_hashing_signer_key: … +change: without it/);
    await expectNothingLeft();
  });

  it.each([
    ['while the servers start', /Starting a core/],
    ['while it calibrates', /Calibrating the import/],
  ])('leaves nothing behind when it is interrupted %s', async (_, moment) => {
    await writeUsers([bcrypt10], 50);
    const running = start('users.ndjson', '--calibrate', '10');
    await running.said(moment);
    running.interrupt();
    expect(await running.ended).toMatchObject({ code: 130, stdout: '' });
    await expectNothingLeft();
  });

  it('leaves nothing behind at a second signal, while its core hangs', async () => {
    await writeUsers([bcrypt10], 50);
    const running = start('users.ndjson', '--calibrate', '10');
    await running.said(/Calibrating the import/);
    for (const { pid, command } of await programsLeft())
      if (command.includes('--ends-with-input')) process.kill(pid, 'SIGSTOP');
    const insisting = setInterval(running.interrupt, 50);
    expect(await running.ended).toMatchObject({ code: 130, stdout: '' });
    clearInterval(insisting);
    await expect.poll(programsLeft).toEqual([]);
    expect(await place.list(temporary)).toEqual([]);
  });

  it('leaves no servers behind when it is killed', async () => {
    await writeUsers([bcrypt10], 50);
    const running = start('users.ndjson', '--calibrate', '10');
    await running.said(/Calibrating the import/);
    expect(await programsLeft()).not.toEqual([]);
    running.kill();
    await running.ended;
    await expect.poll(programsLeft).toEqual([]);
  });

  it.each([
    [['no-such.ndjson'], /no-such\.ndjson: there is no such file/],
    [['users.ndjson', '--arrivals', 'lots'], /--arrivals.*It takes sign-ins a second, such as 40\/s\./],
    [['users.ndjson', '--arrivals', '0'], /It takes sign-ins a second/],
    [['users.ndjson', '--calibrate', '1'], /--calibrate.*It takes whole seconds from 2 to 600\./],
    [['users.ndjson', '--pepper', 'x'], /--pepper is for/],
  ])('refuses %j', async (args, message) => {
    await writeUsers([bcrypt10], 1);
    const { code, stdout, stderr } = await start(...args).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    await expectNothingLeft();
  });

  it('says where it has no folder to work in', async () => {
    await writeUsers([bcrypt10], 1);
    const environment = { TMPDIR: path.join(temporary, 'gone') };
    const { code, stderr } = await place.start(['plan', 'users.ndjson'], { environment }).ended;
    expect(code).toBe(2);
    expect(stderr).toMatch(/tmp\/gone: there is no such folder: make it first\n$/);
  });

  it('refuses a file without users before it starts anything', async () => {
    await place.write('users.ndjson', '{"loginMethods":[{"recipeId":"emailpassword","email":"a@x.org"}]}\n');
    const { code, stderr } = await start('users.ndjson').ended;
    expect(code).toBe(2);
    expect(stderr).toContain("This file has no users to plan for: 'carryover inspect' shows why");
    expect(stderr).not.toContain('Starting');
  });
});
