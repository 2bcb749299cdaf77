// Telegram takes 4096 characters in a message; its apps cut a longer text into several, and so does this page.

const longest = 4096

/** @returns {string[]} */
export function splitText(text) {
  const parts = []
  let rest = text
  while (rest.length > longest) {
    const cut = cutPlace(rest.slice(0, longest))
    parts.push(rest.slice(0, cut).trimEnd())
    rest = rest.slice(cut).trimStart()
  }
  return rest ? [...parts, rest] : parts
}

/** After the last line or word that fits; in a text without either, never through the middle of an emoji. */
function cutPlace(head) {
  const breaks = [head.lastIndexOf('\n'), head.lastIndexOf(' ')].filter((place) => place > longest / 2)
  if (breaks.length > 0) return breaks[0]
  const code = head.charCodeAt(longest - 1)
  return code >= 0xd800 && code <= 0xdbff ? longest - 1 : longest
}
