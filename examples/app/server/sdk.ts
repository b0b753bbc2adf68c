/** The unmodified supertokens-node, set up for this app. */
import supertokens from 'supertokens-node';
import EmailPassword from 'supertokens-node/recipe/emailpassword/index.js';
import EmailVerification from 'supertokens-node/recipe/emailverification/index.js';
import MultiFactorAuth from 'supertokens-node/recipe/multifactorauth/index.js';
import Session from 'supertokens-node/recipe/session/index.js';
import ThirdParty from 'supertokens-node/recipe/thirdparty/index.js';
import TOTP from 'supertokens-node/recipe/totp/index.js';
import UserRoles from 'supertokens-node/recipe/userroles/index.js';
import type { Settings } from '../settings.ts';
import type { Outbox } from '../stand-ins/outbox.ts';

export interface SdkOptions {
  readonly settings: Pick<Settings, 'coreUrl' | 'apiKey' | 'appId'>;
  /** Address of the app. Pages and API are one origin here, so cookies need no extra care. */
  readonly website: string;
  readonly provider: { readonly issuer: string; readonly clientId: string; readonly clientSecret: string };
  readonly outbox: Outbox;
}

export function initSdk({ settings, website, provider, outbox }: SdkOptions): void {
  supertokens.init({
    framework: 'express',
    telemetry: false,
    supertokens: { connectionURI: `${settings.coreUrl}/appid-${settings.appId}`, apiKey: settings.apiKey },
    appInfo: { appName: 'Example', apiDomain: website, websiteDomain: website },
    recipeList: [
      EmailPassword.init(),
      ThirdParty.init({ signInAndUpFeature: { providers: [exampleId(provider)] } }),
      EmailVerification.init({ mode: 'REQUIRED', emailDelivery: { service: mailsTo(outbox) } }),
      MultiFactorAuth.init({ firstFactors: ['emailpassword', 'thirdparty'], override: askForDevices }),
      TOTP.init({ issuer: 'Example' }),
      UserRoles.init(),
      Session.init({ errorHandlers: { onTokenTheftDetected: endSession(outbox) } }),
    ],
  });
}

/** `thirdPartyId` is the name that the import gave the provider: by it and the provider's id users are found again. */
const exampleId = ({ issuer, clientId, clientSecret }: SdkOptions['provider']) => ({
  config: {
    thirdPartyId: 'example-id',
    name: 'Example ID',
    oidcDiscoveryEndpoint: `${issuer}/.well-known/openid-configuration`,
    clients: [{ clientId, clientSecret, scope: ['openid', 'email'] }],
    userInfoMap: { fromIdTokenPayload: { userId: 'sub', email: 'email', emailVerified: 'email_verified' } },
  },
});

type MailService = NonNullable<
  NonNullable<Parameters<typeof EmailVerification.init>[0]>['emailDelivery']
>['service'];

const mailsTo = (outbox: Outbox): NonNullable<MailService> => ({
  sendEmail({ user, emailVerifyLink }) {
    outbox.send({
      to: user.email,
      subject: 'Is this your email?',
      text: 'Somebody signed in with this email. If it was you:',
      link: emailVerifyLink,
    });
    return Promise.resolve();
  },
});

type MfaOverride = NonNullable<NonNullable<Parameters<typeof MultiFactorAuth.init>[0]>['override']>;

/** A user with a TOTP device, from the import or created here, is asked for a code of it at each sign-in. */
const askForDevices: MfaOverride = {
  functions: (original) => ({
    ...original,
    async getMFARequirementsForAuth(input) {
      const factors = await input.factorsSetUpForUser;
      return factors.includes('totp') ? ['totp'] : original.getMFARequirementsForAuth(input);
    },
  }),
};

type SessionErrors = NonNullable<NonNullable<Parameters<typeof Session.init>[0]>['errorHandlers']>;

/** A replaced refresh token was used again: two clients have it. The session ends for both, and its user is notified. */
const endSession =
  (outbox: Outbox): NonNullable<SessionErrors['onTokenTheftDetected']> =>
  async (sessionHandle, userId, _recipeUserId, _request, response) => {
    await Session.revokeSession(sessionHandle);
    const user = await supertokens.getUser(userId);
    for (const to of user?.emails ?? [])
      outbox.send({
        to,
        subject: 'You were signed out',
        text: 'Another client used your session. It has ended; sign in again.',
      });
    response.setStatusCode(401);
    response.sendJSONResponse({ message: 'token theft detected' });
  };
