// Which addresses may become links, and where an address ends in running text. What Telegram would refuse or change into
// something else is shown as text instead.

/** A longer one is shown, so that the links of one message stay sendable. */
const longest = 1024

/** The address as it may stand in an entity. Telegram makes `http://mailto:...` of mail addresses: those are text. */
export function linkOf(address: string): string | undefined {
  if (address.length > longest || !/^(https?|tg):\/\//i.test(address) || !URL.canParse(address))
    return undefined
  const { protocol, hostname } = new URL(address)
  if (protocol === 'tg:') return address
  return hostname.includes('.') && !hostname.endsWith('.') ? address : undefined
}

/** How an address that is no link is shown: a mail address without its scheme, which Telegram then finds by itself. */
export const shownAddress = (address: string): string => address.replace(/^mailto:/i, '')

// Beyond ASCII an address is as often the next sentence of a Chinese text as a part of it.
const bare = /https?:\/\/[\w\-.~:/?#@!$&'()*+,;=%]+/iy
const trailing = /[.,:;!?'*_~]/

/** The end of the address that begins there, without the punctuation around it; markers inside it are no markers. */
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
