// Sends a Russian prompt for a model that accepts only English. A text model translates it for money; then the card is ordered or left.

import type { Message } from 'grammy/types'
import { wordsOf } from './chats.ts'
import type { Errand } from './errands.ts'
import { countOn, draftOf, isCardOf, isOrderable, tapGenerate } from './ordering.ts'
import { buttonOf } from './person.ts'
import { wordsOfTranslation } from './questions.ts'

const englishOnly = 'MODEL-IMAGE-PHOTO'
const twiceShare = 0.3
const orderShare = 0.5

export const orderInRussian: Errand = async (town, person) => {
  const translation = town.questions.translate(person.id)
  const order = town.book.addInWords(person.id, wordsOfTranslation(translation))
  town.journal.note(order.mark, `${person.id} says /image ${order.prompt}`)
  await person.says(`/image ${order.prompt}`)
  const card = await person.sees(isCardOf(order))
  const draft = card && draftOf(card)
  if (!draft) return
  await person.taps(card.message_id, `c:${draft}:m:${englishOnly}`)
  const translate = `c:${draft}:e`
  const isUnfit = (message: Message) => isCardOf(order)(message) && buttonOf(message, translate) !== undefined
  const unfit = await person.sees(isUnfit)
  if (!unfit) return
  translation.taps = person.chance.happens(twiceShare) ? 2 : 1
  const tap = () => person.taps(unfit.message_id, translate)
  await Promise.all(Array.from({ length: translation.taps }, tap))
  const isMade = (message: Message) =>
    isCardOf(order)(message) && wordsOf(message).includes(translation.made) && isOrderable(message)
  const made = await person.sees(isMade)
  if (!made || !person.chance.happens(orderShare)) return
  await person.taps(made.message_id, `c:${draft}:s:numberOfImages:1`)
  const single = await person.sees((message) => isMade(message) && countOn(message) === 1)
  if (single) await tapGenerate(town, person, order, single)
}
