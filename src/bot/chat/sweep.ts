// Answers whose process died while it wrote them: billed for what had been shown, and given to the chat as far as they came.

import { type Api, InlineKeyboard } from 'grammy'
import { outcomeOfAbandoned } from '../../chat/answer.ts'
import { findThreadById, type Turn } from '../../chat/threads.ts'
import { abandonedTurns, endTurn, setAnswerMessage } from '../../chat/turns.ts'
import { findUser } from '../../ledger/user.ts'
import { createLoop, type Loop } from '../../loop.ts'
import type { BotDeps } from '../context.ts'
import { sendFinal } from './final.ts'

const pauseMs = 30_000

export const createSweep = (deps: BotDeps, api: Api): Loop =>
  createLoop(deps, {
    pass: () => sweepOnce(deps, api).then(() => false),
    idleMs: pauseMs,
    failed: 'abandoned answers can not be swept',
  })

export async function sweepOnce(deps: BotDeps, api: Api): Promise<void> {
  for (const abandoned of await abandonedTurns(deps)) {
    const model = deps.textModels.find(({ id }) => id === abandoned.modelId)
    const turn = await endTurn(deps, abandoned, outcomeOfAbandoned(abandoned, model))
    if (turn)
      await tell(deps, api, turn).catch((error: unknown) =>
        deps.log.warn({ turn: turn.id, error }, 'answer not sent'),
      )
  }
}

async function tell(deps: BotDeps, api: Api, turn: Turn): Promise<void> {
  const thread = await findThreadById(deps.db, turn.threadId)
  const user = await findUser(deps.db, turn.userId)
  if (!thread) return
  const say = deps.texts(user?.locale ?? 'ru')
  const spot = { chatId: thread.chatId, threadId: thread.topicId === 0 ? null : thread.topicId }
  const note = say.plain(turn.state === 'failed' ? 'chat-failed-unavailable' : 'chat-broken')
  const keyboard = new InlineKeyboard().text(say.plain('button-chat-retry'), `cr:${turn.id}`)
  const replyTo = turn.questionMessageId ?? undefined
  const first = await sendFinal(api, spot, { turn, note, keyboard, into: undefined, replyTo }, say)
  if (first !== undefined) await setAnswerMessage(deps.db, turn.id, first)
}
