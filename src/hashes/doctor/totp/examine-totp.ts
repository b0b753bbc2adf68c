/** Finds how a TOTP secret has to be interpreted, and what a record must state so that an import does so. */

import { type CodeShape, codeAt, defaultShape } from '../../parts/one-time-code.ts';
import { encodingWords, meaningsOf, type SecretEncoding } from './encodings.ts';
import { type KnownCode, type Reading, readingsOf } from './readings.ts';

/** The record's statements about the device, or its defaults. */
export interface StatedDevice extends CodeShape {
  readonly encoding?: SecretEncoding | undefined;
  /** Seconds. */
  readonly period?: number | undefined;
  readonly skew?: number | undefined;
}

export interface TotpQuestion {
  /** As in the record or the export. */
  readonly secret: string;
  /** At least one. */
  readonly codes: readonly KnownCode[];
  readonly stated: StatedDevice;
  /** See readingsOf. */
  readonly documented?: SecretEncoding | undefined;
}

/**
 * - `RIGHT`: the secret gives the codes as the record states it.
 * - `READ_OTHERWISE`: it gives them under the named reading.
 * - `NO_READING`: under none that was tried.
 */
export interface TotpFinding {
  readonly code: 'RIGHT' | 'READ_OTHERWISE' | 'NO_READING';
  readonly reading?: Reading;
  /** Further readings that fit by chance: a second code excludes them. */
  readonly others: number;
  /** One sentence; neither it nor the advice contains the secret or a code. */
  readonly message: string;
  readonly advice: readonly string[];
}

const defaults = { ...defaultShape, encoding: 'base32', period: 30, skew: 1 } as const;

export function examineTotp({ secret, codes, stated, documented }: TotpQuestion): TotpFinding {
  const said = { ...defaults, ...withoutAbsent(stated) };
  const readings = readingsOf(secret, codes, documented);
  const asStated = readings.find((reading) => changesOf(reading, said).length === 0);
  const reading = asStated ?? readings[0];
  if (reading === undefined) return notFound(secret, codes);
  const others = readings.length - 1;
  const second = others > 0 ? [`${others} other readings fit by chance: a second code settles it.`] : [];
  const found = { reading, others };
  if (reading === asStated)
    return {
      ...found,
      code: 'RIGHT',
      message: `${textOf(reading)}: as the record says.`,
      advice: ['There is nothing to set.', ...second],
    };
  return {
    ...found,
    code: 'READ_OTHERWISE',
    message: `${textOf(reading)}.`,
    advice: [...changesOf(reading, said), ...second],
  };
}

type Said = Required<{ readonly [Key in keyof StatedDevice]: NonNullable<StatedDevice[Key]> }>;

function withoutAbsent(stated: StatedDevice): Partial<Said> {
  return Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined));
}

function textOf({ encoding, isWrapped, algorithm, digits, period, drifts }: Reading): string {
  const wrapped = isWrapped ? ', encoded in Base32 once more' : '';
  const drift = drifts.map((each) => (each > 0 ? `+${each}` : String(each))).join(' and ');
  const clock = drifts.every((each) => each === 0) ? '' : `, the clock ${drift} periods off`;
  return `The secret is ${encodingWords[encoding]}${wrapped}; ${algorithm}, ${digits} digits, ${period} s${clock}`;
}

/** Statements that the record lacks; empty: it is right as it is. */
function changesOf(reading: Reading, said: Said): string[] {
  const { encoding, isWrapped, algorithm, digits, period } = reading;
  const skew = Math.max(...reading.drifts.map(Math.abs));
  const set = (name: string, value: string | number) =>
    `Set ${JSON.stringify({ [name]: value }).slice(1, -1)}`;
  return [
    ...(isWrapped
      ? [`Take the secret out of its outer Base32, and set "secretEncoding":"${encoding}" in totpDevices.`]
      : []),
    ...(encoding !== said.encoding && !isWrapped
      ? [`${set('secretEncoding', encoding)} next to secretKey in totpDevices: the import decodes it.`]
      : []),
    ...(algorithm === said.algorithm ? [] : [`${set('algorithm', algorithm)} in totpDevices.`]),
    ...(digits === said.digits ? [] : [`${set('digits', digits)} in totpDevices.`]),
    ...(period === said.period ? [] : [`${set('period', period)} in totpDevices.`]),
    ...(skew <= said.skew
      ? []
      : [`${set('skew', skew)} in totpDevices, or have the clock that is off put right.`]),
  ];
}

function notFound(secret: string, codes: readonly KnownCode[]): TotpFinding {
  const minutes = shiftOf(secret, codes);
  const shifted =
    minutes === undefined
      ? []
      : [
          `It is right ${Math.abs(minutes)} minutes ${minutes > 0 ? 'later' : 'earlier'}: give the time in UTC.`,
        ];
  return {
    code: 'NO_READING',
    others: 0,
    message: 'No reading of the secret gives this code at this time.',
    advice: [
      ...shifted,
      'The time may be of another zone (give it in UTC), or the code of another person, device or enrolment.',
      "The secret may be encrypted in the export: give the key of its application, as the format's page says.",
    ],
  };
}

const zoneMinutes = 30;
const farthestZone = 28;

/** Minutes to the time in another zone at which the usual reading is right. */
function shiftOf(secret: string, codes: readonly KnownCode[]): number | undefined {
  const shifts = Array.from({ length: 2 * farthestZone + 1 }, (_, n) => (n - farthestZone) * zoneMinutes);
  return shifts.find((minutes) =>
    meaningsOf(secret).some(({ bytes }) =>
      codes.every(({ code, at }) => {
        const step = Math.floor((at / 1000 + minutes * 60) / 30);
        return step > 0 && codeAt(bytes, step, { digits: code.length }) === code;
      }),
    ),
  );
}
