// Asks text models in all their modes, and stops some of the answers. An answer is charged without a card.

import type { Message } from 'grammy/types'
import { taps } from '../../../../src/telegram/taps.ts'
import { realNow } from '../journal.ts'
import { buttonsOf } from './chats.ts'
import { buttonOf, hasButton, type Person } from './person.ts'
import type { Errand, Town } from './town.ts'

export interface Question {
  readonly number: number
  /** The person who asked, in the private chat with the bot. */
  readonly person: number
}

/** A tap on Stop below the draft of an answer, which has the id of the message with the question. */
export interface Stop {
  readonly person: number
  readonly draft: number
  /** In milliseconds since 1970. */
  readonly at: number
}

/** Marks of questions: an answer may take several messages, or have no words. */
const lengths = [
  { weight: 50, mark: '' },
  { weight: 40, mark: ' [long]' },
  { weight: 10, mark: ' [silent]' },
]
/** The share of long answers that are stopped. */
const stopShare = 0.6
const mostSilenceMs = 3000
/** The longest time that a person reads an answer before stopping it. */
const longestLookMs = 200
/** The share of people who tap the offer of an answer twice. */
const twiceShare = 0.3

/** Asks a question. Every question is different, so that its answer is recognised. The person does not wait for the answer. */
export const talk: Errand = async (town, person) => {
  const question = { number: town.questions.length + 1, person: person.id }
  town.questions.push(question)
  const { mark } = person.chance.weighed(lengths)
  const drafted = person.chat.drafted()
  await person.says(wordsOfQuestion(question) + mark)
  if (!town.knowPrices.has(person.id) && (await acceptPrice(person))) town.knowPrices.add(person.id)
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

/** Taps the offer of the person's first answer, sometimes twice. @returns false if no offer was seen */
async function acceptPrice(person: Person): Promise<boolean> {
  // The whole data: other buttons of the offer change the prompt of a card.
  const asked = taps.answerOffered.data()
  const offer = await person.sees(hasButton(asked, asked))
  const tapped = offer && buttonOf(offer, asked, asked)
  if (!tapped) return false
  await person.taps(offer.message_id, tapped, twiceShare)
  return true
}

const [opensList, chooses, switches] = ['ch:models', 'cm:', 'ct:']

/** Chooses another model or switches a mode, then asks. */
export const chooseModel: Errand = async (town, person) => {
  const settings = await person.asks('/model', hasButton(opensList))
  if (settings) await changeSettings(person, settings)
  await talk(town, person)
}

async function changeSettings(person: Person, { message_id, ...settings }: Message): Promise<void> {
  const { chance } = person
  const modes = buttonsOf({ message_id, ...settings }).filter(({ data }) => data.startsWith(switches))
  if (modes.length > 0 && chance.happens(0.5))
    return void (await person.taps(message_id, chance.pick(modes).data))
  await person.taps(message_id, opensList)
  const list = await person.sees((one) => one.message_id === message_id && hasButton(chooses)(one))
  const models = list ? buttonsOf(list).filter(({ data }) => data.startsWith(chooses)) : []
  if (models.length > 0) await person.taps(message_id, chance.pick(models).data)
}

const wordsOfQuestion = ({ number }: Question): string => `Question ${number}: what is it about?`

/** The number in the words of a question; undefined for other words. */
export function questionIn(words: string): number | undefined {
  const number = /\bQuestion (\d+):/.exec(words)?.[1]
  return number === undefined ? undefined : Number(number)
}
