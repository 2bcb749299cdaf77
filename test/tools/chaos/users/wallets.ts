// The actions of the owner of a group's wallet: opens it, often with the lowest limit, fills it, takes the rest back, changes the limit.

import type { Message } from 'grammy/types'
import { amountIn } from '../model/words.ts'
import { buttonsOf, wordsOf } from './chats.ts'
import { redeemAsOwner } from './paying.ts'
import { buttonOf, hasButton, type Person } from './person.ts'
import type { Errand } from './town.ts'

/** A tapped button that moves money between the owner's balance and the wallet. */
interface Move {
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

/** The share of wallets with the lowest limit. The limit of a new wallet is enough for one expensive order, the lowest limit for none. */
const lowestShare = 0.5

/** Opens and fills the owner's wallet, before the members order from it. */
export const startWallet: Errand = async (town, person) => {
  const group = town.groups.find(({ owner }) => owner === person.id)
  if (!group) return
  await open(person, group)
  if (!group.isOpen) return
  const shown = person.chance.happens(lowestShare) ? await askForWallet(person) : undefined
  if (shown) await limitMost(person, group, shown)
  await redeemAsOwner(town, person)
  for (let tries = 0; tries < 2 && !isFilled(group, person); tries += 1) {
    const now = await askForWallet(person)
    if (now) await fill(person, group, now)
  }
}

const acts: readonly {
  readonly weight: number
  readonly run: (person: Person, group: Group, shown: Message) => Promise<void>
}[] = [
  { weight: 60, run: fill },
  { weight: 15, run: takeBack },
  { weight: 15, run: limit },
]

export const manageWallet: Errand = async ({ groups }, person) => {
  const group = groups.find(({ owner }) => owner === person.id)
  if (!group) return
  if (!group.isOpen) return open(person, group)
  const shown = await askForWallet(person)
  if (shown) await person.chance.weighed(acts).run(person, group, shown)
}

const askForWallet = (person: Person) => person.asks('/wallet', hasButton('gwf:'))

const isFilled = ({ moves }: Group, { chat }: Person): boolean =>
  [...moves.values()].some(({ taps }) => taps.some((tap) => / added /.test(chat.answers.get(tap) ?? '')))

async function open(person: Person, group: Group): Promise<void> {
  const there = person.in(group.id)
  const offer = await there.asks('/wallet', hasButton('gw'))
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
): Promise<void> {
  const known = group.moves.get(data) ?? { ...facts, taps: [] }
  group.moves.set(data, known)
  known.taps.push(...(await person.taps(message_id, data, twiceShare)).map(({ tap }) => tap))
  const [first] = known.taps
  if (first) await person.isTold(first)
}

async function fill(person: Person, group: Group, shown: Message): Promise<void> {
  const button = buttonsOf(shown).find(({ data }) => data.startsWith('gwf:'))
  const amount = button && amountIn(button.label)
  if (button && amount !== undefined) await move(person, group, shown, button.data, { way: 'in', amount })
}

async function takeBack(person: Person, group: Group, shown: Message): Promise<void> {
  const data = buttonOf(shown, 'gwb:')
  if (data) await move(person, group, shown, data, { way: 'back', amount: undefined })
}

/** Sets one of the two lowest limits, so that orders in the group reach it. */
async function limit(person: Person, group: Group, shown: Message): Promise<void> {
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
  const opens = buttonOf(shown, 'gwc:')
  if (!opens) return undefined
  await person.taps(shown.message_id, opens)
  const list = await person.sees(hasButton(`${opens}:`))
  return list && limitsOf(list).length > 0 ? list : undefined
}

const limitsOf = (list: Message) => buttonsOf(list).filter(({ label }) => amountIn(label) !== undefined)
