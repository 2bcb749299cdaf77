// What the owner of a group's wallet does: opens it, fills it, takes the rest back, sets limits, switches it off for a moment.

import type { Message } from 'grammy/types'
import { amountIn } from '../model/roubles.ts'
import { buttonsOf, wordsOf } from './chats.ts'
import type { Errand } from './errands.ts'
import type { Group, Move } from './groups.ts'
import { orderIn } from './ordering.ts'
import { payAfter } from './paying.ts'
import { buttonOf, lastMessage, type Person } from './person.ts'
import type { Town } from './town.ts'

export const orderInGroup: Errand = async (town, person) => {
  const group = town.groups.find(({ members }) => members.includes(person.id))
  if (group) await orderIn(town, person, group.id)
}

export const manageWallet: Errand = async (town, person) => {
  const group = town.groups.find(({ owner }) => owner === person.id)
  if (!group) return
  if (!group.isOpen) return open(person, group)
  const before = lastMessage(person)
  await person.says('/wallet')
  const shown = await person.sees(
    (message) => message.message_id > before && buttonOf(message, 'gwf:') !== undefined,
  )
  if (shown) await person.chance.weighed(acts).run(town, person, group, shown)
}

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

/** What the balance is short of is paid, and then moved. */
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

async function limit(_: Town, person: Person, group: Group, shown: Message): Promise<void> {
  const open = buttonOf(shown, 'gwc:')
  if (!open) return
  await person.taps(shown.message_id, open)
  const list = await person.sees((message) => buttonOf(message, `${open}:`) !== undefined)
  const limits = list ? buttonsOf(list).filter(({ label }) => amountIn(label) !== undefined) : []
  if (!list || limits.length === 0) return
  const { data, label } = person.chance.pick(limits)
  group.caps.push(amountIn(label) ?? 0)
  await person.taps(list.message_id, data)
}
