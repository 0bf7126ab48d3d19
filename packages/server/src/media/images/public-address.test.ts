import { expect, test } from 'vitest';
import { isPublicAddress } from './public-address.ts';

test.each(['1.1.1.1', '8.8.8.8', '93.184.215.14', '2606:4700:4700::1111', '2a00:1450:4001:82a::200e'])(
  '%s is public',
  (address) => expect(isPublicAddress(address)).toBe(true),
);

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16', // Azure
  '169.254.169.254', // metadata of cloud machines
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:7f00:1',
  '0:0:0:0:0:ffff:a9fe:a9fe',
  '::ffff:0:127.0.0.1',
  '::ffff:0:a9fe:a9fe',
  '::127.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '2002:7f00:1::',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
  'localhost',
  '',
  '127.1',
  '0x7f.0.0.1',
])('%s is not', (address) => expect(isPublicAddress(address)).toBe(false));
