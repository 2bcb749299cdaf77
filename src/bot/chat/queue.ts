// Sends unsent answers: those whose process died while it wrote or sent them, and those that Telegram refused at first.

import type { Api } from 'grammy'
import { settleAbandoned } from '../../chat/answer.ts'
import type { Turn } from '../../chat/conversations.ts'
import { claimAnswers, turnLeases } from '../../chat/deliveries.ts'
import type { Loop } from '../../runtime/loop.ts'
import { createQueueWorker } from '../../runtime/queue-worker.ts'
import { homeLocale } from '../../texts.ts'
import { findUser } from '../../users/user.ts'
import type { BotDeps } from '../context.ts'
import { answerTexts } from './asking.ts'
import { deliverAnswer } from './deliver.ts'

export const createAnswerQueue = (deps: BotDeps, api: Api): Loop =>
  createQueueWorker<Turn>(
    deps,
    {
      ...turnLeases(deps),
      claim: (claim) => claimAnswers(deps.db, claim),
      async work(turn) {
        const settled = turn.state === 'streaming' ? await settledNow(deps, turn) : turn
        if (settled) await deliverAnswer({ deps, api, isLate: true }, settled)
      },
    },
    { slots: 16, failed: 'unsent answers cannot be claimed' },
  )

/** Settles an answer that its process has abandoned. @returns undefined when that process has settled it meanwhile */
async function settledNow(deps: BotDeps, abandoned: Turn): Promise<Turn | undefined> {
  const user = await findUser(deps.db, abandoned.userId)
  const model = deps.textModels.find(({ id }) => id === abandoned.modelId)
  const texts = answerTexts(deps.texts(user?.locale ?? homeLocale))
  const turn = await settleAbandoned(deps, abandoned, model, texts)
  if (turn) deps.metrics.answers.ended(turn)
  return turn
}
