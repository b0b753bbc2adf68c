import type { Feature } from './feature.ts';
import { oldSystems } from './old-systems/feature.ts';
import { roles } from './roles/feature.ts';
import { totp } from './totp/feature.ts';

/** All features, in the order in which their routes are documented. */
export const features: readonly Feature[] = [roles, totp, oldSystems];
