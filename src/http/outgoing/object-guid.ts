/** The permanent id of objects in Active Directory; binary, unlike other attributes. */
export const objectGuid = 'objectGUID';

export function isGuid(attribute: string): boolean {
  return attribute.toLowerCase() === objectGuid.toLowerCase();
}

/** As Windows writes it: the bytes of the first three numbers are reversed. */
export function guidOf(bytes: unknown): string | undefined {
  if (!Buffer.isBuffer(bytes) || bytes.length !== 16) return undefined;
  const numbers = [bytes.readUInt32LE(0), bytes.readUInt16LE(4), bytes.readUInt16LE(6)];
  const texts = numbers.map((number, n) => number.toString(16).padStart(n === 0 ? 8 : 4, '0'));
  return [...texts, bytes.toString('hex', 8, 10), bytes.toString('hex', 10)].join('-');
}
