import { admission } from './load/admission.ts';
import { bulk } from './load/bulk.ts';
import { bulkDelta } from './load/bulk-delta.ts';
import { bulkGrowth } from './load/bulk-growth.ts';
import { frontEnd } from './load/front-end/front-end.ts';
import { hashes } from './load/hashes.ts';
import { hashesCeilings } from './load/hashes-ceilings.ts';
import { hashesParsing } from './load/hashes-parsing.ts';
import { hashesSaturated } from './load/hashes-saturated.ts';
import { importHttp } from './load/import-http.ts';
import { mixed } from './load/mixed.ts';
import { signIn } from './load/sign-in/sign-in.ts';
import { storm } from './load/sign-in/storm.ts';
import { soak } from './load/soak/soak.ts';
import { plan } from './load/plan.ts';
import { verifyEmail } from './load/verify-email.ts';
import { timing } from './load/timing.ts';
import { micro } from './micro/micro.ts';
import type { Scenario } from './scenario.ts';

/**
 * What `npm run bench` runs, in this order. To add one, export a `Scenario` from a file of its own, import it above and
 * name it here: the command, its usage, the JSON and the report take it from this list. Its name, and those of its
 * measurements, are how a run is compared with another one, so they stay.
 */
export const scenarios: readonly Scenario[] = [
  micro,
  frontEnd,
  bulk,
  bulkDelta,
  bulkGrowth,
  mixed,
  importHttp,
  verifyEmail,
  signIn,
  storm,
  soak,
  plan,
  hashes,
  hashesCeilings,
  hashesParsing,
  hashesSaturated,
  admission,
  timing,
];
