// Character references of Telegram's HTML: four names and the numeric ones.

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' }

/** Reads `&lt;`, `&#33;` or `&#x21;` at `at`; anything else is plain text, as Telegram has it. */
export function readReference(source: string, at: number): { char: string; end: number } | undefined {
  const found = /^&(?:#x([0-9a-f]+)|#([0-9]+)|([a-z]+));?/i.exec(source.slice(at, at + 12))
  if (!found) return undefined
  const [whole, hex, decimal, name] = found
  const end = at + whole.length
  if (name !== undefined) {
    const char = named[name]
    return char === undefined ? undefined : { char, end }
  }
  const code = hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal)
  if (code === 0 || code >= 0x10ffff) return undefined
  return { char: String.fromCodePoint(code), end }
}
