/** Addresses that a setting of an app's own key may not reach, in all their spellings. */
import { describe, expect, test } from 'vitest';
import { isPublicAddress, mayBePublic } from '../../src/domain/access/reach.ts';

describe('an address is public', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '126.255.255.255',
    '128.0.0.1',
    '169.253.1.1',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.1.1',
    '192.169.1.1',
    '100.63.255.255',
    '100.128.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4001::1',
    '::ffff:8.8.8.8',
    '::ffff:808:808',
    '64:ff9b::8.8.8.8',
  ])('%s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('an address is not public', () => {
  test.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:169.254.169.254',
    '0:0:0:0:0:ffff:a00:1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::1.1.1.1',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    'fc00::1',
    'fdff::1',
    'ff02::1',
    'fec0::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::1',
    '3fff::1',
    '100::1',
    '5f00::1',
    'localhost',
    '',
  ])('%s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('the host of a URL is looked at as it will be connected to', () => {
  test.each([
    'http://127.1',
    'http://0177.0.0.1',
    'http://0x7f.0.0.1',
    'http://2130706433',
    'http://0',
    'http://[::1]',
    'http://[::ffff:127.0.0.1]',
    'http://[0:0:0:0:0:0:0:1]',
    'http://127.0.0.1.',
    'http://localhost',
    'http://LOCALHOST',
    'http://localhost.',
    'http://a.localhost',
    'http://10.1',
    'http://%31%32%37.0.0.1',
    'http://\u2460\u2461\u2466.0.0.1',
    'ldap://127.1',
    'ldaps://0x7f000001',
    'ldap://[::1]',
    'ldap://LOCALHOST',
    'ldap://localhost.',
    'http://169.254.169.254',
  ])('%s', (url) => {
    expect(mayBePublic(new URL(url).hostname)).toBe(false);
  });

  test.each([
    'https://login.example.com',
    'https://1.1.1.1',
    'https://[2606:4700::1111]',
    'ldaps://ldap.org',
  ])('%s may be public', (url) => {
    expect(mayBePublic(new URL(url).hostname)).toBe(true);
  });
});
