// The simulated operators: they correct balances, and refund orders and payments. Sometimes both operators send the same command at the
// same time.

import type { Message } from 'grammy/types'
import { buttonsOf, wordsOf } from './chats.ts'
import { buttonOf, hasButton, type Person } from './person.ts'
import { refundable, type Town } from './town.ts'

interface Shift {
  readonly town: Town
  readonly operator: Person
  /** The other operator. */
  readonly colleague: Person
  readonly customer: number
}

const acts: readonly { readonly weight: number; readonly run: (shift: Shift) => Promise<void> }[] = [
  { weight: 30, run: correct },
  { weight: 40, run: refundOrder },
  { weight: 24, run: refundPayment },
]

const firstOperator = 500_000_001
export const operatorIds = [firstOperator, firstOperator + 1] as const

/** @param pauseMs the longest pause between two actions */
export async function operate(
  town: Town,
  operator: Person,
  colleague: Person,
  pauseMs: number,
): Promise<void> {
  const { chance, ending } = operator
  await operator.says('/start')
  while (!ending.aborted) {
    const { run } = chance.weighed(acts)
    const people = [...town.people]
    if (people.length > 0) await run({ town, operator, colleague, customer: chance.pick(people) })
    await town.clock.wait(chance.between(pauseMs / 4, pauseMs), ending)
  }
}

/** The operators' actions in a run, from their view. */
export const createDesk = () => ({
  /** The amounts are in kopecks; negative for a debit. */
  corrections: [] as { readonly person: number; readonly reason: string; readonly amount: number }[],
  /** The refunds of orders, with the id on the button. */
  refunds: [] as { readonly reason: string; readonly generation: string }[],
  /** The number of reasons so far: each action has a reason like `r00042x`. */
  reasons: 0,
})

function nextReason({ desk }: Town, letter: string): string {
  desk.reasons += 1
  return `${letter}${String(desk.reasons).padStart(5, '0')}x`
}

async function correct({ town, operator, customer }: Shift): Promise<void> {
  const isGrant = operator.chance.happens(0.7)
  const { corrections } = town.desk
  const reason = nextReason(town, 'c')
  // The first correction is of one kopeck.
  const size = corrections.length === 0 ? 1 : 100 + corrections.length
  await operator.says(`/${isGrant ? 'grant' : 'debit'} ${customer} ${(size / 100).toFixed(2)} ${reason}`)
  const noted = () => corrections.push({ person: customer, reason, amount: isGrant ? size : -size })
  await confirm(operator, reason, noted)
}

const asksYes = hasButton('ad:d:yes', 'ad:d:yes')
const twiceShare = 0.4

/** Taps Yes below the question that contains these words, sometimes twice at the same time. */
async function confirm(operator: Person, words: string, before: () => unknown): Promise<void> {
  const question = await operator.sees((message) => wordsOf(message).includes(words) && asksYes(message))
  if (!question) return
  before()
  await operator.taps(question.message_id, 'ad:d:yes', twiceShare)
}

/** Sends a command and confirms it; sometimes the colleague does the same at the same time. */
async function confirmByBoth(
  { operator, colleague }: Shift,
  words: string,
  reason: string,
  before: () => unknown = () => undefined,
): Promise<void> {
  const by = async (one: Person) => {
    await one.says(`${words} ${reason}`)
    await confirm(one, reason, before)
  }
  await Promise.all((operator.chance.happens(twiceShare) ? [operator, colleague] : [operator]).map(by))
}

async function refundOrder(shift: Shift): Promise<void> {
  const generation = await listed(shift, 'ad:o:', 'ad:r:')
  if (!generation) return
  const reason = nextReason(shift.town, 'r')
  const noted = () => shift.town.desk.refunds.push({ reason, generation })
  await confirmByBoth(shift, `/refund ${generation}`, reason, noted)
}

const newest = 4

async function refundPayment(shift: Shift): Promise<void> {
  // Only the newest payments, since the money of earlier ones is spent.
  const payers = refundable(shift.town).slice(-newest)
  if (payers.length === 0) return
  const { person } = shift.operator.chance.pick(payers)
  const chosen = await listed({ ...shift, customer: person }, 'ad:p:', 'ad:y:')
  if (chosen) await confirmByBoth(shift, `/refund_payment ${chosen}`, nextReason(shift.town, 'p'))
}

/**
 * Opens a list from the customer's profile.
 * @param opens the start of the callback data of the button that opens the list
 * @param chooses the start of the callback data of the list's entries
 * @returns the id in the data of a random entry
 */
async function listed({ operator, customer }: Shift, opens: string, chooses: string) {
  await operator.says(`/user ${customer}`)
  const isProfile = (message: Message) => wordsOf(message).includes(`Telegram: ${customer}`)
  const profile = await operator.sees((message) => isProfile(message) && hasButton(opens)(message))
  const open = profile && buttonOf(profile, opens)
  if (!open) return undefined
  await operator.taps(profile.message_id, open)
  const isList = (message: Message) => message.message_id > profile.message_id && hasButton(chooses)(message)
  const list = await operator.sees(isList)
  const entries = list ? buttonsOf(list).filter(({ data }) => data.startsWith(chooses)) : []
  return entries.length > 0 ? operator.chance.pick(entries).data.slice(chooses.length) : undefined
}
