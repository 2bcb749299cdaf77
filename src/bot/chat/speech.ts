// An answer as speech: its words, and its price by the first speech model.

import type { Answers } from '../../catalog/field.ts'
import { visible } from '../../catalog/fields.ts'
import type { Model } from '../../catalog/model.ts'
import { formatAnswer } from '../../chat/format/answer.ts'
import { separated } from '../../chat/format/thinking.ts'
import type { Kopecks } from '../../money.ts'
import type { BotDeps } from '../context.ts'

/** The words of an answer as they are spoken: without marks, programs, and the quotation of what was heard in the question. */
function spokenWords(answer: string): string {
  const pieces = formatAnswer(separated({ text: answer, thinking: '' }).answer)
  const texts = pieces.flatMap((piece) => (piece.kind === 'text' ? [withoutPrograms(piece)] : []))
  return visible(texts.join('\n').replace(/^🎤 .*\n?/, ''))
}

function withoutPrograms({
  text,
  entities,
}: Extract<ReturnType<typeof formatAnswer>[number], { kind: 'text' }>) {
  let kept = text
  for (const { type, offset, length } of entities.toReversed())
    if (type === 'pre') kept = kept.slice(0, offset) + kept.slice(offset + length)
  return kept
}

interface Speech {
  readonly words: string
  readonly model: Model
  readonly answers: Answers
  readonly amount: Kopecks
}

/** @returns undefined when no speech model is sold, or none takes so long a text */
export function speechOf({ catalog }: Pick<BotDeps, 'catalog'>, answer: string): Speech | undefined {
  const [model] = catalog.offered('speech')
  const field = model?.fields.find(({ audience }) => audience === 'asked')
  const words = spokenWords(answer)
  if (!model || !field || words === '') return undefined
  const answers = { [field.name]: words }
  const amount = catalog.priceWith(model, answers)?.amount
  return amount ? { words, model, answers, amount } : undefined
}
