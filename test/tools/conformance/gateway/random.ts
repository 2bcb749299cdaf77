// Seeded random choices: the same words give the same choices on every machine.

/** A number below 2^32 that is computed from words (FNV-1a with a final mix). */
export function hashOf(...words: readonly (string | number)[]): number {
  let hash = 0x811c9dc5
  for (const char of words.join('\u0000')) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** The items in an order that depends only on the words. */
export function shuffled<T>(items: readonly T[], ...words: readonly (string | number)[]): T[] {
  return items
    .map((item, index) => ({ item, key: hashOf(...words, index) }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)
}
