// /invite: one's own link, who came by it and what that earned. The link is read with the first message: see newcomer.ts.

import { type Api, Composer, InlineKeyboard } from 'grammy'
import { inviteCode, payReferral, readInvites } from '../../ledger/referral.ts'
import { findUser } from '../../ledger/user.ts'
import { formatRoubles, type Kopecks } from '../../money.ts'
import type { BotDeps, Ctx } from '../context.ts'

export function referral(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  composer.command('invite', async (ctx) => {
    const { say, user } = ctx
    const { came, earned } = await readInvites(deps.db, user.id)
    const link = `https://t.me/${ctx.me.username}?start=ref_${inviteCode(user.id)}`
    const text = [
      say.html(deps.referralBonus > 0n ? 'invite' : 'invite-without-bonus', {
        link,
        bonus: formatRoubles(deps.referralBonus),
      }),
      say.html('invite-came', { came, earned: formatRoubles(earned) }),
    ]
    const share = `https://t.me/share/url?url=${encodeURIComponent(link)}`
    await ctx.reply(text.join('\n\n'), {
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
      reply_markup: new InlineKeyboard().url(say.plain('button-share'), share),
    })
  })
  return composer
}

type RewardDeps = Pick<BotDeps, 'db' | 'texts' | 'clock' | 'log'> & {
  readonly api: Api
  readonly bonus: Kopecks
}

/** What follows from a credited top-up: the inviter gets the bonus, once, and is told; news may fail, money may not. */
export function createReferralReward({ db, texts, clock, log, api, bonus }: RewardDeps) {
  return async ({ userId }: { readonly userId: bigint }): Promise<void> => {
    const paid = await payReferral(db, userId, bonus, clock.now())
    const inviter = paid.ok ? await findUser(db, paid.referrerId) : undefined
    if (!inviter?.telegramId) return
    const say = texts(inviter.locale)
    const text = say.html('invite-paid', { bonus: formatRoubles(bonus) })
    await api.sendMessage(inviter.telegramId, text, { parse_mode: 'HTML' }).catch((error: unknown) => {
      log.debug({ error }, 'inviter not told')
    })
  }
}
