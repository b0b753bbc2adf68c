import { readFileSync } from 'node:fs';

/** The settings of the example. Each can be set in the environment. */
export interface Settings {
  /** Of the app; 0 takes any free port. */
  readonly port: number;
  /** Of the stand-in provider; 0 takes any free port. */
  readonly providerPort: number;
  /** Address of the core. */
  readonly coreUrl: string;
  readonly apiKey: string;
  /** The core's app with the users of the example, separate from all others. */
  readonly appId: string;
  /** Short, so that a refresh can be watched. */
  readonly accessTokenSeconds: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

const keyFile = new URL('../../data/api-key', import.meta.url);

/** @throws Error that names the setting, the problem and the cure */
export function readSettings(environment: Environment): Settings {
  return {
    port: wholeNumber(environment, 'EXAMPLE_PORT', 3001),
    providerPort: wholeNumber(environment, 'EXAMPLE_PROVIDER_PORT', 3002),
    coreUrl: coreUrlOf(environment),
    apiKey: environment.CARRYOVER_API_KEY ?? keyOfThisFolder(),
    appId: environment.EXAMPLE_APP_ID ?? 'example',
    accessTokenSeconds: wholeNumber(environment, 'EXAMPLE_ACCESS_TOKEN_SECONDS', 60),
  };
}

function wholeNumber(environment: Environment, name: string, byDefault: number): number {
  const given = environment[name] ?? String(byDefault);
  if (!/^\d{1,5}$/.test(given) || Number(given) > 65_535)
    throw new Error(`${name} is no whole number from 0 to 65535: set one, or leave it out`);
  return Number(given);
}

function coreUrlOf({ CARRYOVER_URL: given = 'http://127.0.0.1:3567' }: Environment): string {
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new Error('CARRYOVER_URL is no address of a core: give one such as http://127.0.0.1:3567');
  return new URL(given).origin;
}

/** `npm start` makes it at its first start. */
function keyOfThisFolder(): string {
  try {
    return readFileSync(keyFile, 'utf8').trim();
  } catch (cause) {
    throw new Error(
      'there is no API key in data/api-key: start the core first, with `npm start` in another terminal, ' +
        'or set CARRYOVER_URL and CARRYOVER_API_KEY for a core elsewhere',
      { cause },
    );
  }
}
