// The text model that each person has chosen, as they know it.

import { buttonsOf, wordsOf } from './chats.ts'
import type { Errand } from './errands.ts'
import { buttonOf, lastMessage } from './person.ts'
import { talk } from './talking.ts'

export interface ModelChoices {
  /** The ids of the models that may answer: one, unless it was not seen which one was chosen. */
  of(person: number): ReadonlySet<string>
  /** The ids of all models that the person has ever chosen. */
  everOf(person: number): ReadonlySet<string>
  tries(person: number, model: string): void
  sees(person: number, model: string): void
}

/** @param first answers until another one is chosen */
export function createModelChoices(first: string): ModelChoices {
  const now = new Map<number, ReadonlySet<string>>()
  const ever = new Map<number, ReadonlySet<string>>()
  const all = new Set([first])
  const of = (person: number) => now.get(person) ?? all
  const everOf = (person: number) => ever.get(person) ?? all
  return {
    of,
    everOf,
    tries(person, model) {
      now.set(person, new Set([...of(person), model]))
      ever.set(person, new Set([...everOf(person), model]))
    },
    sees: (person, model) => void now.set(person, new Set([model])),
  }
}

const opensList = 'ch:models'
const chooses = 'cm:'

/** Only somebody who is not offered a price any more: an offer is answered by the model of the moment when it is taken. */
export const chooseModel: Errand = async (town, person) => {
  const { knowPrices, choices } = town
  if (!knowPrices.has(person.id)) return talk(town, person)
  const before = lastMessage(person)
  await person.says('/model')
  const settings = await person.sees(
    (message) => message.message_id > before && buttonOf(message, opensList) !== undefined,
  )
  if (!settings) return
  const { message_id } = settings
  await person.taps(message_id, opensList)
  const list = await person.sees(
    (message) => message.message_id === message_id && buttonOf(message, chooses) !== undefined,
  )
  if (!list) return
  const others = buttonsOf(list).filter((one) => one.data.startsWith(chooses) && !one.label.startsWith('●'))
  const { data, label } = person.chance.pick(others)
  const [id, name] = [data.slice(chooses.length), label.split(' · ')[0] ?? '']
  choices.tries(person.id, id)
  await person.taps(message_id, data)
  const chosen = await person.sees(
    (message) =>
      message.message_id === message_id &&
      buttonOf(message, opensList) !== undefined &&
      wordsOf(message).startsWith(`💬 ${name}\n`),
  )
  if (!chosen) return
  choices.sees(person.id, id)
  await talk(town, person)
}
