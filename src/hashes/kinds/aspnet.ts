/** The hashes of ASP.NET Identity, which are PBKDF2. */

import type { HashLimits } from '../../domain/model.ts';
import { malformed, type HashKind, type Outcome } from '../kind.ts';
import { keyBytesFloor } from '../limits.ts';
import { decodeBase64 } from '../parts/encodings.ts';
import { boundedPbkdf2, pbkdf2Row, type ParsedPbkdf2 } from './pbkdf2.ts';

/** Layouts of dotnet/aspnetcore, src/Identity/Extensions.Core/src/PasswordHasher.cs. */
const versionTwo = { marker: 0, bytes: 49, saltBytes: 16, iterations: 1000 } as const;
const versionThree = {
  marker: 1,
  prfAt: 1,
  iterationsAt: 5,
  saltLengthAt: 9,
  saltAt: 13,
  saltFloor: 16,
} as const;
/** The numbers of KeyDerivationPrf. */
const prfs = ['sha1', 'sha256', 'sha512'] as const;

/** How version 3 begins in base64: its marker and three bytes of a number below 3. */
const versionThreeStart = 'AQAAAA';

/**
 * Parses the hash of an ASP.NET Identity user, padded base64 of one of two layouts:
 * version 2: 0, 16 bytes of salt, 32 of key (PBKDF2-HMAC-SHA1, 1,000 iterations);
 * version 3: 1, then as big-endian 32-bit numbers the PRF, the iterations and the salt's length, then salt and key.
 */
function parseAspnet(hash: string, limits: HashLimits): Outcome<ParsedPbkdf2<'aspnet'>> {
  const bytes = decodeBase64(hash, 'padded');
  if (bytes === undefined)
    return malformed('it is not complete base64 with padding (it may have been cut off)');
  if (bytes[0] === versionTwo.marker) return parseTwo(bytes, limits);
  if (bytes[0] === versionThree.marker && bytes.length > versionThree.saltAt)
    return parseThree(bytes, limits);
  return malformed('it is neither version 2 nor version 3 of ASP.NET Identity');
}

function parseTwo(bytes: Buffer, limits: HashLimits): Outcome<ParsedPbkdf2<'aspnet'>> {
  if (bytes.length !== versionTwo.bytes) {
    return malformed(`it has ${bytes.length} bytes where version 2 has ${versionTwo.bytes}`);
  }
  const keyAt = 1 + versionTwo.saltBytes;
  const salt = bytes.subarray(1, keyAt);
  const found = {
    digest: 'sha1',
    iterations: versionTwo.iterations,
    salt,
    key: bytes.subarray(keyAt),
  } as const;
  return boundedPbkdf2('aspnet', found, limits);
}

function parseThree(bytes: Buffer, limits: HashLimits): Outcome<ParsedPbkdf2<'aspnet'>> {
  const { prfAt, iterationsAt, saltLengthAt, saltAt, saltFloor } = versionThree;
  const digest = prfs[bytes.readUInt32BE(prfAt)];
  if (digest === undefined) return malformed('its PRF is not one of HMAC-SHA1, HMAC-SHA256 and HMAC-SHA512');
  const saltBytes = bytes.readUInt32BE(saltLengthAt);
  if (saltBytes < saltFloor) return malformed(`its salt is shorter than ${saltFloor} bytes`);
  const salt = bytes.subarray(saltAt, saltAt + saltBytes);
  const key = bytes.subarray(saltAt + saltBytes);
  if (key.length < keyBytesFloor) return malformed(`its key is shorter than ${keyBytesFloor} bytes`);
  return boundedPbkdf2('aspnet', { digest, iterations: bytes.readUInt32BE(iterationsAt), salt, key }, limits);
}

export const aspnet: HashKind<ParsedPbkdf2<'aspnet'>> = {
  ...pbkdf2Row,
  label: 'ASP.NET Identity',
  spellings: [[versionThreeStart, parseAspnet]],
  beginning: versionThreeStart,
  parseUnmarked: parseAspnet,
  // Version 2, 49 bytes of which the first is 0: marker, 16 of salt, 32 of key.
  shapes: [{ pattern: /^A[A-P][A-Za-z0-9+/]{64}==$/, name: 'ASP.NET Identity version 2' }],
  wholes: [{ head: /^AQAAAA/, characters: 78, part: 'rest' }],
};
