import type { Committed, ImportCalibration } from './calibrate/import.ts';
import type { Survey } from './survey.ts';

/** The forecast of importing the whole file on a machine like this one. */
export interface ImportForecast {
  readonly seconds: number;
  readonly usersPerSecond: number;
  /** PostgreSQL's tables and indexes afterwards. */
  readonly databaseBytes: number;
  readonly databaseBytesPerUser: number;
  /** The write-ahead log at its largest, which PostgreSQL bounds. */
  readonly walPeakBytes: number;
  /** Resident, at its largest; undefined if this machine does not report it. */
  readonly coreBytes: number | undefined;
  readonly postgresBytes: number | undefined;
}

/** The segment of an empty cluster: the log grows in pieces of 16 MiB. */
const walSpareBytes = 16_777_216;

/** Linear extrapolation of the measurements: both the rate and the bytes of a user are nearly constant up to five million. */
export function forecastImport(
  { lines, users }: Pick<Survey, 'lines' | 'users'>,
  measured: ImportCalibration,
): ImportForecast {
  const seconds = secondsFor(lines, measured.progress);
  const databaseBytesPerUser = measured.addedBytes / measured.users;
  const walBytesPerUser = measured.walUsers === 0 ? 0 : measured.walBytes / measured.walUsers;
  const addedBytes = databaseBytesPerUser * users;
  return {
    seconds,
    usersPerSecond: (steadyRate(measured.progress) * users) / lines,
    databaseBytes: measured.emptyBytes + addedBytes,
    databaseBytesPerUser,
    walPeakBytes: Math.min(walBytesPerUser * users + walSpareBytes, measured.server.maxWalBytes),
    coreBytes: measured.core && measured.core.privateBytes + measured.core.sharedBytes,
    postgresBytes: postgresBytes(measured, addedBytes),
  };
}

/** Its shared memory fills up with stored data, to the bound in its settings. */
function postgresBytes(
  { postgres, addedBytes: measuredBytes, server }: ImportCalibration,
  addedBytes: number,
): number | undefined {
  if (!postgres) return undefined;
  const growth = Math.max(1, addedBytes / Math.max(1, measuredBytes));
  const full = Math.max(postgres.sharedBytes, server.sharedBuffersBytes * 1.05);
  return postgres.privateBytes + Math.min(postgres.sharedBytes * growth, full);
}

/** The time of the beginning is known; after the measured part it continues at the rate of its later three quarters. */
export function secondsFor(lines: number, progress: readonly Committed[]): number {
  const last = progress.at(-1);
  if (!last || last.lines === 0) return NaN;
  if (lines > last.lines) return last.seconds + (lines - last.lines) / steadyRate(progress);
  const at = progress.findIndex((each) => each.lines >= lines);
  const [before, after] = [progress[at - 1], progress[at]];
  if (!before || !after) return 0;
  const share = (lines - before.lines) / (after.lines - before.lines);
  return before.seconds + share * (after.seconds - before.seconds);
}

/** Lines a second without the warm-up, and without the end, when the pipeline runs empty. */
export function steadyRate(progress: readonly Committed[]): number {
  const last = progress.at(-1) ?? { seconds: 0, lines: 0 };
  const middle = progress.filter(({ seconds }) => seconds >= last.seconds / 4).slice(0, -1);
  const [from, to] = [middle[0], middle.at(-1)];
  if (!from || !to || to.lines <= from.lines) return last.lines / last.seconds;
  return (to.lines - from.lines) / (to.seconds - from.seconds);
}
