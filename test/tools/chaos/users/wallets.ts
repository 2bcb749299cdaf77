// The actions of the owner of a group's wallet: opens it, fills it, and takes the rest back.

import { amountIn, buttonOf, buttonsOf, hasButton, type Message, wordsOf } from './chats.ts'
import { topUp } from './paying.ts'
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
}

export const newGroup = (id: number, members: readonly [number, ...number[]]): Group => ({
  id,
  owner: members[0],
  members,
  isOpen: false,
  fills: new Map(),
})

export const isFilled = (answer = ''): boolean => / added to the wallet$/.test(answer)

/** Opens and fills the owner's wallet, before the members order from it. */
export const startWallet: Errand = async (town, person) => {
  const group = town.groups.find(({ owner }) => owner === person.id)
  if (!group) return
  await open(person, group)
  const isReady = () => [...person.chat.answers.values()].some(isFilled)
  for (let tries = 0; group.isOpen && tries < 2 && !isReady(); tries += 1) {
    // More than a button moves, so that a second tap could move it again.
    await topUp(town, person, 500)
    const shown = await askForWallet(person)
    if (shown) await fill(person, group, shown)
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

const twiceShare = 0.5

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
