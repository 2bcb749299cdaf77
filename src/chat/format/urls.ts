// Which addresses may become links, and where an address ends in running text. Addresses that Telegram would refuse or change are shown as
// text.

/** Longer addresses are shown as text, so that the links of a message stay within Telegram's limit. */
const longest = 1024

/**
 * The address for a link entity; undefined for an address that cannot be a link. Telegram turns mail links into `http://mailto:...`, so
 * they are text.
 */
export function linkOf(address: string): string | undefined {
  if (address.length > longest || !/^(https?|tg):\/\//i.test(address) || !URL.canParse(address))
    return undefined
  const { protocol, hostname } = new URL(address)
  if (protocol === 'tg:') return address
  return hostname.includes('.') && !hostname.endsWith('.') ? address : undefined
}

/** An address as text. Mail addresses are shown without the scheme; Telegram detects them itself. */
export const shownAddress = (address: string): string => address.replace(/^mailto:/i, '')

// ASCII only: in Chinese text, for example, the following characters are often the next sentence.
const bare = /https?:\/\/[\w\-.~:/?#@!$&'()*+,;=%]+/iy
const trailing = /[.,:;!?'*_~]/

/** The end of the address that starts there, without trailing punctuation. Markdown markers inside it have no effect. */
export function bareUrlEnd(source: string, at: number): number | undefined {
  bare.lastIndex = at
  const found = bare.exec(source)?.[0]
  if (found === undefined) return undefined
  let open = 0
  for (const char of found) open += char === '(' ? 1 : char === ')' ? -1 : 0
  let end = found.length
  for (; end > 0; end--) {
    const last = found[end - 1] ?? ''
    if (last === ')' && open < 0) open++
    else if (!trailing.test(last)) break
  }
  return at + end
}
