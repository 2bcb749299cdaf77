// Asks text models, sometimes about a picture. An answer is charged without a card.

import type { Message } from 'grammy/types'
import { taps } from '../../../../src/telegram/taps.ts'
import type { Choice, Question, Rewriting } from '../model/answers.ts'
import { buttonsOf, realNow, wordsOf } from './chats.ts'
import type { Errand } from './errands.ts'
import { buttonOf, lastMessage, type Person } from './person.ts'
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

// The text model and modes that each person has chosen, as the settings in the chat show them.

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

// The questions of all people to text models, and the prompts that a text model translates for them. Each has a number, by which it is
// found at the gateway, in the chat and in the database.

/** A translation that a person asks for. Its button may be tapped twice. */
export type Translation = Rewriting & { taps: number }

export interface QuestionBook {
  readonly questions: readonly Question[]
  readonly translations: readonly Translation[]
  add(asked: Omit<Question, 'number'>): Question
  translate(person: number): Translation
}

export function createQuestionBook(): QuestionBook {
  const questions: Question[] = []
  const translations: Translation[] = []
  const next = () => questions.length + translations.length + 1
  return {
    questions,
    translations,
    add(asked) {
      const question = { ...asked, number: next() }
      questions.push(question)
      return question
    },
    translate(person) {
      const number = next()
      const translation = { number, person, made: `question ${number}: kot`, taps: 0 }
      translations.push(translation)
      return translation
    },
  }
}

export const wordsOfQuestion = ({ number }: Question): string => `Question ${number}: what is it about?`
/** A text that is long enough for the models to have different prices. */
export const wordsOfTranslation = ({ number }: Translation): string =>
  `Question ${number}:${' кот'.repeat(120)}`

/** The number in the words of a question; undefined for other words. */
export function questionIn(words: string): number | undefined {
  const number = /\bQuestion (\d+):/.exec(words)?.[1]
  return number === undefined ? undefined : Number(number)
}
