// Saves settings of a card under a name, applies them to other cards, and deletes them. Some people try presets of others, or deleted ones.

import type { Message } from 'grammy/types'
import type { Preset, PresetUse } from '../model/presets.ts'
import { buttonsOf, wordsOf } from './chats.ts'
import type { Errand } from './errands.ts'
import { countOn, draftOf, isCardOf, isOrderable, type Order, tapGenerate } from './ordering.ts'
import { buttonOf, lastMessage, type Person } from './person.ts'
import { wordsOfQuestion } from './talking.ts'
import type { Town } from './town.ts'

/** The record of a preset. It changes when the preset is saved, seen in a list, and deleted. */
export type OwnPreset = { -readonly [K in keyof Preset]: Preset[K] } & { id: string | undefined }

export interface PresetBook {
  readonly presets: OwnPreset[]
  readonly uses: PresetUse[]
}

const wishes = [
  { weight: 5, run: save },
  { weight: 5, run: use },
  { weight: 3, run: useForbidden },
  { weight: 2, run: remove },
] as const

export const keepSettings: Errand = (town, person) => person.chance.weighed(wishes).run(town, person)

interface Card {
  readonly order: Order
  readonly draft: string
  readonly messageId: number
}

/** Opens a new card. */
async function openPresets({ book, journal }: Town, person: Person): Promise<Card | undefined> {
  const order = book.addInWords(person.id, 'a cat')
  journal.note(order.mark, `${person.id} says /image ${order.prompt}`)
  await person.says(`/image ${order.prompt}`)
  const card = await person.sees(isCardOf(order))
  const draft = card && draftOf(card)
  return draft ? { order, draft, messageId: card.message_id } : undefined
}

const isSetTo =
  ({ order }: Card, count: number) =>
  (message: Message) =>
    isCardOf(order)(message) && countOn(message) === count

const savedShare = 0.5

async function save(town: Town, person: Person): Promise<void> {
  const card = await openPresets(town, person)
  if (!card) return
  const { draft, messageId } = card
  const count = person.chance.between(2, 3)
  await person.taps(messageId, `c:${draft}:s:n:${count}`)
  if (!(await person.sees(isSetTo(card, count)))) return
  const before = lastMessage(person)
  await person.taps(messageId, `c:${draft}:w`)
  const isAfter = ({ message_id }: Message) => message_id > before
  const asked = await person.sees((one) => isAfter(one) && /^What shall these settings be/.test(wordsOf(one)))
  if (!asked) return
  const preset = nameIt(town, person, count)
  await person.says(preset.name)
  const isTold = (one: Message) => isAfter(one) && wordsOf(one).includes(`Saved as “${preset.name}”`)
  preset.isSaved = (await person.sees(isTold)) !== undefined
  const again = await person.sees((one) => isAfter(one) && isSetTo(card, count)(one) && isOrderable(one))
  if (again && person.chance.happens(savedShare)) await tapGenerate(town, person, card.order, again)
}

/**
 * Chooses a name for a preset. It has the words of a question to a text model, because the bot takes it as one if its request for the name
 * was closed in the meantime.
 */
function nameIt({ presetBook, questions, choices }: Town, { id: person }: Person, count: number): OwnPreset {
  const question = questions.add({ person, hasPicture: false, choices: choices.of(person) })
  const name = wordsOfQuestion(question).slice(0, mostName).trim()
  const preset: OwnPreset = { person, name, count, isSaved: false, isDeleted: 'no', id: undefined }
  presetBook.presets.push(preset)
  return preset
}

/** The longest name, in characters. */
const mostName = 30

const ownOf = ({ presetBook }: Town, { id }: Person): readonly OwnPreset[] =>
  presetBook.presets.filter(
    ({ person, isSaved, isDeleted }) => person === id && isSaved && isDeleted === 'no',
  )

async function use(town: Town, person: Person): Promise<void> {
  if (ownOf(town, person).length === 0) return save(town, person)
  const card = await openPresets(town, person)
  if (!card) return
  const puts = `c:${card.draft}:u:`
  await person.taps(card.messageId, `c:${card.draft}:p`)
  const list = await person.sees(
    (one) => one.message_id === card.messageId && buttonOf(one, puts) !== undefined,
  )
  if (!list) return
  const offered = buttonsOf(list).filter(({ data }) => data.startsWith(puts))
  const chosen = person.chance.pick(offered)
  const preset = ownOf(town, person).find(({ name }) => chosen.label === `⭐ ${name}`)
  if (!preset) return
  preset.id = chosen.data.slice(puts.length)
  const tap = await person.taps(card.messageId, chosen.data)
  const isMain = (one: Message) => one.message_id === card.messageId && buttonOf(one, puts) === undefined
  const changed = await person.sees((one) => isCardOf(card.order)(one) && isMain(one))
  if (!tap) return
  const shown = changed && countOn(changed)
  town.presetBook.uses.push({ person: person.id, preset, isOver: false, tap, shown })
  if (changed && isOrderable(changed)) await tapGenerate(town, person, card.order, changed)
}

/** Tries a preset of another person, or a deleted one. */
async function useForbidden(town: Town, person: Person): Promise<void> {
  const forbidden = town.presetBook.presets.filter(
    ({ id, person: owner, isDeleted }) => id !== undefined && (owner !== person.id || isDeleted === 'yes'),
  )
  if (forbidden.length === 0) return use(town, person)
  const preset = person.chance.pick(forbidden)
  const isOver = preset.isDeleted === 'yes'
  const card = await openPresets(town, person)
  const tap = card && (await person.taps(card.messageId, `c:${card.draft}:u:${preset.id}`))
  if (tap) town.presetBook.uses.push({ person: person.id, preset, isOver, tap, shown: undefined })
}

async function remove(town: Town, person: Person): Promise<void> {
  const before = lastMessage(person)
  await person.says('/presets')
  const own = ownOf(town, person).filter(({ id }) => id !== undefined)
  if (own.length === 0) return
  const preset = person.chance.pick(own)
  const data = `ps:${preset.id}`
  const list = await person.sees((one) => one.message_id > before && buttonOf(one, data) !== undefined)
  if (!list) return
  const isSame = ({ message_id }: Message) => message_id === list.message_id
  await person.taps(list.message_id, data)
  const deletes = `px:${preset.id}`
  if (!(await person.sees((one) => isSame(one) && buttonOf(one, deletes) !== undefined))) return
  preset.isDeleted = 'perhaps'
  await person.taps(list.message_id, deletes)
  const isGone = (one: Message) => buttonOf(one, deletes) === undefined && buttonOf(one, data) === undefined
  const left = await person.sees((one) => isSame(one) && isGone(one))
  if (left) preset.isDeleted = 'yes'
}
