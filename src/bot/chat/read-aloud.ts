// An answer is read aloud by one tap on a button that shows the price.

import { findTurn } from '../../chat/turns.ts'
import type { Kopecks } from '../../money.ts'
import { isRepeatedNow } from '../../orders/confirm.ts'
import { orderAtOnce } from '../cards/card.ts'
import { openModel } from '../cards/models.ts'
import { readOnSale } from '../commands.ts'
import { alert, answerTap, type BotDeps, type Ctx } from '../context.ts'
import { speechOf } from './speech.ts'

/** @param shown the price on the button */
export async function readAloud(deps: BotDeps, ctx: Ctx, turnId: string, shown: Kopecks): Promise<void> {
  const turn = await findTurn(deps.db, turnId, ctx.user.id)
  if (!turn) return alert(ctx, ctx.say.plain('chat-not-yours'))
  const speech = speechOf(deps, turn.answer)
  if (!speech) return alert(ctx, ctx.say.plain('stale-button'))
  if (await isRepeatedNow(deps, turn.id, ctx.user.id)) return answerTap(ctx, ctx.say.plain('ordered-already'))
  const { model, answers, words } = speech
  if ((await readOnSale(deps)).models('speech').some(({ id }) => id === model.id))
    return orderAtOnce(deps, ctx, { model, answers, shown, byGroup: false, repeats: turn })
  await answerTap(ctx)
  await openModel(deps, ctx, 'speech', words)
}
