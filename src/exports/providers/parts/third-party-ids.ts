/** One name for each identity provider, whatever its name in the source. */

/** Our name (that of the backend SDKs) and the spellings in exports, in lower case. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  google: [
    'google.com',
    'google-oauth2',
    'google_oauth2',
    'oauth_google',
    'googleoauth',
    'google_one_tap',
    'google-openidconnect',
    'goog',
  ],
  facebook: ['facebook.com', 'oauth_facebook', 'facebookoauth'],
  twitter: ['twitter.com', 'x', 'x.com', 'oauth_x', 'oauth_twitter', 'twitter2', 'twitter-oauth2', 'xoauth'],
  github: ['github.com', 'oauth_github', 'githuboauth'],
  apple: ['apple.com', 'oauth_apple', 'signinwithapple', 'sign_in_with_apple', 'apple-id', 'appleoauth'],
  microsoft: [
    'microsoft.com',
    'oauth_microsoft',
    'microsoftoauth',
    'microsoftaccount',
    'microsoft-account',
    'windowslive',
    'azure',
    'live',
    'live.com',
  ],
  // Auth0's and OmniAuth's names for work accounts: their user ids are not those of `microsoft`.
  'active-directory': [
    'waad',
    'azuread',
    'azure-ad',
    'azure_ad',
    'azure_activedirectory_v2',
    'azuread-oauth2',
    'microsoft-entra-id',
    'entra_id',
  ],
  linkedin: [
    'linkedin.com',
    'linkedin_oidc',
    'oauth_linkedin',
    'oauth_linkedin_oidc',
    'linkedin-oauth2',
    'linkedin_oauth2',
    'linkedin-openid-connect',
    'linkedinoauth',
  ],
  discord: ['discord.com', 'oauth_discord', 'discordoauth'],
  gitlab: ['gitlab.com', 'oauth_gitlab', 'gitlaboauth'],
  bitbucket: ['bitbucket.org', 'oauth_bitbucket', 'bitbucket-oauth2', 'bitbucketoauth'],
  slack: ['slack.com', 'oauth_slack', 'slack_oidc', 'slackoauth', 'slack-oauth2', 'slack-openid-connect'],
  twitch: ['twitch.tv', 'oauth_twitch', 'twitchoauth'],
  spotify: ['spotify.com', 'oauth_spotify', 'spotifyoauth'],
  yahoo: ['yahoo.com', 'oauth_yahoo', 'yahoooauth', 'yahoo-oauth2'],
  amazon: ['amazon.com', 'loginwithamazon', 'oauth_amazon', 'amazonoauth'],
  notion: ['notion.so', 'oauth_notion'],
  dropbox: ['dropbox.com', 'oauth_dropbox', 'dropbox-oauth2'],
  salesforce: ['salesforce.com', 'salesforceoauth'],
  // Their user ids belong to a game, and are not those of `apple` and `google`.
  'game-center': ['gc.apple.com'],
  'play-games': ['playgames.google.com'],
};

const byName: ReadonlyMap<string, string> = new Map(
  Object.entries(spellings).flatMap(([id, names]) => [id, ...names].map((name) => [name, id] as const)),
);

/**
 * Our name of an identity provider. An unknown one is returned unchanged, including its case: it is the alias of a connection
 * with a custom name, by which the backend has to know it.
 */
export function thirdPartyIdOf(name: string): string {
  return byName.get(name.trim().toLowerCase()) ?? name.trim();
}

/** Whether it is a provider with a well-known name, and not the alias of a connection. */
export function isKnownProvider(name: string): boolean {
  return byName.has(name.trim().toLowerCase());
}
