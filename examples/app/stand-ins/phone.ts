import { readFileSync } from 'node:fs';
import { TOTP } from 'otpauth';

/** The authenticator that a user set up with the old system: it is unchanged, and still gives the right codes. */
export interface Phone {
  readonly name: string;
  readonly code: () => string;
}

interface Exported {
  readonly totpDevices?: readonly { readonly secretKey: string; readonly deviceName: string }[];
}

/** One for each TOTP device of the export. */
export function readPhones(): readonly Phone[] {
  const lines = readFileSync(new URL('../users.ndjson', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const devices = lines.flatMap((line) => (JSON.parse(line) as Exported).totpDevices ?? []);
  return devices.map(({ secretKey, deviceName }) => {
    const totp = new TOTP({ secret: secretKey });
    return { name: deviceName, code: () => totp.generate() };
  });
}
