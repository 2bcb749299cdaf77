// Questions to a text model: charges without a card.

import type { Message } from 'grammy/types'
import { taps } from '../../../src/telegram/taps.ts'
import type { Errand } from './errands.ts'
import { buttonOf, type Person } from './person.ts'
import { wordsOfQuestion } from './questions.ts'

/** The share of questions whose answer takes several messages. */
const longShare = 0.4
/** The share of people who tap the offer twice. */
const twiceShare = 0.3

/** Every question is different, so that its answer is recognised. The person does not wait for the answer. */
export const talk: Errand = async ({ questions, knowPrices }, person) => {
  const length = person.chance.happens(longShare) ? ' [long]' : ''
  await person.says(wordsOfQuestion(questions.add(person.id)) + length)
  if (!knowPrices.has(person.id) && (await acceptPrice(person))) knowPrices.add(person.id)
}

/** Taps the offer of the first answer, twice now and then. @returns false when it was not seen */
async function acceptPrice(person: Person): Promise<boolean> {
  const data = (message: Message) => buttonOf(message, taps.answerOffered.data())
  const offer = await person.sees((message) => data(message) !== undefined)
  const tapped = offer && data(offer)
  if (!tapped) return false
  await person.taps(offer.message_id, tapped)
  if (person.chance.happens(twiceShare)) await person.taps(offer.message_id, tapped)
  return true
}
