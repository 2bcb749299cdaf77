// How users read their money: a balance, which is a debt below zero, stored reasons, and what is missing for a price.

import { InlineKeyboard } from 'grammy'
import type { Message } from 'grammy/types'
import { type BuiltIn, builtInOf } from '../ledger/built-in-notes.ts'
import { readBalance } from '../ledger/ledger.ts'
import { type Wallet, walletAt } from '../ledger/wallets.ts'
import type { Kopecks } from '../money.ts'
import { changeDraft, type Draft } from '../orders/drafts.ts'
import { limitsByAny } from '../payments/providers.ts'
import { type GroupRoom, groupRoomOf, type OverGroupCap, overRoom } from '../sales/limits.ts'
import { isGroup } from '../telegram/send.ts'
import { taps } from '../telegram/taps.ts'
import { locales, type Say, type Texts } from '../texts.ts'
import { findUser, type User } from '../users/user.ts'
import { offeredSums, sumText } from './account/top-up-bonus.ts'
import {
  alert,
  answerTap,
  type BotDeps,
  type Ctx,
  firstNameOf,
  privateChatButton,
  reply,
  send,
} from './context.ts'

/** HTML. */
export const balanceText = (say: Say, available: Kopecks): string =>
  available < 0n
    ? say.html('balance-owed', { owed: say.roubles(-available) })
    : say.html('balance', { available: say.roubles(available) })

/** What is missing for a price, and how much of it is a debt. */
export const missingText = (say: Say, missing: Kopecks, available: Kopecks): string =>
  available < 0n
    ? say.plain('missing-with-debt', { missing: say.roubles(missing), owed: say.roubles(-available) })
    : say.roubles(missing)

// Shows a stored reason in the language of its reader.

/** A reason that a person typed is shown as it is. */
export function reasonText(deps: { readonly texts: Texts }, say: Say, stored: string): string {
  const key = builtInReason(deps, stored)
  return key === undefined ? stored : say.plain(key)
}

export const builtInReason = ({ texts }: { readonly texts: Texts }, stored: string): BuiltIn | undefined =>
  builtInOf(stored, (key, words) => locales.some((locale) => texts(locale).plain(key) === words))

// The message when the balance is too short.

/**
 * Says how much is missing, with buttons for a sum that is enough and for two larger ones; in a group, only where to top up.
 * @returns the message in a private chat
 */
export async function offerTopUp(
  deps: BotDeps,
  ctx: Ctx,
  missing: Kopecks,
  refusal: 'not-enough' | 'chat-not-enough' | 'chat-short' | 'wallet-short' = 'not-enough',
): Promise<Message | undefined> {
  const { available } = await readBalance(deps.db, ctx.user.id)
  const said = missingText(ctx.say, missing, available)
  if (ctx.chat?.type !== 'private') return void (await leadToTopUp(ctx, said))
  const amount = amountToOffer(deps.topUps, missing)
  const text = ctx.say.plain('button-top-up', { amount: sumText(deps, ctx.say, amount) })
  const keyboard = new InlineKeyboard().text(text, taps.topUpAmount.data({ amount })).primary().row()
  const larger = offeredSums(deps).filter((one) => one > amount)
  for (const one of larger.slice(0, 2))
    keyboard.text(sumText(deps, ctx.say, one), taps.topUpAmount.data({ amount: one }))
  if (ctx.callbackQuery) await answerTap(ctx)
  const canPay = deps.topUps.providers.length > 0
  return send(ctx, ctx.say.html(refusal, { missing: said }), canPay ? keyboard : undefined)
}

/** In a group, only the user who taps learns how much is missing. */
async function leadToTopUp(ctx: Ctx, missing: string): Promise<void> {
  const { say } = ctx
  const name = firstNameOf(ctx)
  const link = privateChatButton(ctx, 'topup')
  if (!ctx.callbackQuery) return reply(ctx, say.html('short-in-group-chat', { name }), link)
  await alert(ctx, say.plain('short-alert', { missing }))
  await reply(ctx, say.html('short-in-group', { name }), link)
}

/** The amount to offer: the missing one, rounded up to tens of roubles, within the limits of at least one provider. */
export function amountToOffer(topUps: BotDeps['topUps'], missing: Kopecks): Kopecks {
  const { min, max } = limitsByAny(topUps)
  const enough = roundUp(missing > min ? missing : min, 10_00n)
  return enough > max ? max : enough
}

const roundUp = (amount: Kopecks, step: Kopecks): Kopecks => ((amount + step - 1n) / step) * step

// What a card says about money: in a private chat the balance; in a group the owner of the card, the payer, and what the member can still
// spend from the wallet of the group. A group never shows the balance of a person.

export type CardFunds =
  | { readonly at: 'private'; readonly available: Kopecks }
  | {
      readonly at: 'group'
      readonly owner: string
      readonly payer: 'own' | 'group'
      /**
       * What the member can spend from the wallet of the group; undefined when the group has no wallet, or the user is no member of it, so
       * that there is no choice of payer.
       */
      readonly room: GroupRoom | undefined
      /** Why the wallet does not pay the price; undefined when it does. */
      readonly refused: GroupRefusal | undefined
    }

type Deps = Pick<BotDeps, 'db' | 'clock' | 'limits' | 'members'>
type Person = Pick<User, 'id' | 'telegramId'>

/** A wallet pays for members of its group only; its owner spends their own money. */
export interface NotMember {
  readonly ok: false
  readonly reason: 'not-member' | 'member-unknown'
}

export type GroupRefusal = OverGroupCap | NotMember

/** The wallet that is on in this chat, and why it does not pay for this person; undefined without a wallet. */
async function walletFor(
  { db, members }: Pick<Deps, 'db' | 'members'>,
  chatId: number,
  { id, telegramId }: Person,
): Promise<{ readonly wallet: Wallet; readonly closed: NotMember | undefined } | undefined> {
  const wallet = isGroup(chatId) ? await walletAt(db, chatId) : undefined
  if (!wallet || wallet.ownerId === id) return wallet && { wallet, closed: undefined }
  const membership = telegramId === null ? 'stranger' : await members.of(chatId, telegramId)
  if (membership === 'member') return { wallet, closed: undefined }
  const reason = membership === 'stranger' ? 'not-member' : 'member-unknown'
  return { wallet, closed: { ok: false, reason } }
}

/** Whether a new card of this person in this chat is paid by the wallet of its group. */
export async function groupPays(
  deps: Pick<Deps, 'db' | 'members'>,
  chatId: number,
  person: Person,
): Promise<boolean> {
  const found = await walletFor(deps, chatId, person)
  return found !== undefined && !found.closed
}

/** Why an order from the wallet of the group is not even tried: the check of each tap, whatever the card has shown. */
export const notMember = async (deps: Deps, { chatId, byGroup }: Draft, person: Person) =>
  byGroup ? (await walletFor(deps, chatId, person))?.closed : undefined

/** @param price undefined while there is no price */
export async function cardFundsOf(deps: Deps, draft: Draft, price: Kopecks | undefined): Promise<CardFunds> {
  const { db } = deps
  const { chatId, userId, byGroup } = draft
  if (!isGroup(chatId)) return { at: 'private', available: (await readBalance(db, userId)).available }
  const user = await findUser(db, userId)
  const group = { at: 'group', owner: user?.name ?? '', payer: byGroup ? 'group' : 'own' } as const
  const { wallet, closed } = (user && (await walletFor(deps, chatId, user))) ?? {}
  if (!wallet || closed?.reason === 'not-member') return { ...group, room: undefined, refused: closed }
  const room = await groupRoomOf(deps, wallet, userId)
  return { ...group, room, refused: closed ?? (price === undefined ? undefined : overRoom(room, price)) }
}

/** Whether the user has to pay because the wallet, which was to pay, refuses. */
export const isOverGroup = (funds: CardFunds): boolean =>
  funds.at === 'group' && funds.payer === 'group' && funds.refused !== undefined

/** Sets the payer in a new revision of the draft, so that a price shown with another payer cannot be ordered. */
export const setPayer = ({ db, clock }: Pick<Deps, 'db' | 'clock'>, draft: Draft, payer: 'own' | 'group') =>
  changeDraft(db, draft, ({ answers }) => ({ answers, byGroup: payer === 'group' }), clock.now())

/** Lines for the card, below the price. */
export function fundsText(say: Say, funds: CardFunds, amount: Kopecks): readonly string[] {
  if (funds.at === 'group') {
    const payer = say.html(funds.payer === 'group' ? 'card-owner-wallet' : 'card-owner', {
      name: funds.owner,
    })
    return [payer, ...walletText(say, funds)]
  }
  const { available } = funds
  const missing = say.html('card-missing', { missing: missingText(say, amount - available, available) })
  if (available < 0n) return [missing]
  const balance = say.html('card-balance', { available: say.roubles(available) })
  return available >= amount ? [balance] : [balance, missing]
}

/** The lines about the wallet. When the member chose to pay, no reason is given. */
function walletText(
  say: Say,
  { payer, room, refused }: Extract<CardFunds, { at: 'group' }>,
): readonly string[] {
  if (refused?.reason === 'not-member' || refused?.reason === 'member-unknown')
    return [say.html(`card-wallet-${refused.reason}`)]
  if (!room || (payer === 'own' && !refused)) return []
  const available = say.roubles(room.available)
  if (refused?.reason === 'wallet-short') return [say.html('card-wallet-short', { available })]
  const { most, spent } = room.cap ?? { most: 0n, spent: 0n }
  const cap = { most: say.roubles(most), left: say.roubles(most > spent ? most - spent : 0n) }
  if (refused) return [say.html('card-wallet-cap', cap)]
  return [say.html(room.cap ? 'card-wallet-rest-cap' : 'card-wallet-rest', { available, ...cap })]
}

/** The button that chooses the other payer. A wallet that was switched off meanwhile, or has too little for the price, cannot be chosen. */
export function payerButtons({ say, draftId, funds }: { say: Say; draftId: string; funds: CardFunds }) {
  if (funds.at !== 'group') return []
  const { text } = InlineKeyboard
  if (funds.payer === 'group')
    return [text(say.plain('button-pay-own'), taps.payBy.data({ draftId, payer: 'own' }))]
  const isAsked = !funds.refused || funds.refused.reason === 'member-unknown'
  return funds.room && isAsked
    ? [text(say.plain('button-pay-group'), taps.payBy.data({ draftId, payer: 'group' }))]
    : []
}

// Says why the wallet of a group does not pay for an order. The text is shown only to the user who taps.

export function groupRefusal(say: Say, refused: GroupRefusal): string {
  switch (refused.reason) {
    case 'wallet-off':
    case 'wallet-short':
    case 'not-member':
    case 'member-unknown':
      return say.plain(`order-${refused.reason}`)
    case 'wallet-cap': {
      const { most, spent } = refused
      const left = say.roubles(most > spent ? most - spent : 0n)
      return say.plain('order-wallet-cap', { most: say.roubles(most), left })
    }
  }
}
