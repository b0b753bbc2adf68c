import type { Sealer } from '../../process/sealer.ts';
import type { FactorSeals } from '../ports/ports.ts';
import { openCodes, sealCodes } from './backup-codes.ts';

/** Bytes 1 to 4 of sealed data; see Sealer. */
const keyId = [1, 5] as const;

/** See FactorSeals. */
export function factorSeals(sealer: Sealer): FactorSeals {
  return {
    opens: (sealed) => sealer.hasKey(sealed.subarray(...keyId)),
    returned: (appNo, former, present) => {
      const spentSince = new Map(
        openCodes(sealer, appNo, present).flatMap((code) =>
          code.spentAt === undefined ? [] : [[code.hash, code]],
        ),
      );
      if (spentSince.size === 0) return former;
      const codes = openCodes(sealer, appNo, former).map((code) => spentSince.get(code.hash) ?? code);
      const others = [...spentSince.values()].filter(({ hash }) => !codes.some((code) => code.hash === hash));
      return sealCodes(sealer, appNo, [...codes, ...others]);
    },
  };
}
