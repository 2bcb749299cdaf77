// Asks text models, and chooses others. An answer is charged without a card.

import { buttonsOf, hasButton } from './chats.ts'
import type { Errand } from './town.ts'

export interface Question {
  readonly number: number
  /** The person who asked, in the private chat with the bot. */
  readonly person: number
}

/** Marks of questions: an answer may take several messages, or have no words. */
const lengths = [
  { weight: 50, mark: '' },
  { weight: 40, mark: ' [long]' },
  { weight: 10, mark: ' [silent]' },
]

/** Asks a question. Every question is different, so that its answer is recognised. The person does not wait for the answer. */
export const talk: Errand = async ({ questions }, person) => {
  const number = questions.length + 1
  questions.push({ number, person: person.id })
  await person.says(`Question ${number}: what is it about?${person.chance.weighed(lengths).mark}`)
}

/** The number in the words of a question; undefined for other words. */
export function questionIn(words: string): number | undefined {
  const number = /\bQuestion (\d+):/.exec(words)?.[1]
  return number === undefined ? undefined : Number(number)
}

const [opensList, chooses] = ['ch:models', 'cm:']

/** Chooses another model, then asks. */
export const chooseModel: Errand = async (town, person) => {
  const settings = await person.asks('/model', hasButton(opensList))
  if (settings) {
    const { message_id } = settings
    await person.taps(message_id, opensList)
    const list = await person.sees((one) => one.message_id === message_id && hasButton(chooses)(one))
    const models = list ? buttonsOf(list).filter(({ data }) => data.startsWith(chooses)) : []
    if (models.length > 0) await person.taps(message_id, person.chance.pick(models).data)
  }
  await talk(town, person)
}
