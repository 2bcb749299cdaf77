// /invite: the user's invitation link, how many users it brought and what they earned. basics/recognise.ts reads the link from the
// first message of a new user.

import { Composer, InlineKeyboard } from 'grammy'
import {
  inviteCode,
  payersWithoutBonus,
  payReferral,
  readInvites,
  refundedWithBonus,
  takeReferralBack,
} from '../../ledger/referral.ts'
import type { Kopecks } from '../../money.ts'
import { invitePaidNoticeKey, inviteRefundedNoticeKey } from '../../payments/notice-keys.ts'
import { insertGuardedNotice } from '../../payments/notices.ts'
import type { FollowUp, TopUpDeps } from '../../payments/top-ups.ts'
import { dayMs } from '../../runtime/clock.ts'
import { htmlWithoutPreview } from '../../telegram/send-into.ts'
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
        bonus: say.roubles(deps.referralBonus),
      }),
      // In a group the earnings of a member are not shown.
      ...(ctx.chat.type === 'private'
        ? [say.html('invite-came', { came, earned: say.roubles(earned) })]
        : []),
    ]
    const share = `https://t.me/share/url?url=${encodeURIComponent(link)}`
    await ctx.reply(text.join('\n\n'), {
      ...htmlWithoutPreview,
      reply_markup: new InlineKeyboard().url(say.plain('button-share'), share),
    })
  })
  return composer
}

type RewardDeps = Pick<TopUpDeps, 'db' | 'clock' | 'wakeNotices'> & { readonly bonus: Kopecks }

/**
 * After a credited top-up the inviter gets the bonus and a notice, once for each invited user; after the refund of the last payment the
 * bonus is taken again.
 */
export function createReferralReward(deps: RewardDeps): FollowUp {
  const { db, clock, bonus } = deps
  const onCredited: FollowUp['onCredited'] = async ({ userId }) => {
    const now = clock.now()
    const key = invitePaidNoticeKey(userId)
    const told = { key, kind: 'invite-paid', amount: bonus, chatId: null } as const
    const tell = (inviter: bigint) => [insertGuardedNotice({ ...told, userId: inviter }, now)]
    const paid = await payReferral(db, userId, bonus, now, tell)
    if (paid.ok) deps.wakeNotices()
  }
  const onRefunded: FollowUp['onRefunded'] = async ({ userId }) => {
    const now = clock.now()
    const told = { key: inviteRefundedNoticeKey(userId), kind: 'invite-refunded', chatId: null } as const
    const isTaken = await takeReferralBack(db, userId, now, ({ referrerId, amount }) => [
      insertGuardedNotice({ ...told, userId: referrerId, amount }, now),
    ])
    if (isTaken) deps.wakeNotices()
  }
  return {
    onCredited,
    onRefunded,
    async catchUp() {
      const since = new Date(clock.now().getTime() - dayMs)
      const left = bonus > 0n ? await payersWithoutBonus(db, since) : []
      for (const userId of left) await onCredited({ userId })
      for (const userId of await refundedWithBonus(db, since)) await onRefunded({ userId })
    },
  }
}
