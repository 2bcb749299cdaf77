// What /wallet shows: to its owner, in the private chat, the wallet with its balance; in the group the owner, the limit, and the spending
// of each member.

import { InlineKeyboard } from 'grammy'
import { readBalance } from '../../ledger/ledger.ts'
import { spendingOf, type Wallet } from '../../ledger/wallets.ts'
import type { Kopecks } from '../../money.ts'
import { dayMs } from '../../runtime/clock.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import { findUser } from '../../users/user.ts'
import type { BotDeps } from '../context.ts'

export interface WalletView {
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

/** The wallet for its owner. */
export async function viewWallet(deps: BotDeps, say: Say, wallet: Wallet): Promise<WalletView> {
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

export function viewCaps(say: Say, wallet: Wallet): WalletView {
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

export function viewWallets(say: Say, all: readonly Wallet[]): WalletView {
  const keyboard = new InlineKeyboard()
  for (const { id: walletId, title, isOn } of all) {
    keyboard.text(`${isOn ? '▶️' : '⏸'} ${title || '—'}`, taps.showWallet.data({ walletId })).row()
  }
  return { html: say.html(all.length > 0 ? 'wallets' : 'wallets-none'), keyboard }
}

/** The wallet for the group, without its balance. */
export async function groupText(deps: BotDeps, say: Say, wallet: Wallet): Promise<string> {
  const owner = await findUser(deps.db, wallet.ownerId)
  return [
    say.html('wallet-of-group', { owner: owner?.name ?? '—' }),
    capText(say, wallet),
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
