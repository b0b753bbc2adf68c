import type { Operations } from '../../operations/operations.ts';
import type { Route } from '../routing/route.ts';
import { routesBefore } from './apply.ts';
import { before40 } from './before-4-0.ts';
import { before50 } from './before-5-0.ts';
import { before51 } from './before-5-1.ts';
import { before53 } from './before-5-3.ts';
import type { VersionStep } from './step.ts';

/** The versions of the present routes. 5.4 only added paths to 5.3, which are not served. */
const present = ['5.3', '5.4'];

/** Newest first. To drop a version, remove its line here and its file. */
const steps: readonly VersionStep[] = [before53, before51, before50, before40];

/** All supported versions of the driver interface, oldest first. */
export const cdiVersions: readonly string[] = [
  ...steps.toReversed().flatMap(({ versions }) => versions),
  ...present,
];

/**
 * The routes of each version, made once.
 * @param routes of the newest version
 * @param served default: all of `cdiVersions`
 */
export function routesByVersion(
  routes: readonly Route[],
  operations: Operations,
  served: readonly string[] = cdiVersions,
): ReadonlyMap<string, readonly Route[]> {
  const all = new Map(present.map((version) => [version, routes]));
  let before = routes;
  for (const step of steps) {
    before = routesBefore(before, step, operations);
    for (const version of step.versions) all.set(version, before);
  }
  return new Map([...all].filter(([version]) => served.includes(version)));
}
