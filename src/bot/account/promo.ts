// /promo CODE, or /promo and the code in the next message: redeems a promo code. Wrong codes are counted in memory: a restart allows a few
// more, which is far too few to guess a code.

import { type Context, InlineKeyboard } from 'grammy'
import { readBalance } from '../../ledger/ledger.ts'
import { hasCodeCharacters, redeem } from '../../ledger/promo.ts'
import { inviteCode, readInvites } from '../../ledger/referral.ts'
import { type Clock, hourMs } from '../../runtime/clock.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import { hashOfPerson } from '../../users/user.ts'
import { balanceText } from '../balance.ts'
import { type BotDeps, type Ctx, reply, send } from '../context.ts'
import { plainNote } from '../notes.ts'
import { type Asker, askForWords, type BotConversation, closeQuestionOf } from '../question.ts'
import type { CommandCtx, Routes } from '../routes.ts'
import { codeText } from './top-up-bonus.ts'

export const promoAskName = 'promo'

export const promo = (deps: BotDeps, guesses: Guesses): Routes => ({
  commands: {
    promo: (ctx) => redeemTyped(deps, guesses, ctx, ctx.match.trim()),
    invite: (ctx) => invite(deps, ctx),
  },
})

async function redeemTyped(deps: BotDeps, guesses: Guesses, ctx: Ctx, code: string): Promise<void> {
  if (code === '') return enterPromoAsk(ctx)
  const personHash = hashOfPerson(ctx.api.token, ctx.user.telegramId ?? 0)
  const redeemer = { userId: ctx.user.id, personHash }
  // Another code is asked for only after an unknown one, which may be mistyped; a used or expired code cannot be corrected.
  const { html, isUnknown, waits } = await answer(deps, guesses, redeemer, { code, say: ctx.say })
  if (isUnknown) return enterPromoAsk(ctx, html)
  await closeQuestionOf(deps, ctx, promoAskName)
  await reply(ctx, html, waits ? topUpButton(ctx.say) : undefined)
}

interface Args extends Asker {
  /** HTML of the question, in place of its usual text: the refusal of a code that was typed after the command. */
  readonly html?: string
}

function enterPromoAsk({ conversation, user, say }: Ctx, html?: string): Promise<void> {
  const asker: Args = { userId: String(user.id), locale: say.locale, ...(html === undefined ? {} : { html }) }
  return conversation.enter(promoAskName, asker)
}

const promoQuestion = plainNote('promo-question')

export function createPromoAsk(deps: BotDeps, guesses: Guesses) {
  return async function ask(conversation: BotConversation, ctx: Context, asker: Args): Promise<void> {
    const say = deps.texts(asker.locale)
    const userId = BigInt(asker.userId)
    const asked = { kind: promoQuestion, userId, about: {} }
    const question = { html: asker.html ?? say.html('promo'), say }
    let given: Answer | undefined
    const reply = await askForWords(deps, conversation, ctx, asked, question, async ({ message, words }) => {
      const redeemer = { userId, personHash: hashOfPerson(ctx.api.token, message.from?.id ?? 0) }
      const code = words.trim()
      given = await conversation.external(() => answer(deps, guesses, redeemer, { code, say }))
      return given.mayTryAgain ? given.html : undefined
    })
    if (given) await send(reply.ctx, given.html, given.waits ? topUpButton(say) : undefined)
  }
}

const topUpButton = (say: Say): InlineKeyboard =>
  new InlineKeyboard().text(say.plain('button-top-up-any'), taps.topUp.data())

/** JSON-safe: a conversation stores it. */
interface Answer {
  readonly html: string
  /** Whether a code waits for the next top-up. */
  readonly waits?: boolean
  readonly isUnknown?: boolean
  readonly mayTryAgain: boolean
}

async function answer(
  deps: BotDeps,
  guesses: Guesses,
  redeemer: Parameters<typeof redeem>[1],
  { code, say }: { readonly code: string; readonly say: Say },
): Promise<Answer> {
  const { userId, personHash } = redeemer
  if (!guesses.mayTry(personHash))
    return { html: say.html('promo-too-many', { most: mostGuesses }), mayTryAgain: false }
  const redeemed = await redeem(deps.db, redeemer, code, deps.clock.now())
  if ('waits' in redeemed) return { html: codeText(say, redeemed.waits), waits: true, mayTryAgain: false }
  if (!redeemed.ok && redeemed.reason === 'waiting')
    return { html: say.html('promo-waiting', { code: redeemed.code }), waits: true, mayTryAgain: false }
  if (!redeemed.ok && redeemed.reason !== 'used-before') {
    const isUnknown = redeemed.reason === 'unknown'
    // `returned` says that the code exists, so another account could use what was guessed.
    const isGuess = isUnknown || redeemed.reason === 'returned'
    if (isGuess && hasCodeCharacters(code)) guesses.wrong(personHash)
    return { html: say.html(`promo-${redeemed.reason}`), isUnknown, mayTryAgain: true }
  }
  const { available } = await readBalance(deps.db, userId)
  const amounts = { amount: say.roubles(redeemed.amount), balance: { html: balanceText(say, available) } }
  return { html: say.html(redeemed.ok ? 'promo-done' : 'promo-used-before', amounts), mayTryAgain: false }
}

export const mostGuesses = 5
const withinMs = hourMs

export interface Guesses {
  mayTry(personHash: string): boolean
  wrong(personHash: string): void
}

/** Allows a limited number of wrong codes per person in any hour. A deletion of the person's data does not reset it. */
export function createGuesses(clock: Clock): Guesses {
  const wrong = new Map<string, readonly number[]>()
  const recent = (personHash: string) => {
    const since = clock.now().getTime() - withinMs
    return (wrong.get(personHash) ?? []).filter((time) => time > since)
  }
  return {
    mayTry: (personHash) => recent(personHash).length < mostGuesses,
    wrong(personHash) {
      wrong.set(personHash, [...recent(personHash), clock.now().getTime()])
      for (const other of wrong.keys()) if (recent(other).length === 0) wrong.delete(other)
    },
  }
}

// /invite: the user's invitation link, how many users it brought and what they earned. basics/recognise.ts reads the link from the first
// message of a new user.

async function invite(deps: BotDeps, ctx: CommandCtx): Promise<void> {
  const { say, user } = ctx
  const { came, waiting, earned, partnerPercent } = await readInvites(deps.db, user.id)
  const link = `https://t.me/${ctx.me.username}?start=ref_${inviteCode(user.id)}`
  const percent = partnerPercent ?? deps.referralPercent
  const text = [
    say.html(deps.referralBonus > 0n ? 'invite' : 'invite-without-bonus', {
      link,
      bonus: say.roubles(deps.referralBonus),
    }),
    ...(percent > 0 ? [percentText(say, percent, deps.referralPayments)] : []),
    ...(deps.invitedBonus > 0n ? [say.html('invite-friend', { bonus: say.roubles(deps.invitedBonus) })] : []),
    // In a group the earnings of a member are not shown.
    ...(ctx.chat.type === 'private'
      ? [say.html('invite-came', { came, waiting, earned: say.roubles(earned) })]
      : []),
  ]
  const share = `https://t.me/share/url?url=${encodeURIComponent(link)}`
  await reply(ctx, text.join('\n\n'), new InlineKeyboard().url(say.plain('button-share'), share))
}

const percentText = (say: Say, percent: number, payments: number | undefined): string =>
  payments === undefined
    ? say.html('invite-percent', { percent })
    : say.html('invite-percent-first', { percent, payments })
