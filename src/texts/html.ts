// Checks whether a text is HTML that Telegram accepts. Telegram refuses the whole message otherwise.

const known = 'b strong i em u ins s strike del code pre a blockquote span tg-spoiler tg-emoji'.split(' ')
const tag = /<(\/?)([a-z][\w-]*)(?:\s[^<>]*)?>|</gi

/** The mistake in a text, with what to write instead; undefined for a text that Telegram accepts. */
export function wrongHtml(text: string): string | undefined {
  const open: string[] = []
  for (const [found, slash = '', written] of text.matchAll(tag)) {
    if (written === undefined) return 'write &lt; for a "<" that begins no tag'
    const name = written.toLowerCase()
    if (!known.includes(name))
      return `Telegram does not know ${found}: remove it, or write one of ${known.map((one) => `<${one}>`).join(' ')}`
    if (slash === '') open.push(name)
    else if (open.pop() !== name) return `${found} closes nothing: remove it, or write <${name}> before it`
  }
  const unclosed = open.at(-1)
  return unclosed && `<${unclosed}> is not closed: write </${unclosed}> after it`
}
