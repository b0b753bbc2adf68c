import os from 'node:os';
import type { Config } from '../../config/load.ts';
import type { HashPolicy } from '../../domain/model.ts';
import { type Advice, adviseSettings } from './advice.ts';
import type { HashCalibration } from './calibrate/hashes.ts';
import type { ImportCalibration } from './calibrate/import.ts';
import type { RequestCalibration } from './calibrate/requests.ts';
import { forecastImport, type ImportForecast } from './forecast.ts';
import { busiestArrivals, type MixPart, type MorningStep, morningStep, upgradedShares } from './morning.ts';
import type { Survey } from './survey.ts';

/** A user's own migration, in figures of this machine. */
export interface Plan {
  readonly survey: Survey;
  readonly machine: { readonly cores: number; readonly memoryBytes: number };
  readonly measured: Measured;
  readonly forecast: ImportForecast;
  /** Password sign-ins a second. */
  readonly arrivals: number;
  readonly areArrivalsAssumed: boolean;
  /** By share of the upgraded; empty when no user signs in with a password. */
  readonly steps: readonly MorningStep[];
  /** As the first step, with upgrades switched off. */
  readonly withoutUpgrades: MorningStep | undefined;
  /** The most password sign-ins a second on this machine, when no hash has been upgraded. */
  readonly capacity: number | undefined;
  readonly policy: HashPolicy;
  /** CPU cores of the machine that `advice` is for: the needed number, and no less than here. */
  readonly advisedCores: number;
  readonly advice: readonly Advice[];
}

export interface Measured {
  readonly imported: ImportCalibration;
  readonly requests: RequestCalibration;
  readonly hashes: HashCalibration;
}

/** @param given password sign-ins a second; undefined: a tenth of the users within an hour */
export function reckon(
  { config, arrivals: given }: { config: Config; arrivals: number | undefined },
  survey: Survey,
  measured: Measured,
): Plan {
  const cores = os.availableParallelism();
  const passwordUsers = passwordUsersOf(survey);
  const arrivals = given ?? busiestArrivals(passwordUsers);
  const mix = mixOf(survey, measured.hashes, config.upgradePasswordHashes);
  const costs = { ...measured.requests, policyMs: measured.hashes.policyMs };
  const hasPasswords = mix.length > 0 && arrivals > 0;
  const steps = hasPasswords ? upgradedShares.map((share) => morningStep(arrivals, mix, costs, share)) : [];
  const plainMix = mix.map((part) => ({ ...part, isUpgraded: false }));
  const withoutUpgrades = hasPasswords ? morningStep(arrivals, plainMix, costs, 0) : undefined;
  const advisedCores = Math.max(cores, steps[0]?.cores ?? 1);
  const perCore = withoutUpgrades && 1000 / withoutUpgrades.cpuMs;
  return {
    survey,
    machine: { cores, memoryBytes: os.totalmem() },
    measured,
    forecast: forecastImport(survey, measured.imported),
    arrivals,
    areArrivalsAssumed: given === undefined,
    steps,
    withoutUpgrades,
    capacity: perCore && perCore * cores,
    policy: config.hashPolicy,
    advisedCores,
    advice: adviseSettings({
      config,
      survey,
      cores: advisedCores,
      signInsPerSecond: (perCore ?? 0) * advisedCores,
    }),
  };
}

export function passwordUsersOf({
  groups,
  plainTextUsers,
}: Pick<Survey, 'groups' | 'plainTextUsers'>): number {
  return groups.reduce((sum, { users }) => sum + users, plainTextUsers);
}

/** Users with plain-text passwords get a hash by the policy during the import. */
function mixOf(survey: Survey, { groups, policyMs }: HashCalibration, isUpgrading: boolean): MixPart[] {
  const all = passwordUsersOf(survey);
  const parts = groups.map(({ users, cpuMs, isBelowPolicy }) => ({
    share: users / all,
    verifyMs: cpuMs,
    isUpgraded: isUpgrading && isBelowPolicy,
  }));
  const plain = { share: survey.plainTextUsers / all, verifyMs: policyMs, isUpgraded: false };
  return survey.plainTextUsers > 0 ? [...parts, plain] : parts;
}
