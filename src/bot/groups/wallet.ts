// /wallet: an administrator opens a wallet for the group and fills it from their balance; members order from it within a limit. The owner
// manages it in the private chat.

import { type ChatTypeContext, type CommandContext, Composer, InlineKeyboard } from 'grammy'
import { readBalance } from '../../ledger/ledger.ts'
import {
  emptyWallet,
  fundWallet,
  openWallet,
  ownWallet,
  setDailyCap,
  switchWallet,
  type Wallet,
  walletAt,
  walletsOf,
} from '../../ledger/wallets.ts'
import type { Kopecks } from '../../money.ts'
import { isRefusal } from '../../telegram/errors.ts'
import type { MessageRef } from '../../telegram/message-notes.ts'
import { removeMessage } from '../../telegram/send-into.ts'
import { type Tap, taps } from '../../telegram/taps.ts'
import { shownName } from '../../users/name.ts'
import { offerAmounts } from '../account/top-up.ts'
import { offerTopUp } from '../balance-text.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { openMenu, sendMenu } from '../menus.ts'
import { onTap } from '../on-tap.ts'
import { alert, answerTap, inPrivate, redraw, reply } from '../responses.ts'
import { standingIn } from './members.ts'
import { noteWalletTopUp } from './wallet-top-up.ts'
import { groupText, viewCaps, viewWallet, viewWallets, type WalletView } from './wallet-view.ts'

/** The limit of a member for a day, in a new wallet. */
const firstCap: Kopecks = 100_00n
/** The argument of /start by which the button in a group opens the private chat. */
const startWord = 'wallet'

export function wallet(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  const inPrivateChat = composer.chatType('private')
  inPrivateChat.command('wallet', (ctx) => showOwn(deps, ctx))
  inPrivateChat.command('start', (ctx, next) => (ctx.match === startWord ? showOwn(deps, ctx) : next()))
  composer.chatType(['group', 'supergroup']).command('wallet', (ctx) => showInGroup(deps, ctx))
  onTap(composer, taps.openWallet, (ctx) => open(deps, ctx))
  onWalletTap(deps, composer, taps.showWallet, async (ctx, own) => {
    await answerTap(ctx)
    await redrawWallet(deps, ctx, own)
  })
  onWalletTap(deps, composer, taps.walletCaps, async (ctx, own) => {
    await answerTap(ctx)
    const { html, keyboard } = viewCaps(ctx.say, own)
    await redraw(ctx, html, keyboard)
    await openMenu(deps, ctx, { at: 'caps', walletId: String(own.id) })
  })
  onWalletTap(deps, composer, taps.setWalletCap, async (ctx, own, { cap }) => {
    const dailyCap = cap === 0n ? null : cap
    await setDailyCap(deps.db, own.id, dailyCap)
    await answerTap(ctx)
    await redrawWallet(deps, ctx, { ...own, dailyCap })
  })
  onWalletTap(deps, composer, taps.switchWallet, (ctx, own, { to }) => turn(deps, ctx, own, to === 'on'))
  onWalletTap(deps, composer, taps.fundWallet, (ctx, own, { amount, key }) =>
    fill(deps, ctx, own, amount, key),
  )
  onWalletTap(deps, composer, taps.topUpWallet, async (ctx, own) => {
    await answerTap(ctx)
    await noteWalletTopUp(deps, ctx, own)
    await offerAmounts(deps, ctx)
  })
  onWalletTap(deps, composer, taps.emptyWallet, (ctx, own, { key }) => empty(deps, ctx, own, key))
  return composer
}

/** Handles a tap on a wallet in the private chat of the user who owns it. */
function onWalletTap<Args extends { walletId: bigint }>(
  deps: BotDeps,
  composer: Composer<Ctx>,
  tap: Tap<Args>,
  handle: (ctx: Ctx, own: Wallet, args: Args) => Promise<void>,
): void {
  const owned = async (ctx: Ctx, args: Args) => {
    const own = await ownWallet(deps.db, args.walletId, ctx.user.id)
    if (!own) return alert(ctx, ctx.say.plain('foreign-button'))
    await handle(ctx, own, args)
  }
  onTap(composer, tap, inPrivate(owned))
}

async function showOwn(deps: BotDeps, ctx: Ctx): Promise<void> {
  const all = await walletsOf(deps.db, ctx.user.id)
  const [only] = all
  const view = only && all.length === 1 ? await viewWallet(deps, ctx.say, only) : viewWallets(ctx.say, all)
  await sendMenu(deps, ctx, { at: 'wallet' }, view.html, view.keyboard)
}

/** Sets a limit that was typed beside the limits. @returns false when it is no limit */
export async function setCap(
  deps: BotDeps,
  ctx: Ctx,
  walletId: bigint,
  cap: Kopecks,
  { chat, message_id }: MessageRef,
): Promise<boolean> {
  const own = cap > 0n ? await ownWallet(deps.db, walletId, ctx.user.id) : undefined
  if (!own) return false
  await setDailyCap(deps.db, own.id, cap)
  const { html, keyboard } = await viewWallet(deps, ctx.say, { ...own, dailyCap: cap })
  await sendMenu(deps, ctx, { at: 'wallet' }, html, keyboard)
  await removeMessage(ctx.api, chat.id, message_id)
  return true
}

type GroupCtx = CommandContext<ChatTypeContext<Ctx, 'group' | 'supergroup'>>

async function showInGroup(deps: BotDeps, ctx: GroupCtx): Promise<void> {
  const { say } = ctx
  const here = await walletAt(deps.db, ctx.chat.id)
  if (here) {
    const isOwn = here.ownerId === ctx.user.id
    return reply(ctx, await groupText(deps, say, here), isOwn ? manageKeyboard(ctx) : undefined)
  }
  const standing = await standingIn(ctx.chat.id, ctx)
  if (standing !== 'administrator')
    return reply(ctx, say.html(standing === 'hidden' ? 'administrators-hidden' : 'wallet-none'))
  await reply(
    ctx,
    say.html('wallet-offer'),
    new InlineKeyboard().text(say.plain('button-wallet-open'), taps.openWallet.data()).primary(),
  )
}

const manageKeyboard = ({ say, me }: Ctx): InlineKeyboard =>
  new InlineKeyboard().url(
    say.plain('button-wallet-manage'),
    `https://t.me/${me.username}?start=${startWord}`,
  )

async function open(deps: BotDeps, ctx: Ctx): Promise<void> {
  const { say, user, chat } = ctx
  if (!chat || chat.type === 'private') return alert(ctx, say.plain('foreign-button'))
  const standing = await standingIn(chat.id, ctx)
  if (standing !== 'administrator')
    return alert(ctx, say.plain(standing === 'hidden' ? 'administrators-hidden' : 'wallet-not-admin'))
  const group = {
    ownerId: user.id,
    chatId: chat.id,
    title: shownName(chat.title ?? '') || '—',
    dailyCap: firstCap,
  }
  const opened = await openWallet(deps.db, group, deps.clock.now())
  if (!opened) return alert(ctx, say.plain('wallet-other'))
  await answerTap(ctx)
  await redraw(ctx, say.html('wallet-opened', { name: user.name ?? '—' }), manageKeyboard(ctx))
}

async function redrawWallet(deps: BotDeps, ctx: Ctx, own: Wallet): Promise<void> {
  const { html, keyboard }: WalletView = await viewWallet(deps, ctx.say, own)
  await redraw(ctx, html, keyboard)
  await openMenu(deps, ctx, { at: 'wallet' })
}

/**
 * Checks the administrator again: since the wallet was opened, its owner may have lost that status, and the bot may have left the group.
 * @returns why the wallet stays off
 */
async function whyOff(ctx: Ctx, { chatId }: Wallet) {
  const standing = await standingIn(chatId ?? 0, ctx).catch((error: unknown) => {
    if (isRefusal(error)) return 'member'
    throw error
  })
  if (standing === 'administrator') return undefined
  return standing === 'hidden' ? 'administrators-hidden' : 'wallet-not-admin-now'
}

async function turn(deps: BotDeps, ctx: Ctx, own: Wallet, isOn: boolean): Promise<void> {
  const refused = isOn ? await whyOff(ctx, own) : undefined
  if (refused) return alert(ctx, ctx.say.plain(refused))
  if (!(await switchWallet(deps.db, own, isOn))) return alert(ctx, ctx.say.plain('wallet-other'))
  await answerTap(ctx)
  await redrawWallet(deps, ctx, { ...own, isOn })
}

async function fill(deps: BotDeps, ctx: Ctx, own: Wallet, amount: Kopecks, key: string): Promise<void> {
  const { db, clock } = deps
  const posted = await fundWallet(db, { key: `${own.id}:${key}`, wallet: own, amount }, clock.now())
  if (!posted.ok && posted.reason === 'insufficient') {
    return offerFill(deps, ctx, own, amount)
  }
  await answerTap(
    ctx,
    posted.ok ? ctx.say.plain('wallet-filled', { amount: ctx.say.roubles(amount) }) : undefined,
  )
  await redrawAnew(deps, ctx, own)
}

/** Offers to top up the part of the amount that the balance lacks. */
async function offerFill(deps: BotDeps, ctx: Ctx, own: Wallet, amount: Kopecks): Promise<void> {
  const { available } = await readBalance(deps.db, ctx.user.id)
  const missing = amount > available ? amount - available : amount
  await noteWalletTopUp(deps, ctx, own, amount)
  await offerTopUp(deps, ctx, missing, 'wallet-short')
}

async function empty(deps: BotDeps, ctx: Ctx, own: Wallet, key: string): Promise<void> {
  const { say } = ctx
  const taken = await emptyWallet(deps.db, { key: `${own.id}:${key}`, wallet: own }, deps.clock.now())
  await answerTap(ctx, taken > 0n ? say.plain('wallet-emptied', { amount: say.roubles(taken) }) : undefined)
  await redrawAnew(deps, ctx, own)
}

/** Draws the wallet again, with its present balance. */
async function redrawAnew(deps: BotDeps, ctx: Ctx, { id, ownerId }: Wallet): Promise<void> {
  const own = await ownWallet(deps.db, id, ownerId)
  if (own) await redrawWallet(deps, ctx, own)
}
