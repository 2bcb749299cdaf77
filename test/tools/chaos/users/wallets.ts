// The actions of the owner of a group's wallet: opens it, often with the lowest limit, fills it, and takes the rest back.

import { amountIn, buttonOf, buttonsOf, hasButton, type Message, wordsOf } from './chats.ts'
import { redeemAsOwner } from './paying.ts'
import type { Person } from './person.ts'
import type { Errand } from './town.ts'

export interface Group {
  readonly id: number
  /** The person who created the group. */
  readonly owner: number
  readonly members: readonly number[]
  isOpen: boolean
  /** The tapped buttons that fill the wallet, by their data: the amount in kopecks, and the ids of the taps in the owner's private chat. */
  readonly fills: Map<string, { readonly amount: number; readonly taps: string[] }>
  /** The daily limit of a member since the wallet got money, in kopecks. */
  cap: number
}

/** The limit of each member in a new wallet, in kopecks. */
const firstCap = 10_000

export const newGroup = (id: number, members: readonly [number, ...number[]]): Group => ({
  id,
  owner: members[0],
  members,
  isOpen: false,
  fills: new Map(),
  cap: firstCap,
})

export const isFilled = (answer = ''): boolean => / added to the wallet$/.test(answer)

/** The share of wallets with the lowest limit. The limit of a new wallet is enough for one expensive order, the lowest limit for none. */
const lowestShare = 0.5

/** Opens and fills the owner's wallet, before the members order from it. */
export const startWallet: Errand = async (town, person) => {
  const group = town.groups.find(({ owner }) => owner === person.id)
  if (!group) return
  await open(person, group)
  if (!group.isOpen) return
  const shown = person.chance.happens(lowestShare) ? await askForWallet(person) : undefined
  if (shown) await lowerLimit(person, group, shown)
  await redeemAsOwner(town, person)
  for (let tries = 0; tries < 2 && ![...person.chat.answers.values()].some(isFilled); tries += 1) {
    const now = await askForWallet(person)
    if (now) await fill(person, group, now)
  }
}

const backShare = 0.2

export const manageWallet: Errand = async ({ groups }, person) => {
  const group = groups.find(({ owner }) => owner === person.id)
  if (!group) return
  if (!group.isOpen) return open(person, group)
  const shown = await askForWallet(person)
  if (!shown) return
  const back = person.chance.happens(backShare) ? buttonOf(shown, 'gwb:') : undefined
  if (back) await person.taps(shown.message_id, back, twiceShare)
  else await fill(person, group, shown)
}

const askForWallet = (person: Person) => person.asks('/wallet', hasButton('gwf:'))

async function open(person: Person, group: Group): Promise<void> {
  const there = person.in(group.id)
  const offer = await there.asks('/wallet', hasButton('gw'))
  if (!offer) return
  await there.taps(offer.message_id, 'gw')
  group.isOpen = (await there.sees((message) => /group wallet is open/.test(wordsOf(message)))) !== undefined
}

const twiceShare = 0.3

async function fill(person: Person, { fills }: Group, shown: Message): Promise<void> {
  const button = buttonsOf(shown).find(({ data }) => data.startsWith('gwf:'))
  const amount = button && amountIn(button.label)
  if (!button || amount === undefined) return
  const known = fills.get(button.data) ?? { amount, taps: [] }
  fills.set(button.data, known)
  known.taps.push(...(await person.taps(shown.message_id, button.data, twiceShare)).map(({ tap }) => tap))
  const [first] = known.taps
  if (first) await person.isTold(first)
}

/** Sets the lowest limit, so that orders in the group reach it. */
async function lowerLimit(person: Person, group: Group, shown: Message): Promise<void> {
  const opens = buttonOf(shown, 'gwc:')
  if (!opens) return
  await person.taps(shown.message_id, opens)
  const list = await person.sees(hasButton(`${opens}:`))
  const lowest = list && buttonsOf(list).find(({ label }) => amountIn(label) !== undefined)
  const amount = lowest && amountIn(lowest.label)
  if (!list || !lowest || amount === undefined) return
  await person.taps(list.message_id, lowest.data)
  const isSet = (message: Message) =>
    amountIn(/^Each member: .*$/m.exec(wordsOf(message))?.[0] ?? '') === amount
  if (await person.sees(isSet)) group.cap = amount
}
