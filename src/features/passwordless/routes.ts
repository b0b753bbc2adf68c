import type { PasswordlessOperations } from './operations.ts';
import { clientAddressOf } from '../../http/request/client-address.ts';
import { body, query } from '../../http/routing/handlers.ts';
import type { Route } from '../../http/routing/route.ts';
import { bodyForms, queryForms } from '../../schema/forms.ts';
import { passwordlessBodies, passwordlessQueries } from './schema.ts';

const inBody = bodyForms(passwordlessBodies);
const inQuery = queryForms(passwordlessQueries);
const path = '/recipe/signinup/code';
const common = { scope: 'tenant', tag: 'Passwordless', needs: ['sign-in'] } as const;
const refused = ['RESTART_FLOW_ERROR', 'INCORRECT_USER_INPUT_CODE_ERROR', 'EXPIRED_USER_INPUT_CODE_ERROR'];

/** Codes and links that are sent to people, and by which they sign in. */
export function passwordlessRoutes(passwordless: PasswordlessOperations): Route[] {
  return [...codeRoutes(passwordless), ...storedRoutes(passwordless), contactRoute(passwordless)];
}

function codeRoutes(passwordless: PasswordlessOperations): Route[] {
  return [
    {
      ...common,
      method: 'POST',
      path,
      statuses: ['OK', 'RESTART_FLOW_ERROR', 'USER_INPUT_CODE_ALREADY_USED_ERROR'],
      summary: 'Makes a code and a link for an email, a phone number or a device; the caller sends them',
      audit: { what: 'passwordless.code', when: 'hourly' },
      ...body(inBody.createCode, (tenant, input) => passwordless.createCode(tenant, input)),
    },
    {
      ...common,
      method: 'POST',
      path: `${path}/consume`,
      statuses: ['OK', ...refused, 'SIGN_IN_NOT_ALLOWED'],
      summary: 'Signs in, or makes, the user of the contact that a code was sent to',
      audit: { what: 'passwordless.sign-in', when: 'hourly' },
      ...body(inBody.useCode, (tenant, input, { head, wants }) =>
        passwordless.consumeCode(
          tenant,
          input,
          addressIn(head.clientAddress),
          wants?.verifiesNoEmail !== true,
        ),
      ),
    },
    {
      ...common,
      method: 'POST',
      path: `${path}/check`,
      statuses: ['OK', ...refused],
      summary: 'Checks a code without spending it; a wrong one counts',
      unaudited: 'changes nothing but the count of wrong codes',
      ...body(inBody.useCode, (tenant, input, { head }) =>
        passwordless.checkCode(tenant, input, addressIn(head.clientAddress)),
      ),
    },
  ];
}

function addressIn(header: string | undefined): { readonly address: string | undefined } {
  return { address: clientAddressOf(header) };
}

function storedRoutes(passwordless: PasswordlessOperations): Route[] {
  return [
    {
      ...common,
      method: 'GET',
      path: '/recipe/signinup/codes',
      statuses: ['OK'],
      summary: 'Lists devices with the codes that are out for them',
      ...query(inQuery.listCodes, (tenant, input) => passwordless.listCodes(tenant, input)),
    },
    {
      ...common,
      method: 'POST',
      path: `${path}/remove`,
      statuses: ['OK'],
      summary: 'Removes a code, or all of a device',
      unaudited: takesBack,
      ...body(inBody.removeCode, (tenant, input) => passwordless.removeCode(tenant, input)),
    },
    {
      ...common,
      method: 'POST',
      path: '/recipe/signinup/codes/remove',
      statuses: ['OK'],
      summary: 'Removes all codes for an email or a phone number',
      unaudited: takesBack,
      ...body(inBody.removeCodes, (tenant, input) => passwordless.removeCodes(tenant, input)),
    },
  ];
}

const takesBack = 'only takes back codes that were made before';

/** The path is also that of password users: the header determines whose contacts are meant. */
function contactRoute(passwordless: PasswordlessOperations): Route {
  return {
    method: 'PUT',
    path: '/recipe/user',
    rid: 'passwordless',
    scope: 'app',
    tag: common.tag,
    needs: common.needs,
    summary: 'Changes the email or the phone number of a user without a password',
    audit: { what: 'user.change', fields: ['recipeUserId'], changes: ['email', 'phoneNumber'] },
    ...body(inBody.updatePasswordless, (tenant, input) => passwordless.updateContacts(tenant, input)),
  };
}
