import type { Advice } from './advice.ts';
import { targetUtilisation } from './morning.ts';
import { passwordUsersOf } from './reckon.ts';
import type { Planned } from './report.ts';

/** For programs: one line of JSON. */
export function plannedAsJson({ input, plan, calibrateSeconds }: Planned): string {
  const { survey, machine, forecast, measured, steps, withoutUpgrades } = plan;
  const view = {
    status: 'OK',
    format: input.provider.name,
    bytes: input.file.bytes,
    records: survey.records,
    users: survey.users,
    rejected: survey.rejected,
    passwordUsers: passwordUsersOf(survey),
    nativeBytesPerRecord: survey.bytes / Math.max(1, survey.records),
    machine,
    calibration: {
      seconds: calibrateSeconds,
      importedUsers: measured.imported.users,
      requests: measured.requests,
      policyMs: measured.hashes.policyMs,
    },
    import: forecast,
    hashes: measured.hashes.groups.map(({ kind, cost, users, cpuMs, isMeasured, ...rest }) => ({
      kind,
      cost,
      users,
      cpuMs,
      isMeasured,
      memoryBytes: rest.memoryBytes,
      isBelowPolicy: rest.isBelowPolicy,
    })),
    plainTextUsers: survey.plainTextUsers,
    signIns: {
      arrivals: plan.arrivals,
      areArrivalsAssumed: plan.areArrivalsAssumed,
      targetUtilisation,
      steps,
      withoutUpgrades: withoutUpgrades ?? null,
      capacity: plan.capacity ?? null,
    },
    settings: { cores: plan.advisedCores, advice: plan.advice.map(adviceView) },
  };
  return `${JSON.stringify(view)}\n`;
}

function adviceView({ value, current, ...rest }: Advice) {
  return { ...rest, value: value ?? null, current: current ?? null };
}
