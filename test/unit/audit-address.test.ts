import { describe, expect, it } from 'vitest';
import { readableAddress } from '../../src/http/audit/address.ts';

describe('the address of the other end', () => {
  const bytes = (...values: number[]) => Uint8Array.from(values).buffer;
  const groups = (...values: number[]) => Uint8Array.from(values.flatMap((g) => [g >> 8, g & 0xff])).buffer;

  it.each<[string, ArrayBuffer | string, string | undefined]>([
    ['IPv4', bytes(192, 0, 2, 7), '192.0.2.7'],
    ['IPv6', groups(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1), '2001:db8::1'],
    ['IPv4 spelt as IPv6', groups(0, 0, 0, 0, 0, 0xffff, 0xc000, 0x0207), '192.0.2.7'],
    ['of one who has left', bytes(), undefined],
    ['text, IPv4', '192.0.2.7', '192.0.2.7'],
    ['text, IPv4 spelt as IPv6', '::ffff:192.0.2.7', '192.0.2.7'],
    ['text, with its zone', 'fe80::1%eth0', 'fe80::1'],
    ['text, of one who has left', '', undefined],
  ])('%s', (_, address, readable) => {
    expect(readableAddress(address)).toBe(readable);
  });
});
