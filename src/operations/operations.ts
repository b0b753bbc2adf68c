import type { OperationsContext } from './context.ts';
import { exportOperations, type ExportOperations } from './export.ts';
import { hashReportOperations, type HashReportOperations } from './passwords/hash-report.ts';
import { linkingOperations, type LinkingOperations } from './users/linking.ts';
import { mappingOperations, type MappingOperations } from './users/mapping.ts';
import { passwordOperations, type PasswordOperations } from './passwords/passwords.ts';
import { restrictionOperations, type RestrictionOperations } from './users/restrictions.ts';
import { signInOperations, type SignInOperations } from './sign-in/sign-in.ts';
import { thirdPartyOperations, type ThirdPartyOperations } from './sign-in/third-party.ts';
import { resealOperations, type ResealOperations } from './reseal.ts';
import { providerOperations, type ProviderOperations } from './sign-in/providers.ts';
import { tenantOperations, type TenantOperations } from './tenants.ts';
import { resetOperations, type ResetOperations } from './verification/tokens.ts';
import { ActivityNotes, activityOperations, type ActivityOperations } from './users/activity.ts';
import { methodOperations, type MethodOperations } from './users/by-method.ts';
import { userOperations, type UserOperations } from './users/users.ts';
import { verificationOperations, type VerificationOperations } from './verification/verification.ts';

/** All operations, one family a file. Each method takes the tenant and the validated input of a request. */
export interface Operations {
  readonly passwords: PasswordOperations & SignInOperations & ResetOperations;
  readonly thirdParty: ThirdPartyOperations;
  readonly verification: VerificationOperations;
  readonly mapping: MappingOperations;
  readonly users: UserOperations & ActivityOperations;
  readonly methods: MethodOperations;
  readonly linking: LinkingOperations;
  readonly tenants: TenantOperations;
  readonly providers: ProviderOperations;
  readonly restrictions: RestrictionOperations;
  readonly exports: ExportOperations;
  readonly hashReports: HashReportOperations;
  readonly sealed: ResealOperations;
}

/** Adds what operations and features share. */
export function operationsContext(
  given: Omit<OperationsContext, 'activity' | 'beforeReseal'>,
): Omit<OperationsContext, 'beforeReseal'> {
  return { ...given, activity: new ActivityNotes(given) };
}

export function createOperations(context: OperationsContext): Operations {
  const signIn = signInOperations(context);
  return {
    passwords: { ...passwordOperations(context), ...signIn, ...resetOperations(context) },
    thirdParty: thirdPartyOperations(context),
    verification: verificationOperations(context),
    mapping: mappingOperations(context),
    users: { ...userOperations(context), ...activityOperations(context) },
    methods: methodOperations(context),
    linking: linkingOperations(context),
    tenants: tenantOperations(context),
    providers: providerOperations(context),
    restrictions: restrictionOperations(context),
    exports: exportOperations(context),
    hashReports: hashReportOperations(context),
    sealed: resealOperations(context.stores.sealed, context.sealer, context.beforeReseal),
  };
}
