// Delivers a settled answer part by part; each sent part is recorded before the next is sent. After a crash another process continues after
// the last recorded part, so at most one part is sent twice, and none is lost.

import type { Turn } from '../../chat/conversations.ts'
import { giveUpSending, heldTurn, markSent, putOffSending, type Seen } from '../../chat/deliveries.ts'
import { throughOutages } from '../../db/outage.ts'
import { builtIn } from '../../ledger/built-in-notes.ts'
import {
  afterAttempt,
  type DeliveryOutcome,
  isChatClosed,
  movedTo,
  outcomeOf,
} from '../../telegram/errors.ts'
import { moveChat } from '../../telegram/moved-chat.ts'
import { type Recipient, recipientOf, type Sender, sendPart } from './parts.ts'

/**
 * @param turn under a lease of this process
 * @param recipient read from the database when it is not known
 * @param seen what the chat has shown already: it is charged although the chat, which the user may have closed, takes no message any more
 */
export async function deliverAnswer(
  sender: Sender,
  turn: Turn,
  recipient?: Recipient,
  seen?: Seen,
): Promise<void> {
  const { deps } = sender
  const startedAt = deps.clock.now()
  const outcome = await sendAll(sender, turn, recipient)
  if (!outcome) return
  if (outcome.ok) return deps.metrics.answers.delivered('delivered', ageOf(deps, turn))
  const attempt = { earlier: turn.attempts, since: sinceOf(turn), startedAt }
  const { attempts, nextAt: sendAt } = afterAttempt(deps, attempt, outcome)
  if (!sendAt) return giveUp(deps, turn, attempts, outcome.isClosed ? seen : undefined)
  await putOffSending(deps.db, turn, attempts, sendAt)
  deps.metrics.answers.delivered('later', ageOf(deps, turn))
}

type Deps = Sender['deps']

const sinceOf = ({ settledAt, createdAt }: Turn): Date => settledAt ?? createdAt

const ageOf = ({ clock }: Deps, turn: Turn): number => clock.now().getTime() - sinceOf(turn).getTime()

/** `isClosed`: the chat takes no messages: the user has blocked the bot or removed it. */
type Sent = DeliveryOutcome & { readonly isClosed?: boolean }

/** @returns undefined when another process has taken over */
async function sendAll(
  sender: Sender,
  turn: Turn,
  recipient: Recipient | undefined,
): Promise<Sent | undefined> {
  try {
    return (await sendFollowing(sender, turn, recipient)) ? { ok: true } : undefined
  } catch (error) {
    const outcome = outcomeOf(error)
    sender.deps.log.warn({ turn: turn.id, error, outcome }, 'answer not sent')
    return { ...outcome, isClosed: isChatClosed(error) }
  }
}

/** Sends the parts; after a group has become a supergroup, into its new chat, which does not have the old messages. */
async function sendFollowing(sender: Sender, turn: Turn, known: Recipient | undefined): Promise<boolean> {
  const { deps } = sender
  const recipient = known ?? (await recipientOf(deps, turn))
  try {
    return await sendParts(sender, turn, recipient)
  } catch (error) {
    const chatId = movedTo(error)
    if (chatId === undefined) throw error
    await moveChat(deps.db, recipient.location.chatId, chatId)
    const now = await heldTurn(deps.db, turn)
    return now ? sendParts(sender, now, await recipientOf(deps, now)) : false
  }
}

/** @returns false when another process has taken over */
async function sendParts(sender: Sender, turn: Turn, recipient: Recipient): Promise<boolean> {
  const { deps } = sender
  const parts = turn.parts ?? []
  for (let at = turn.sent; at < parts.length; at += 1) {
    const message = await sendPart(sender, turn, at, recipient)
    const first = at === 0 ? message : undefined
    if (!(await throughOutages(deps, () => markSent(deps.db, turn, at + 1, first)))) return false
  }
  return true
}

async function giveUp(deps: Deps, turn: Turn, attempts: number, seen: Seen | undefined): Promise<void> {
  const now = await heldTurn(deps.db, turn)
  if (!now) return
  const refunded = await giveUpSending(deps, now, attempts, builtIn('refund-unsent'), seen)
  deps.log.warn({ turn: turn.id, attempts, sent: now.sent, refunded: `${refunded}` }, 'answer given up')
  deps.metrics.answers.delivered('undeliverable', ageOf(deps, turn))
}
