// When the balance of a wallet's owner is too short to fill the wallet: the owner tops up, and one tap then moves the amount into the
// wallet.

import { type Api, InlineKeyboard } from 'grammy'
import { z } from 'zod'
import { readBalance } from '../../ledger/ledger.ts'
import { ownWallet, type Wallet } from '../../ledger/wallets.ts'
import type { Kopecks } from '../../money.ts'
import type { Notice } from '../../payments/notices.ts'
import { dayMs } from '../../runtime/clock.ts'
import { changeNote, newestNote } from '../../telegram/message-notes.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import { findUser } from '../../users/user.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { noteKind, plainNote } from '../notes.ts'

const stored = z.string().regex(/^\d{1,19}$/)
const about = z.strictObject({ walletId: stored, amount: stored.optional() })
/** The note of the wallet's message from which the top-up began. */
const awaitsTopUp = noteKind('wallet-top-up', about)
const offered = plainNote('wallet-top-up-offered')

/** A top-up that is credited later is not offered to the wallet. */
const offeredForMs = dayMs

/** @param amount what the owner wanted to move; by default the amount of the top-up */
export async function noteWalletTopUp(
  deps: BotDeps,
  ctx: Ctx,
  { id }: Wallet,
  amount?: Kopecks,
): Promise<void> {
  const shown = ctx.callbackQuery?.message
  const wanted = { walletId: String(id), ...(amount === undefined ? {} : { amount: String(amount) }) }
  if (shown) await changeNote(deps, shown, { kind: awaitsTopUp, userId: ctx.user.id, about: wanted })
}

/** Runs after the notice about a credited top-up. */
export async function offerToFund(deps: BotDeps, api: Api, notice: Notice, say: Say): Promise<void> {
  const { userId } = notice
  const chatId = (await findUser(deps.db, userId))?.telegramId
  const awaiting = chatId == null ? undefined : await takeAwaiting(deps, chatId, userId)
  const wallet = awaiting && (await ownWallet(deps.db, BigInt(awaiting.walletId), userId))
  if (chatId == null || !wallet) return
  const { available } = await readBalance(deps.db, userId)
  const wanted = awaiting.amount === undefined ? notice.amount : BigInt(awaiting.amount)
  const amount = wanted < available ? wanted : available
  if (amount <= 0n) return
  const move = { walletId: wallet.id, amount, key: deps.ids.next() }
  const label = say.plain('button-wallet-fund', { amount: say.roubles(amount) })
  await api.sendMessage(chatId, say.html('wallet-fund', { title: wallet.title }), {
    parse_mode: 'HTML',
    reply_markup: new InlineKeyboard().text(label, taps.fundWallet.data(move)).primary(),
  })
}

/** Takes the newest wallet that awaits a top-up; a second call does not find it again. */
async function takeAwaiting(
  deps: BotDeps,
  chatId: number,
  userId: bigint,
): Promise<z.infer<typeof about> | undefined> {
  const note = await newestNote(deps, chatId, userId, awaitsTopUp.name)
  if (!note || deps.clock.now().getTime() - note.createdAt.getTime() > offeredForMs) return undefined
  const message = { chat: { id: chatId }, message_id: note.messageId }
  await changeNote(deps, message, { kind: offered, userId, about: {} })
  return about.safeParse(note.about).data
}
