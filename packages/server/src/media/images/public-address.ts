import { BlockList, isIP } from 'node:net';

/** Networks outside of the public internet (the special-purpose registries of IANA, RFC 6890), and those that embed IPv4 in IPv6. */
// Two lists, since in a single one every IPv4 address matches ::ffff:0:0/96.
const nonPublicNetworks = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const network of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // A public address at which virtual machines in Azure reach their host.
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]) {
  add(network, 'ipv4');
}
for (const network of [
  '::/96',
  '::ffff:0:0/96',
  // IPv4-translated addresses (RFC 2765), which some networks route to IPv4.
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]) {
  add(network, 'ipv6');
}

function add(network: string, family: 'ipv4' | 'ipv6'): void {
  const [address = '', bits = ''] = network.split('/');
  nonPublicNetworks[family].addSubnet(address, Number(bits), family);
}

/** Whether an IP address is one of the public internet: not of this machine, of a private or link-local network, or reserved. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0 || address.includes('%')) return false;
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  return !nonPublicNetworks[kind].check(address, kind);
}
