/** By what people of a tenant may sign in, as the SDK has it set and asks for it. */
export interface TenantFactors {
  /** Absent: all that the SDK is set up for; empty: none. */
  readonly firstFactors?: readonly string[];
  /** Absent: none. */
  readonly requiredSecondaryFactors?: readonly string[];
}

/** `undefined` leaves what is set, null removes it. */
export interface FactorsChange {
  readonly firstFactors?: readonly string[] | null | undefined;
  readonly requiredSecondaryFactors?: readonly string[] | null | undefined;
}
