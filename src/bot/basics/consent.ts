// The consent to the operator's terms (CONSENT_VERSION): asked before the first step that costs money, and again after a new version. Who
// wanted an answer of a text model gets it offered again.

import { InlineKeyboard } from 'grammy'
import { z } from 'zod'
import { writeNote } from '../../telegram/message-notes.ts'
import { taps } from '../../telegram/taps.ts'
import { changeUser } from '../../users/user.ts'
import { type Offered, offerChoice, offered } from '../chat/chooser.ts'
import { alertForeign, answerTap, type BotDeps, type Ctx, send } from '../context.ts'
import { noteKind, tappedNote } from '../notes.ts'
import { onTap, type Routes } from '../routes.ts'

const consentAsk = noteKind('consent-ask', z.strictObject({ question: offered.optional() }))

export const needsConsent = ({ operator: { consentVersion } }: BotDeps, { user }: Ctx): boolean =>
  consentVersion !== undefined && user.consentVersion !== consentVersion

/** The refusal of what costs money; `askConsent` explains it. */
export interface NoConsent {
  readonly ok: false
  readonly reason: 'consent'
}
export const noConsent: NoConsent = { ok: false, reason: 'consent' }

/** @param question is offered again after the consent */
export async function askConsent(deps: BotDeps, ctx: Ctx, question?: Offered): Promise<void> {
  const { say, user } = ctx
  const version = deps.operator.consentVersion
  if (version === undefined) return
  const keyboard = new InlineKeyboard().text(say.plain('button-consent'), taps.consent.data({ version }))
  const sent = await send(ctx, say.html('consent'), keyboard)
  await writeNote(deps, sent, { kind: consentAsk, userId: user.id, about: { question } })
}

export const consent = (deps: BotDeps): Routes => ({
  taps: [
    onTap(taps.consent, async (ctx, { version }) => {
      const asked = await tappedNote(deps, ctx, consentAsk)
      if (!asked) return alertForeign(ctx)
      // The button of an earlier version asks about the present one.
      if (version !== deps.operator.consentVersion) return askConsent(deps, ctx, asked.question)
      await changeUser(deps.db, ctx.user.id, {
        consentVersion: version,
        consentUpdateId: ctx.update.update_id,
        consentedAt: deps.clock.now(),
      })
      ctx.user = { ...ctx.user, consentVersion: version }
      const next = asked.question ? [] : [ctx.say.html('consent-again')]
      await answerTap(ctx)
      const html = [ctx.say.html('consent-given'), ...next].join('\n\n')
      await ctx.editMessageText(html, { parse_mode: 'HTML' }).catch(() => undefined)
      if (asked.question) await offerChoice(deps, ctx, asked.question, ctx.say.html('consent-question'))
    }),
  ],
})
