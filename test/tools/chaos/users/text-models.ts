// The text model and modes that each person has chosen, as the settings in the chat show them.

import type { Message } from 'grammy/types'
import type { Choice } from '../model/answers.ts'
import { buttonsOf, wordsOf } from './chats.ts'
import type { Errand } from './errands.ts'
import { buttonOf, lastMessage, type Person } from './person.ts'
import { talk } from './talking.ts'
import type { Town } from './town.ts'

export interface ModelChoices {
  /** The possible settings: one, or several if the person did not see the effect of a tap. */
  of(person: number): readonly Choice[]
  /** All models that the person has ever chosen, in any mode. */
  everOf(person: number): readonly Choice[]
  /** Records a tap whose effect the person has not seen yet. */
  tries(person: number, model: string): void
  sees(person: number, choice: Choice): void
}

/** @param first the model that answers until the person chooses another */
export function createModelChoices(first: string): ModelChoices {
  const now = new Map<number, readonly Choice[]>()
  const ever = new Map<number, ReadonlySet<string>>()
  const of = (person: number) => now.get(person) ?? [{ model: first, modes: [] }]
  const namesOf = (person: number) => ever.get(person) ?? new Set([first])
  return {
    of,
    everOf: (person) => [...namesOf(person)].map((model) => ({ model, modes: undefined })),
    tries(person, model) {
      now.set(person, [...of(person), { model, modes: undefined }])
      ever.set(person, new Set([...namesOf(person), model]))
    },
    sees: (person, choice) => void now.set(person, [choice]),
  }
}

const opensList = 'ch:models'
const chooses = 'cm:'
const switches = 'ct:'

/**
 * Changes the model or a mode, only for a person who has accepted the price of a first answer: an offered question is answered by the model
 * that is chosen when the offer is accepted.
 */
export const chooseModel: Errand = async (town, person) => {
  const settings = town.knowPrices.has(person.id) ? await openSettings(person) : undefined
  if (settings) await (person.chance.happens(0.5) ? switchMode : switchModel)(town, person, settings)
  await talk(town, person)
}

async function openSettings(person: Person): Promise<Message | undefined> {
  const before = lastMessage(person)
  await person.says('/model')
  return person.sees((message) => message.message_id > before && isSettings(message))
}

const isSettings = (message: Message) => buttonOf(message, opensList) !== undefined

async function switchModel({ choices }: Town, person: Person, { message_id }: Message): Promise<void> {
  await person.taps(message_id, opensList)
  const list = await person.sees(
    (message) => message.message_id === message_id && buttonOf(message, chooses) !== undefined,
  )
  if (!list) return
  const others = buttonsOf(list).filter(
    ({ data, label }) => data.startsWith(chooses) && !label.startsWith('●'),
  )
  const { data, label } = person.chance.pick(others)
  const [model, name] = [data.slice(chooses.length), label.split(' · ')[0] ?? '']
  choices.tries(person.id, model)
  await person.taps(message_id, data)
  const isChosen = (message: Message) => isSettings(message) && wordsOf(message).startsWith(`💬 ${name}\n`)
  const chosen = await person.sees((message) => message.message_id === message_id && isChosen(message))
  if (chosen) choices.sees(person.id, { model, modes: modesOn(chosen) })
}

/** Switches a mode; a model without modes is changed for another model. */
async function switchMode(town: Town, person: Person, settings: Message): Promise<void> {
  const { choices } = town
  const [now, ...others] = choices.of(person.id)
  const modes = buttonsOf(settings).filter(({ data }) => data.startsWith(switches))
  if (!now || others.length > 0 || modes.length === 0) return switchModel(town, person, settings)
  const { message_id } = settings
  const picked = person.chance.pick(modes)
  const { data, label } = picked
  const mode = nameOf(picked)
  choices.tries(person.id, now.model)
  await person.taps(message_id, data)
  const isSwitched = (message: Message) =>
    isSettings(message) && buttonsOf(message).some((one) => nameOf(one) === mode && one.label !== label)
  const switched = await person.sees((message) => message.message_id === message_id && isSwitched(message))
  if (switched) choices.sees(person.id, { model: now.model, modes: modesOn(switched) })
}

const modesOn = (settings: Message): readonly string[] =>
  buttonsOf(settings)
    .filter(({ data, label }) => data.startsWith(switches) && label.endsWith(': on'))
    .map(nameOf)

/** The mode in the data of its button: `search` in `ct:on:search`. */
const nameOf = ({ data }: { readonly data: string }): string => data.split(':')[2] ?? ''
