// The actions of the owner of a group's wallet: opens it, often with the lowest limit, fills it, takes the rest back, changes the limit,
// switches it off for a moment.

import type { Message } from 'grammy/types'
import { amountIn } from '../model/balances.ts'
import { buttonsOf, wordsOf } from './chats.ts'
import type { Errand } from './errands.ts'
import { redeemAsOwner } from './gifts.ts'
import { type Order, orderInChat } from './ordering.ts'
import { payAfter } from './paying.ts'
import { buttonOf, lastMessage, type Person } from './person.ts'
import type { Town } from './town.ts'

export const orderInGroup: Errand = async (town, person) => {
  const own = town.groups.filter(({ members }) => members.includes(person.id))
  if (own.length > 0) await orderInChat(town, person, person.chance.pick(own).id)
}

const ownGroup = ({ groups }: Town, person: Person): Group | undefined =>
  groups.find(({ owner }) => owner === person.id)

/** The share of wallets with the lowest limit. The limit of a new wallet is enough for one expensive order, the lowest limit for none. */
const lowestShare = 0.5

/** Opens and fills the owner's wallet, before the members order from it. */
export const startWallet: Errand = async (town, person) => {
  const group = ownGroup(town, person)
  if (!group) return
  await open(person, group)
  if (!group.isOpen) return
  const shown = person.chance.happens(lowestShare) ? await askForWallet(person) : undefined
  if (shown) await limitMost(person, group, shown)
  await redeemAsOwner(town, person)
  for (let tries = 0; tries < 2 && !isFilled(group, person); tries++) {
    const now = await askForWallet(person)
    if (now) await fill(town, person, group, now)
  }
}

export const manageWallet: Errand = async (town, person) => {
  const group = ownGroup(town, person)
  if (!group) return
  if (!group.isOpen) return open(person, group)
  const shown = await askForWallet(person)
  if (shown) await person.chance.weighed(acts).run(town, person, group, shown)
}

async function askForWallet(person: Person): Promise<Message | undefined> {
  const before = lastMessage(person)
  await person.says('/wallet')
  return person.sees((message) => message.message_id > before && buttonOf(message, 'gwf:') !== undefined)
}

const isFilled = ({ moves }: Group, { chat }: Person): boolean =>
  [...moves.values()].some(({ taps }) => taps.some((tap) => / added /.test(chat.answers.get(tap) ?? '')))

type Act = (town: Town, person: Person, group: Group, shown: Message) => Promise<void>

const acts: readonly { readonly weight: number; readonly run: Act }[] = [
  { weight: 60, run: fill },
  { weight: 15, run: takeBack },
  { weight: 10, run: switchOff },
  { weight: 15, run: limit },
]

async function open(person: Person, group: Group): Promise<void> {
  const there = person.in(group.id)
  const before = lastMessage(there)
  await there.says('/wallet')
  const offer = await there.sees(
    (message) => message.message_id > before && buttonOf(message, 'gw') !== undefined,
  )
  if (!offer) return
  await there.taps(offer.message_id, 'gw')
  group.isOpen = (await there.sees((message) => /group wallet is open/.test(wordsOf(message)))) !== undefined
}

const twiceShare = 0.3

async function move(
  person: Person,
  group: Group,
  { message_id }: Message,
  data: string,
  facts: Omit<Move, 'taps'>,
): Promise<string> {
  const known = group.moves.get(data) ?? { ...facts, taps: [] }
  group.moves.set(data, known)
  const times = person.chance.happens(twiceShare) ? 2 : 1
  const taps = await Promise.all(Array.from({ length: times }, () => person.taps(message_id, data)))
  known.taps.push(...taps.filter((tap) => tap !== undefined))
  const [first] = known.taps
  return (first && (await person.isTold(first))) ?? ''
}

/** Moves money into the wallet. If the balance is too low, the owner pays the missing amount first. */
async function fill(town: Town, person: Person, group: Group, shown: Message): Promise<void> {
  const button = buttonsOf(shown).find(({ data }) => data.startsWith('gwf:'))
  const amount = button && amountIn(button.label)
  if (!button || amount === undefined) return
  const told = await move(person, group, shown, button.data, { way: 'in', amount })
  if (told !== '') return
  const isAfter = ({ message_id }: Message) => message_id > shown.message_id
  const short = await person.sees((message) => isAfter(message) && / short\. After/.test(wordsOf(message)))
  const pays = short && buttonOf(short, 't:')
  if (!short || !pays) return
  await payAfter(town, person, () => person.taps(short.message_id, pays))
  const offer = await person.sees(
    (message) => message.message_id > short.message_id && /^👛 Move the money/.test(wordsOf(message)),
  )
  const [moves] = offer ? buttonsOf(offer) : []
  if (offer && moves)
    await move(person, group, offer, moves.data, { way: 'in', amount: amountIn(moves.label) })
}

async function takeBack(_: Town, person: Person, group: Group, shown: Message): Promise<void> {
  const data = buttonOf(shown, 'gwb:')
  if (data) await move(person, group, shown, data, { way: 'back', amount: undefined })
}

const offMs = 500

async function switchOff({ clock }: Town, person: Person, _: Group, shown: Message): Promise<void> {
  const off = buttonOf(shown, 'gws:', ':off')
  if (off) {
    await person.taps(shown.message_id, off)
    await clock.wait(offMs, person.ending)
  }
  const data = off ?? buttonOf(shown, 'gws:', ':on')
  if (data) await person.taps(shown.message_id, data.replace(/:off$/, ':on'))
}

/** Sets one of the two lowest limits, so that orders in the group reach it. */
async function limit(_: Town, person: Person, group: Group, shown: Message): Promise<void> {
  const list = await askForLimits(person, shown)
  if (!list) return
  const { data, label } = person.chance.pick(limitsOf(list).slice(0, 2))
  group.caps.push(amountIn(label) ?? 0)
  await person.taps(list.message_id, data)
}

async function limitMost(person: Person, group: Group, shown: Message): Promise<void> {
  const list = await askForLimits(person, shown)
  const [lowest] = list ? limitsOf(list) : []
  const amount = lowest && amountIn(lowest.label)
  if (!list || !lowest || amount === undefined) return
  await person.taps(list.message_id, lowest.data)
  const isSet = (message: Message) =>
    amountIn(/^Each member: .*$/m.exec(wordsOf(message))?.[0] ?? '') === amount
  if (await person.sees(isSet)) group.caps = [amount]
}

async function askForLimits(person: Person, shown: Message): Promise<Message | undefined> {
  const open = buttonOf(shown, 'gwc:')
  if (!open) return undefined
  await person.taps(shown.message_id, open)
  const list = await person.sees((message) => buttonOf(message, `${open}:`) !== undefined)
  return list && limitsOf(list).length > 0 ? list : undefined
}

const limitsOf = (list: Message) => buttonsOf(list).filter(({ label }) => amountIn(label) !== undefined)

// Groups whose members order together, and the record of the actions of wallet owners, from their view.

/** A button that moves money between the balance of the owner and the wallet. It may be tapped more than once. */
export interface Move {
  readonly way: 'in' | 'back'
  /** The amount on the button, in kopecks; undefined for the whole rest. */
  readonly amount: number | undefined
  /** The ids of the taps on the button, in the private chat of the owner. */
  readonly taps: string[]
}

export interface Group {
  readonly id: number
  /** The person who created the group. */
  readonly owner: number
  readonly members: readonly number[]
  isOpen: boolean
  /** Moves by the data of their buttons. */
  readonly moves: Map<string, Move>
  /** All daily limits of a member that may have been in force since the wallet got money, in kopecks. */
  caps: number[]
}

/** The limit of each member in a new wallet, in kopecks. */
const firstCap = 10_000

export const newGroup = (id: number, members: readonly [number, ...number[]]): Group => ({
  id,
  owner: members[0],
  members,
  isOpen: false,
  moves: new Map(),
  caps: [firstCap],
})

// Chooses the payer of an order in a group on its card: the person, or the wallet of the group.

export const isByGroup = (card: Message): boolean => /, paid from the group wallet$/m.test(wordsOf(card))

/** Whether the card says that the wallet cannot pay; then a tap on the wallet's button changes nothing. */
const isRefused = (card: Message): boolean => wordsOf(card).includes('The group wallet cannot pay for it')

const changeShare = 0.25

/** Sometimes changes the payer, if the card offers another one. @returns the card with the chosen payer */
export async function choosePayer(
  person: Person,
  { words }: Order,
  card: Message,
): Promise<Message | undefined> {
  const was = isByGroup(card)
  const other = buttonOf(card, 'c:', was ? ':p:own' : ':p:group')
  if (!other || isRefused(card) || !person.chance.happens(changeShare)) return card
  await person.taps(card.message_id, other)
  return person.sees((message) => wordsOf(message).includes(words) && isByGroup(message) !== was)
}
