import type { Feature } from './feature.ts';
import { audit } from './audit/feature.ts';
import { console } from './console/feature.ts';
import { dashboard } from './dashboard/feature.ts';
import { moves } from './moves/feature.ts';
import { oldSystems } from './old-systems/feature.ts';
import { passwordless } from './passwordless/feature.ts';
import { receipts } from './receipts/feature.ts';
import { roles } from './roles/feature.ts';
import { sessionCarry } from './session-carry/feature.ts';
import { sessions } from './sessions/feature.ts';
import { totp } from './totp/feature.ts';

/** All features, in the order in which their routes are documented; each after those whose offers it uses. */
export const features: readonly Feature[] = [
  sessions,
  sessionCarry,
  roles,
  totp,
  passwordless,
  dashboard,
  oldSystems,
  receipts,
  moves,
  audit,
  console,
];
