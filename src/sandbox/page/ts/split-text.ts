// Splits a long text into messages as Telegram's apps do.

/** The most characters that Telegram accepts in a message. Its apps send a longer text as several messages; so does this page. */
const longest = 4096

export function splitText(text: string): string[] {
  const parts: string[] = []
  let rest = text
  while (rest.length > longest) {
    const cut = cutPlace(rest.slice(0, longest))
    parts.push(rest.slice(0, cut).trimEnd())
    rest = rest.slice(cut).trimStart()
  }
  return rest ? [...parts, rest] : parts
}

/** The place to cut: after the last line or word that fits. A text without either is not cut in the middle of a surrogate pair. */
function cutPlace(head: string): number {
  const place = [head.lastIndexOf('\n'), head.lastIndexOf(' ')].find((one) => one > longest / 2)
  if (place !== undefined) return place
  const code = head.charCodeAt(longest - 1)
  return code >= 0xd800 && code <= 0xdbff ? longest - 1 : longest
}
