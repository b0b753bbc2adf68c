import { expect, it } from 'vitest';
import { clientAddressOf } from '../../src/http/request/client-address.ts';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['  192.0.2.1 , 198.51.100.7, 10.0.0.1', '192.0.2.1'],
  ['192.0.2.1:4711', '192.0.2.1'],
  ['unknown', 'unknown'],
  ['_hidden:4711', '_hidden:4711'],
  ['x'.repeat(64), 'x'.repeat(64)],
])('%s is %s', (header, address) => {
  expect(clientAddressOf(header)).toBe(address);
});

it.each([undefined, '', '   ', ',192.0.2.1', 'x'.repeat(65)])('%s has no address', (header) => {
  expect(clientAddressOf(header)).toBeUndefined();
});

it.each([
  '2001:db8:1:2::',
  '2001:db8:1:2:3:4:5:6',
  '2001:DB8:1:2:ffff:ffff:ffff:ffff',
  '2001:0db8:0001:0002::1',
  '2001:db8:1:2::192.0.2.1',
  '[2001:db8:1:2::9]',
  '[2001:db8:1:2::9]:4711',
  '2001:db8:1:2::9%eth0',
])('%s is one of its customer’s', (header) => {
  expect(clientAddressOf(header)).toBe('2001:db8:1:2::/64');
});

it.each([
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['2001:db8::', '2001:db8:0:0::/64'],
  ['fe80::1:2:3:4:5', 'fe80:0:0:1::/64'],
  ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
])('%s belongs to %s', (header, address) => {
  expect(clientAddressOf(header)).toBe(address);
});

it.each(['::ffff:192.0.2.1', '::ffff:c000:201', '0:0:0:0:0:ffff:c000:0201'])(
  '%s is an IPv4 address',
  (header) => {
    expect(clientAddressOf(header)).toBe('192.0.2.1');
  },
);
