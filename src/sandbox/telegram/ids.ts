// Identifiers made from the random source that the sandbox is given, so that a seeded run repeats itself.

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'

export type Random = () => number

export function randomText(random: Random, length: number): string {
  return Array.from({ length }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join('')
}

export function randomDigits(random: Random, length: number): string {
  const rest = Array.from({ length: length - 1 }, () => Math.floor(random() * 10)).join('')
  return `${1 + Math.floor(random() * 9)}${rest}`
}
