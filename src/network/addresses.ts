import { BlockList, isIP } from 'node:net'

/** Networks that are not the public Internet, and those that lead to them by way of another address. */
const closed4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
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
]
const closed6 = [
  // Loopback, unspecified, and addresses of version 4 in those of version 6.
  '::/96',
  '::ffff:0:0/96',
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
]

/** @NOTE two lists: in one, a rule for mapped addresses of version 4 would hold for all of version 4. */
function listOf(subnets: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [network, bits] = subnet.split('/') as [string, string]
    list.addSubnet(network, Number(bits), family)
  }
  return list
}
const list4 = listOf(closed4, 'ipv4')
const list6 = listOf(closed6, 'ipv6')

/** Whether an IP address is one of the public Internet. */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, '')
  const family = isIP(plain)
  if (family === 4) return !list4.check(plain, 'ipv4')
  return family === 6 && !list6.check(plain, 'ipv6')
}
