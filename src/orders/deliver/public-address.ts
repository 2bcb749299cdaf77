// Distinguishes addresses of the public internet from all others. The others may belong to machines that trust their network: this one,
// a database, a cloud's metadata service.

import { BlockList, isIP } from 'node:net'

/** IANA's special-purpose registry, multicast and reserved addresses. */
const special4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]

/** Exceptions within the allocated part of IPv6: tunnels to IPv4, and documentation addresses. */
const special6: typeof special4 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const notPublic = new BlockList()
/** The only allocated part of IPv6. Loopback, link-local, IPv4-mapped and -compatible addresses are outside of it. */
const allocated6 = new BlockList()
allocated6.addSubnet('2000::', 3, 'ipv6')
for (const [network, prefix] of special6) notPublic.addSubnet(network, prefix, 'ipv6')
// In networks of IPv6 alone (NAT64), the DNS gives IPv4 addresses in this form.
allocated6.addSubnet('64:ff9b::', 96, 'ipv6')
for (const [network, prefix] of special4) {
  notPublic.addSubnet(network, prefix, 'ipv4')
  notPublic.addSubnet(`64:ff9b::${network}`, 96 + prefix, 'ipv6')
}

/** @param address an IP address; any other text is not public */
export function isPublic(address: string): boolean {
  // An address with a zone is link-local.
  if (isIP(address) === 0 || address.includes('%')) return false
  if (isIP(address) === 4) return !notPublic.check(address, 'ipv4')
  return allocated6.check(address, 'ipv6') && !notPublic.check(address, 'ipv6')
}
