// What a person plainly wants made, said in their own words: a model with a tool for it calls it.

import type { Tool } from './ask.ts'

/** The word in a tool's name, and how people ask for what it makes. */
const wishes: readonly (readonly [string, RegExp])[] = [
  ['image', /^(please )?(draw|paint|sketch)\b|^(пожалуйста, )?(нарисуй|изобрази)/i],
  ['video', /^(please )?(film|make (me )?a video)\b|^(сними|сделай видео)/i],
  ['speech', /^(please )?(say|read) .*\baloud\b|^(озвучь|скажи вслух|прочитай вслух)/i],
  ['music', /^(please )?(sing|compose)\b|^(спой|сочини)/i],
]

export function wishedTool(tools: readonly Tool[], question: string): Tool | undefined {
  const asked = question.trim()
  const word = wishes.find(([, pattern]) => pattern.test(asked))?.[0]
  return word === undefined ? undefined : tools.find(({ name }) => name.includes(word))
}

/** The wish without the word that makes it one. */
export const wishIn = (question: string): string =>
  question
    .trim()
    .replace(/^\S+\s+(me\s+|мне\s+)?/i, '')
    .slice(0, 500)
