// Distinguishes addresses of the public internet from all others. The others may belong to machines that trust their network: this one,
// a database, a cloud's metadata service.

import { BlockList, isIP } from 'node:net'

type Subnet = readonly [network: string, prefix: number]

/** IANA's special-purpose registry, multicast and reserved addresses. */
const special4: readonly Subnet[] = [
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

/** Exceptions within `allocated6`: tunnels to IPv4, and documentation addresses. */
const special6: readonly Subnet[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const listOf = (subnets: readonly Subnet[], family: 'ipv4' | 'ipv6') => {
  const list = new BlockList()
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family)
  return list
}

const notPublic4 = listOf(special4, 'ipv4')
const notPublic6 = listOf(special6, 'ipv6')
/** The only allocated part of IPv6. Loopback, link-local, IPv4-mapped and -compatible addresses are outside of it. */
const allocated6 = listOf([['2000::', 3]], 'ipv6')

/** In networks of IPv6 alone (NAT64), the DNS gives IPv4 addresses in this form. */
const translated4 = listOf([['64:ff9b::', 96]], 'ipv6')

/** The IPv4 address in the last 32 bits of an IPv6 address. */
function embedded4(address: string): string {
  // The URL parser writes IPv6 addresses in their shortest form, in hexadecimal digits alone.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::').at(-1)?.split(':') ?? []
  const [high = 0, low = 0] = ['0', ...groups].slice(-2).map((group) => Number.parseInt(group || '0', 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** @param address an IP address; any other text is not public */
export function isPublic(address: string): boolean {
  // An address with a zone is link-local.
  if (address.includes('%')) return false
  switch (isIP(address)) {
    case 4:
      return !notPublic4.check(address, 'ipv4')
    case 6:
      if (translated4.check(address, 'ipv6')) return isPublic(embedded4(address))
      return allocated6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6')
    default:
      return false
  }
}
