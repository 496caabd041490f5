import { BlockList, isIP } from 'node:net'

/** Networks that aren't the public Internet, and networks that translate to such addresses. */
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
  // Loopback, unspecified, and IPv4 addresses embedded in IPv6.
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

/** @NOTE two lists, because in a single one a rule for mapped IPv4 addresses would apply to all of IPv4 */
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

/** Returns whether an IP address belongs to the public Internet. */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, '')
  const family = isIP(plain)
  if (family === 4) return !list4.check(plain, 'ipv4')
  return family === 6 && !list6.check(plain, 'ipv6')
}

/** Returns whether a host name is this machine's own. */
export const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
