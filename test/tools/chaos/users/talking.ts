// Asks text models, sometimes about a picture. An answer is charged without a card.

import type { Message } from 'grammy/types'
import { taps } from '../../../../src/telegram/taps.ts'
import { realNow } from './chats.ts'
import type { Errand } from './errands.ts'
import { buttonOf, type Person } from './person.ts'
import { wordsOfQuestion } from './questions.ts'
import type { Town } from './town.ts'

/** Marks of questions: an answer may take several messages, or have no words. */
const lengths = [
  { weight: 50, mark: '' },
  { weight: 40, mark: ' [long]' },
  { weight: 10, mark: ' [silent]' },
] as const
/** The share of long answers that are stopped. */
const stopShare = 0.6
const mostSilenceMs = 3000
/** The longest time that a person reads an answer before stopping it. */
const longestLookMs = 200
/** The share of people who tap the offer of an answer twice. */
const twiceShare = 0.3

/** Asks a question. Every question is different, so that its answer is recognised. The person does not wait for the answer. */
export const talk: Errand = async (town, person) => {
  const { questions, knowPrices, choices } = town
  const hasPicture = person.chance.happens(pictureShare(town, person))
  const question = questions.add({ person: person.id, hasPicture, choices: choices.of(person.id) })
  const { mark } = person.chance.weighed(lengths)
  const words = wordsOfQuestion(question) + mark
  const drafted = person.chat.drafted()
  await (hasPicture ? person.shows(words) : person.says(words))
  if (!knowPrices.has(person.id) && (await acceptPrice(person))) knowPrices.add(person.id)
  if (mark === ' [long]' && person.chance.happens(stopShare)) await stop(town, person, drafted)
}

/** Stops the answer after its draft has appeared. @param before the newest draft before the question */
async function stop({ stops, clock }: Town, person: Person, before: number | undefined): Promise<void> {
  const { chat, chance, ending } = person
  await chat.until(() => chat.drafted() !== before || undefined, mostSilenceMs, ending)
  await clock.wait(chance.between(0, longestLookMs), ending)
  const draft = await person.stops()
  if (draft !== undefined) stops.push({ person: person.id, draft, at: realNow() })
}

/** The probability of a question about a picture. It is low, but not zero, for a model that sees no pictures: the bot must say so. */
function pictureShare({ choices, knowPrices, textModels }: Town, { id }: Person): number {
  if (!knowPrices.has(id)) return 0
  const sees = choices
    .of(id)
    .some(({ model }) => textModels.some((one) => one.id === model && one.seesPictures))
  return sees ? 0.6 : 0.05
}

/** Taps the offer of the person's first answer, sometimes twice. @returns false if no offer was seen */
async function acceptPrice(person: Person): Promise<boolean> {
  // The whole data: other buttons of the offer change the prompt of a card.
  const asked = taps.answerOffered.data()
  const data = (message: Message) => buttonOf(message, asked, asked)
  const offer = await person.sees((message) => data(message) !== undefined)
  const tapped = offer && data(offer)
  if (!tapped) return false
  await person.taps(offer.message_id, tapped)
  if (person.chance.happens(twiceShare)) await person.taps(offer.message_id, tapped)
  return true
}
