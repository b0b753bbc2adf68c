import { masked } from '../../domain/masked.ts';

/** Names of fields that must not be shown in a list of rejects. */
const secretNames =
  /pass|pwd|hash|salt|secret|token|otp|mfa|factor|credential|private|seed|recovery|backup|key$|digest|cookie|session/i;
/** A hash that shows its kind, or a long text without blanks: keys, digests, tokens. */
const secretTexts = /^[$!]|^\{[\w.-]+\}|^[\w+/=.-]{32,}$/;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const maskedSecret = '(masked)';

/** A record with its hashes and secrets masked, by their names and by their look. */
export function withoutSecrets(value: unknown, isSecret = false): unknown {
  if (typeof value === 'string') return isSecret || looksSecret(value) ? maskedSecret : value;
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each, isSecret));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      withoutSecrets(each, isSecret || secretNames.test(name)),
    ]),
  );
}

function looksSecret(text: string): boolean {
  return secretTexts.test(text) && !uuid.test(text);
}

export { masked };

export interface SampleOptions {
  readonly showSamples?: boolean | undefined;
}

/** @returns how samples are shown: masked, unless `--show-samples` was given */
export function sampled({ showSamples }: SampleOptions): (text: string) => string {
  return showSamples === true ? (text) => text : masked;
}
