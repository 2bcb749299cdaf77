// Composes the text of an answer from the conversation. It quotes the last question, mentions the one before, attachments and tool results,
// and contains code when the question asks for code. Marks in the question set its length: `[long]` (about 9000 characters, more than two
// Telegram messages hold), `[short]` (one sentence) and `[silent]` (no words after the thinking).

import { type Ask, lastUserText } from './ask.ts'
import { rewrite } from './rewrite.ts'
import { sampleOf } from './sample.ts'
import { startOf, topicOf, wordsFor } from './words.ts'

const asksForCode = /\bcode\b|(?<![а-яё])код(а|у|ом|е|ы)?(?![а-яё])/i
const isGreeting = /^(hi|hello|hey|привет|здравствуй(те)?|добрый (день|вечер)|доброе утро)[\s!.,)]*$/i
const longLength = 9000
const quotedResult = 500

export function compose(ask: Ask): string {
  const question = lastUserText(ask)
  if (ask.json) return composeJson(ask.json, question)
  const rewritten = rewrite(ask, question)
  if (rewritten !== undefined) return rewritten
  if (question.includes('[silent]')) return ''
  const words = wordsFor(question)
  const topic = topicOf(question)
  const last = ask.turns.at(-1)
  if (last?.role === 'tool') return words.result(startOf(last.text, quotedResult))
  const attachments = last?.attachments ?? 0
  const opening = [
    ...(attachments > 0 ? [words.seen(attachments)] : []),
    ...(topic ? [words.opening(topic)] : []),
  ]
  if (isGreeting.test(topic) || opening.length === 0) return words.greeting
  if (question.includes('[short]')) return opening.join(' ')
  if (question.includes('[long]')) return composeLong(opening, (n) => words.section(n, topic))
  const before = ask.turns.filter(({ role }) => role === 'user').at(-2)
  const parts = [
    opening.join(' '),
    words.points.map((point) => `- ${point}`).join('\n'),
    ...(asksForCode.test(question) ? [words.code(topic)] : []),
    ...(before ? [words.before(topicOf(before.text))] : []),
    words.closing,
  ]
  return parts.join('\n\n')
}

function composeLong(parts: readonly string[], section: (number: number) => string): string {
  const all = [parts.join(' ')]
  while (all.join('\n\n').length < longLength) all.push(section(all.length))
  return all.join('\n\n')
}

function composeJson(json: NonNullable<Ask['json']>, question: string): string {
  const topic = topicOf(question)
  if (json !== 'object') return JSON.stringify(sampleOf(json.schema, topic || 'example'))
  const words = wordsFor(question)
  const items = words.points.map((point) => point.replaceAll('*', ''))
  return JSON.stringify({ topic, answer: words.opening(topic).replaceAll('*', ''), items }, null, 2)
}
