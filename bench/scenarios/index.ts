import { micro } from '../micro/micro.ts';
import type { Scenario } from '../scenario.ts';
import { frontEnd } from './front-end.ts';
import { hashesCeilings } from './hashes/hashes-ceilings.ts';
import { hashesParsing } from './hashes/hashes-parsing.ts';
import { hashesSaturated } from './hashes/hashes-saturated.ts';
import { hashes } from './hashes/hashes.ts';
import { bulkDelta } from './imports/bulk-delta.ts';
import { bulkGrowth } from './imports/bulk-growth.ts';
import { bulkLivedIn } from './imports/bulk-lived-in.ts';
import { bulkReceipt } from './imports/bulk-receipt.ts';
import { bulk } from './imports/bulk.ts';
import { compare } from './imports/compare.ts';
import { convert } from './imports/convert.ts';
import { importHttp } from './imports/import-http.ts';
import { large } from './imports/large.ts';
import { manyFiles } from './imports/many-files.ts';
import { mixed } from './imports/mixed.ts';
import { plan } from './imports/plan.ts';
import { wayBack } from './moves/way-back.ts';
import { carry } from './sessions/carry.ts';
import { sessions } from './sessions/sessions.ts';
import { size } from './size.ts';
import { tenants } from './tenants.ts';
import { admission } from './sign-ins/admission.ts';
import { failover } from './sign-ins/failover.ts';
import { manyCores } from './sign-ins/many-cores.ts';
import { oldSystem } from './sign-ins/old-system.ts';
import { signInCost } from './sign-ins/sign-in-cost.ts';
import { signIn } from './sign-ins/sign-in.ts';
import { soak } from './sign-ins/soak.ts';
import { storm } from './sign-ins/storm.ts';
import { timingUnmoved } from './sign-ins/timing-unmoved.ts';
import { timing } from './sign-ins/timing.ts';
import { verifyEmail } from './sign-ins/verify-email.ts';

/**
 * The scenarios of `npm run bench`, in this order. To add one, export a `Scenario` from a new file, import it above and name it
 * here: the command, its usage, the JSON and the report read this list. Runs are compared by its name, and by those of its
 * measurements, so they must not change.
 */
export const scenarios: readonly Scenario[] = [
  micro,
  frontEnd,
  bulk,
  bulkDelta,
  bulkLivedIn,
  bulkReceipt,
  bulkGrowth,
  large,
  tenants,
  mixed,
  importHttp,
  manyFiles,
  compare,
  wayBack,
  convert,
  verifyEmail,
  signIn,
  signInCost,
  manyCores,
  failover,
  sessions,
  carry,
  storm,
  soak,
  plan,
  hashes,
  hashesCeilings,
  hashesParsing,
  hashesSaturated,
  admission,
  timing,
  timingUnmoved,
  oldSystem,
  size,
];
