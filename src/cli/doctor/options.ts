import type { DoctorSettings } from './examine.ts';
import type { InputOptions } from '../input/input.ts';

/** As commander gives them; the providers' own flags stand beside these. */
export interface DoctorOptions extends InputOptions, DoctorSettings {
  readonly algorithm?: string;
  readonly password?: string;
  readonly passwordFile?: string;
  readonly passwordStdin?: boolean;
  readonly pairs?: string;
  readonly export?: string;
  readonly json?: boolean;
}
