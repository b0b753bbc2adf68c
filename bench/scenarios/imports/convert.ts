import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { runProcess } from '../../load/processes.ts';
import { untilKnown } from '../../rounds.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../../scenario.ts';
import { convert as convertExport } from '../../../src/exports/convert/convert.ts';
import type { ConvertPool } from '../../../src/exports/convert/ports.ts';
import { runConvertTask } from '../../../src/exports/convert/run-task.ts';
import { requireProvider } from '../../../src/exports/providers/index.ts';

/**
 * The CPU time of converting exports, with the account of every column: large files whose users are those of the sample exports,
 * each with a unique id and email. Relative to JSON.parse or csv-parse of the same bytes, the minimum for a reader of them. CPU
 * time, so that other load on the machine does not count.
 */
export const convert: Scenario = {
  name: 'convert',
  about:
    'CPU of converting exports of six systems in one thread, against JSON.parse or csv-parse of the same bytes',
  run: compare,
};

const users = { full: 100_000, quick: 2000 } as const;

/** An export by its provider: the sample that it is made from, and the position of the list of users in it. */
interface Export {
  readonly provider: string;
  readonly sample: string;
  /** `users`: an object with the list; `list`: the list itself, or its only element. */
  readonly form: 'users' | 'list' | 'lines' | 'csv';
}

const exports: readonly Export[] = [
  { provider: 'keycloak', sample: 'keycloak-users-0.json', form: 'users' },
  { provider: 'kratos', sample: 'kratos.json', form: 'list' },
  { provider: 'auth0', sample: 'auth0-users.ndjson', form: 'lines' },
  { provider: 'supertokens', sample: 'supertokens.json', form: 'users' },
  { provider: 'devise', sample: 'devise.csv', form: 'csv' },
  { provider: 'laravel', sample: 'laravel.csv', form: 'csv' },
];

const samples = fileURLToPath(new URL('../../../test/exports/files/', import.meta.url));

interface ConvertJob {
  readonly provider: string;
  readonly file: string;
  readonly form: Export['form'];
  readonly users: number;
}

/** µs of CPU for a user. */
interface Costs {
  readonly conversion: number;
  readonly parsing: number;
}

type Round = Readonly<Record<string, Costs>>;

async function compare(options: BenchOptions): Promise<Measurement[]> {
  const count = options.quick ? users.quick : users.full;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-bench-'));
  try {
    const jobs: ConvertJob[] = [];
    for (const { provider, sample, form } of exports) {
      const file = path.join(folder, sample);
      await writeFile(file, enlarged(await readFile(path.join(samples, sample), 'utf8'), form, count));
      jobs.push({ provider, file, form, users: count });
    }
    return await untilKnown(
      options,
      { least: 3, most: 8, inWords },
      () => runRound(jobs),
      (rounds) => jobs.map(({ provider }) => comparison(rounds, provider, count)),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function runRound(jobs: readonly ConvertJob[]): Promise<Round> {
  const round: Record<string, Costs> = {};
  for (const job of jobs) round[job.provider] = await runProcess(import.meta.url, costsOf, job);
  return round;
}

function comparison(rounds: readonly Round[], provider: string, count: number): Measurement {
  const isCsv = exports.some((each) => each.provider === provider && each.form === 'csv');
  return measured(
    {
      name: `convert-${provider}`,
      unit: 'µs of CPU a user',
      reference: `${isCsv ? 'csv-parse' : 'JSON.parse'} of the same bytes`,
      details: { users: count },
    },
    rounds.map((round) => [round[provider]?.conversion ?? NaN, round[provider]?.parsing ?? NaN]),
  );
}

function inWords(round: Round): string {
  return Object.entries(round)
    .map(([name, { conversion, parsing }]) => `${name} ${conversion.toFixed(1)} µs (${parsing.toFixed(1)})`)
    .join(', ');
}

/** Parses a file, then converts it, in a separate process. @throws Error unless all users are converted */
export async function costsOf({ provider, file, form, users: count }: ConvertJob): Promise<Costs> {
  const text = await readFile(file, 'utf8');
  const beforeParsing = process.cpuUsage();
  const records = parsed(text, form);
  const parsing = cpuSince(beforeParsing);
  if (records !== count) throw new Error(`${file} has ${records} users and not ${count}`);
  const source = { file, related: {}, provider: requireProvider(provider), options: {}, tenant: undefined };
  const beforeConversion = process.cpuUsage();
  let converted = 0;
  for await (const { account } of convertExport(source, here)) converted += account.converted;
  const conversion = cpuSince(beforeConversion);
  if (converted !== count) throw new Error(`${converted} of ${count} users of ${file} were converted`);
  return { conversion: conversion / count, parsing: parsing / count };
}

/** Converts in the calling thread. */
const here: ConvertPool = {
  threads: 1,
  run: (task) => Promise.resolve(runConvertTask(task) as never),
  close: () => Promise.resolve(),
};

/** @returns records */
function parsed(text: string, form: Export['form']): number {
  if (form === 'csv') return parse(text, { columns: true }).length;
  if (form === 'lines')
    return text.split('\n').filter((line) => line !== '' && JSON.parse(line) !== null).length;
  const document = JSON.parse(text) as { readonly users: readonly unknown[] } | readonly unknown[];
  return 'users' in document ? document.users.length : document.length;
}

/** µs */
function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** A sample with this number of users, each with unique ids and emails. */
function enlarged(sample: string, form: Export['form'], count: number): string {
  const { head, records, between, tail } = partsOf(sample, form);
  const made = Array.from({ length: count }, (_, place) =>
    numbered(records[place % records.length] ?? '', place),
  );
  return `${head}${made.join(between)}${tail}`;
}

function partsOf(sample: string, form: Export['form']) {
  if (form === 'csv') {
    const [header = '', row = ''] = sample.trimEnd().split('\n');
    return { head: `${header}\n`, records: [row], between: '\n', tail: '\n' };
  }
  if (form === 'lines') return { head: '', records: sample.trimEnd().split('\n'), between: '\n', tail: '\n' };
  const document = JSON.parse(sample) as { readonly users?: readonly unknown[] };
  const list = form === 'users' ? (document.users ?? []) : [document].flat();
  const records = list.map((each) => JSON.stringify(each));
  return form === 'users'
    ? { head: '{"realm":"demo","users":[', records, between: ',', tail: ']}' }
    : { head: '[', records, between: ',', tail: ']' };
}

/** The ids of the samples' users, and the identity at Google: their last digits are replaced by the user's number. */
const ids =
  /65a1c3f2e4b0d8a7c6f51e20|5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a0\d|109876543210987654321|legacy-42|^42(?=,)/g;

function numbered(record: string, place: number): string {
  const digits = String(place);
  const own = record.replaceAll(ids, (id) =>
    id === '42' ? digits : `${id.slice(0, Math.max(id.length - 6, 7))}${digits.padStart(6, '0')}`,
  );
  return own.replaceAll(/(?:ada|bob)@example\.com/g, `u${digits}@example.com`);
}
