// Answers to requests to translate or to shorten a text. No translation takes place: Russian is written in Latin letters, and other letters
// are left out. A text that contains `[long]` is returned without being shortened.

import type { Ask } from './ask.ts'

const russian = 'абвгдеёжзийклмнопрстуфхцчшщъыьэюя'
const latin = 'a b v g d e yo zh z i y k l m n o p r s t u f kh ts ch sh shch  y  e yu ya'.split(' ')

/** @returns undefined when the conversation asks for something else */
export function rewrite({ turns }: Ask, words: string): string | undefined {
  const system = turns.find(({ role }) => role === 'system')?.text ?? ''
  if (/^Translate .* into English/.test(system)) return inLatin(words)
  const most = /^Shorten .* at most (\d+) characters/.exec(system)?.[1]
  if (most === undefined) return undefined
  return words.includes('[long]') ? words : words.slice(0, Number(most)).trim()
}

function inLatin(words: string): string {
  const letters = [...words.toLowerCase()].map((one) => latin[russian.indexOf(one)] ?? one).join('')
  return letters.replaceAll(/[^\p{Script=Latin}\p{Script=Common}]/gu, '')
}
