// /wallet: an administrator opens a wallet for the group and fills it from their balance; members order from it within a limit. The owner
// manages it in the private chat.

import { type Api, InlineKeyboard } from 'grammy'
import { z } from 'zod'
import { readBalance } from '../../ledger/ledger.ts'
import {
  emptyWallet,
  fundWallet,
  openWallet,
  ownWallet,
  setDailyCap,
  spendingOf,
  switchWallet,
  type Wallet,
  walletAt,
  walletsOf,
} from '../../ledger/wallets.ts'
import type { Kopecks } from '../../money.ts'
import type { Notice } from '../../payments/notices.ts'
import { dayMs } from '../../runtime/clock.ts'
import { changeNote, type MessageRef, newestNote } from '../../telegram/message-notes.ts'
import { isRefusal, removeMessage } from '../../telegram/send.ts'
import { type Tap, taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import { findUser, shownName } from '../../users/user.ts'
import { offerAmounts } from '../account/top-up.ts'
import { offerTopUp } from '../balance.ts'
import { alert, answerTap, type BotDeps, type Ctx, inPrivate, redraw, reply } from '../context.ts'
import { noteKind, openMenu, plainNote, sendMenu } from '../notes.ts'
import { type CommandCtx, onTap, type Routes } from '../routes.ts'
import { standingIn } from './members.ts'

/** The limit of a member for a day, in a new wallet. */
const firstCap: Kopecks = 100_00n
/** The argument of /start by which the button in a group opens the private chat. */
export const walletWord = 'wallet'

export const wallet = (deps: BotDeps): Routes => ({
  commands: {
    wallet: (ctx) => (ctx.chat.type === 'private' ? showWallets(deps, ctx) : showInGroup(deps, ctx)),
  },
  taps: [
    onTap(taps.openWallet, (ctx) => open(deps, ctx)),
    onWalletTap(deps, taps.showWallet, async (ctx, own) => {
      await answerTap(ctx)
      await redrawWallet(deps, ctx, own)
    }),
    onWalletTap(deps, taps.walletCaps, async (ctx, own) => {
      await answerTap(ctx)
      const { html, keyboard } = viewCaps(ctx.say, own)
      await redraw(ctx, html, keyboard)
      await openMenu(deps, ctx, { at: 'caps', walletId: String(own.id) })
    }),
    onWalletTap(deps, taps.setWalletCap, async (ctx, own, { cap }) => {
      await setDailyCap(deps.db, own.id, cap === 0n ? null : cap)
      await answerTap(ctx)
      await redrawWallet(deps, ctx, own)
    }),
    onWalletTap(deps, taps.switchWallet, (ctx, own, { to }) => turn(deps, ctx, own, to === 'on')),
    onWalletTap(deps, taps.fundWallet, (ctx, own, { amount, key }) => fill(deps, ctx, own, amount, key)),
    onWalletTap(deps, taps.topUpWallet, async (ctx, own) => {
      await answerTap(ctx)
      await noteWalletTopUp(deps, ctx, own)
      await offerAmounts(deps, ctx)
    }),
    onWalletTap(deps, taps.emptyWallet, (ctx, own, { key }) => empty(deps, ctx, own, key)),
  ],
})

/** Handles a tap on a wallet in the private chat of the user who owns it. */
function onWalletTap<Args extends { walletId: bigint }>(
  deps: BotDeps,
  tap: Tap<Args>,
  handle: (ctx: Ctx, own: Wallet, args: Args) => Promise<void>,
) {
  const owned = async (ctx: Ctx, args: Args) => {
    const own = await ownWallet(deps.db, args.walletId, ctx.user.id)
    if (!own) return alert(ctx, ctx.say.plain('foreign-button'))
    await handle(ctx, own, args)
  }
  return onTap(tap, inPrivate(owned))
}

export async function showWallets(deps: BotDeps, ctx: Ctx): Promise<void> {
  const all = await walletsOf(deps.db, ctx.user.id)
  const [only] = all
  const { html, keyboard } =
    only && all.length === 1 ? await viewWallet(deps, ctx.say, only) : viewWallets(ctx.say, all)
  await sendMenu(deps, ctx, { at: 'wallet' }, html, keyboard)
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

async function showInGroup(deps: BotDeps, ctx: CommandCtx): Promise<void> {
  const { say } = ctx
  const here = await walletAt(deps.db, ctx.chat.id)
  if (here) {
    const isOwn = here.ownerId === ctx.user.id
    return reply(ctx, await groupText(deps, say, here), isOwn ? manageKeyboard(ctx) : undefined)
  }
  const standing = await standingIn(ctx.chat.id, ctx)
  if (standing !== 'administrator')
    return reply(ctx, say.html(standing === 'hidden' ? 'administrators-hidden' : 'wallet-none'))
  const keyboard = new InlineKeyboard()
    .text(say.plain('button-wallet-open'), taps.openWallet.data())
    .primary()
  await reply(ctx, say.html('wallet-offer'), keyboard)
}

const manageKeyboard = ({ say, me }: Ctx): InlineKeyboard =>
  new InlineKeyboard().url(
    say.plain('button-wallet-manage'),
    `https://t.me/${me.username}?start=${walletWord}`,
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

/** Draws the wallet as it is now. */
async function redrawWallet(deps: BotDeps, ctx: Ctx, { id, ownerId }: Wallet): Promise<void> {
  const own = await ownWallet(deps.db, id, ownerId)
  if (!own) return
  const { html, keyboard } = await viewWallet(deps, ctx.say, own)
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
  await redrawWallet(deps, ctx, own)
}

async function fill(deps: BotDeps, ctx: Ctx, own: Wallet, amount: Kopecks, key: string): Promise<void> {
  const { db, clock } = deps
  const posted = await fundWallet(db, { key: `${own.id}:${key}`, wallet: own, amount }, clock.now())
  if (!posted.ok && posted.reason === 'insufficient') return offerFill(deps, ctx, own, amount)
  const told = posted.ok ? ctx.say.plain('wallet-filled', { amount: ctx.say.roubles(amount) }) : undefined
  await answerTap(ctx, told)
  await redrawWallet(deps, ctx, own)
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
  await redrawWallet(deps, ctx, own)
}

// What /wallet shows: to its owner, in the private chat, the wallet with its balance; in the group the owner, the limit, and the spending
// of each member.

interface WalletView {
  readonly html: string
  readonly keyboard: InlineKeyboard
}

const amounts: readonly Kopecks[] = [100_00n, 300_00n, 500_00n, 1000_00n]
/** Limits per member and day; 0 means no limit. */
const caps: readonly Kopecks[] = [50_00n, 100_00n, 300_00n, 1000_00n, 0n]
const shownDays = 30
const shownMembers = 20

const capText = (say: Say, { dailyCap }: Wallet): string =>
  dailyCap === null ? say.html('wallet-no-cap') : say.html('wallet-cap', { cap: say.roubles(dailyCap) })

async function viewWallet(deps: BotDeps, say: Say, wallet: Wallet): Promise<WalletView> {
  const { available: own } = await readBalance(deps.db, wallet.ownerId)
  const { title, isOn, available, held } = wallet
  const lines = [
    say.html(isOn ? 'wallet-on' : 'wallet-off', { title }),
    '',
    say.html('wallet-rest', { available: say.roubles(available) }),
    ...(held > 0n ? [say.html('wallet-held', { held: say.roubles(held) })] : []),
    capText(say, wallet),
    '',
    await spendingText(deps, say, wallet),
    '',
    say.html('wallet-settings'),
    '',
    say.html('wallet-own', { available: say.roubles(own > 0n ? own : 0n) }),
  ]
  return { html: lines.join('\n'), keyboard: walletKeyboard(deps, say, wallet) }
}

function walletKeyboard({ ids, topUps }: BotDeps, say: Say, wallet: Wallet): InlineKeyboard {
  const { id: walletId, isOn, available } = wallet
  const { text } = InlineKeyboard
  const key = ids.next()
  const back = text(say.plain('button-wallet-back'), taps.emptyWallet.data({ walletId, key }))
  const rest = available > 0n ? [back] : []
  const fills = amounts.map((amount) =>
    text(`+ ${say.roubles(amount)}`, taps.fundWallet.data({ walletId, amount, key })),
  )
  const canTopUp = topUps.providers.length > 0
  const topUp = text(say.plain('button-wallet-top-up'), taps.topUpWallet.data({ walletId }))
  const to = isOn ? 'off' : 'on'
  return InlineKeyboard.from([
    fills.slice(0, 2),
    fills.slice(2),
    canTopUp ? [topUp] : [],
    [text(say.plain('button-wallet-cap'), taps.walletCaps.data({ walletId }))],
    [text(say.plain(`button-wallet-${to}`), taps.switchWallet.data({ walletId, to }))],
    rest,
  ])
}

function viewCaps(say: Say, wallet: Wallet): WalletView {
  const { id: walletId, title, dailyCap } = wallet
  const keyboard = new InlineKeyboard()
  for (const cap of caps) {
    const text = cap === 0n ? say.plain('button-wallet-no-cap') : say.roubles(cap)
    const mark = (dailyCap ?? 0n) === cap ? '● ' : ''
    keyboard.text(mark + text, taps.setWalletCap.data({ walletId, cap })).row()
  }
  keyboard.text(say.plain('button-back'), taps.showWallet.data({ walletId }))
  return { html: say.html('wallet-caps', { title }), keyboard }
}

function viewWallets(say: Say, all: readonly Wallet[]): WalletView {
  const keyboard = new InlineKeyboard()
  for (const { id: walletId, title, isOn } of all) {
    keyboard.text(`${isOn ? '▶️' : '⏸'} ${title || '—'}`, taps.showWallet.data({ walletId })).row()
  }
  return { html: say.html(all.length > 0 ? 'wallets' : 'wallets-none'), keyboard }
}

/** The wallet for the group, without its balance. */
async function groupText(deps: BotDeps, say: Say, wallet: Wallet): Promise<string> {
  const owner = await findUser(deps.db, wallet.ownerId)
  return [
    say.html('wallet-of-group', { owner: owner?.name ?? '—' }),
    capText(say, wallet),
    '',
    say.html('wallet-not-chat'),
    say.html('wallet-who-changes'),
    '',
    await spendingText(deps, say, wallet),
  ].join('\n')
}

async function spendingText({ db, clock }: BotDeps, say: Say, { id }: Wallet): Promise<string> {
  const since = new Date(clock.now().getTime() - shownDays * dayMs)
  const found = await spendingOf(db, id, since, shownMembers)
  if (found.length === 0) return say.html('wallet-nobody', { days: shownDays })
  const lines = found.map(({ name, spent, orders }) =>
    say.html('wallet-member', { name: name ?? '—', spent: say.roubles(spent), orders }),
  )
  return [say.html('wallet-members', { days: shownDays }), ...lines].join('\n')
}

// When the balance of a wallet's owner is too short to fill the wallet: the owner tops up, and one tap then moves the amount into the
// wallet.

const storedNumber = z.string().regex(/^\d{1,19}$/)
const awaited = z.strictObject({ walletId: storedNumber, amount: storedNumber.optional() })
/** The note of the wallet's message from which the top-up began. */
const awaitsTopUp = noteKind('wallet-top-up', awaited)
const fundOffered = plainNote('wallet-top-up-offered')

/** A top-up that is credited later is not offered to the wallet. */
const offeredForMs = dayMs

/** @param amount what the owner wanted to move; by default the amount of the top-up */
async function noteWalletTopUp(deps: BotDeps, ctx: Ctx, { id }: Wallet, amount?: Kopecks): Promise<void> {
  const shown = ctx.callbackQuery?.message
  const wanted = { walletId: String(id), ...(amount === undefined ? {} : { amount: String(amount) }) }
  if (shown) await changeNote(deps, shown, { kind: awaitsTopUp, userId: ctx.user.id, about: wanted })
}

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
): Promise<z.infer<typeof awaited> | undefined> {
  const note = await newestNote(deps, chatId, userId, awaitsTopUp.name)
  if (!note || deps.clock.now().getTime() - note.createdAt.getTime() > offeredForMs) return undefined
  const message = { chat: { id: chatId }, message_id: note.messageId }
  await changeNote(deps, message, { kind: fundOffered, userId, about: {} })
  return awaited.safeParse(note.about).data
}
