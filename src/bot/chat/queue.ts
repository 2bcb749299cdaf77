// Sends unsent answers: those whose process died while it wrote or sent them, and those that Telegram refused at first.

import type { Api } from 'grammy'
import { settleAbandoned } from '../../chat/answer.ts'
import type { Turn } from '../../chat/conversations.ts'
import { claimAnswers } from '../../chat/deliveries.ts'
import { abandonedTurns } from '../../chat/turns.ts'
import { queuePollMs } from '../../db/leased-queue.ts'
import { leaseMs } from '../../runtime/leases.ts'
import { createLoop, type Loop } from '../../runtime/loop.ts'
import { homeLocale } from '../../texts.ts'
import { findUser } from '../../users/user.ts'
import type { BotDeps } from '../context.ts'
import { answerTexts } from './asking.ts'
import { deliverAnswer } from './deliver.ts'

const places = 16

export function createAnswerQueue(deps: BotDeps, api: Api): Loop {
  let atWork = 0
  const launch = (turn: Turn) => {
    atWork += 1
    deps.running.start(turn, () =>
      deliverAnswer({ deps, api, isLate: true }, turn).finally(() => {
        atWork -= 1
        loop.nudge()
      }),
    )
  }
  const pass = async () => {
    const abandoned = await takeAbandoned(deps, places - atWork)
    for (const turn of abandoned) launch(turn)
    const unsent = atWork < places ? await claimAnswers(deps, places - atWork) : []
    for (const turn of unsent) launch(turn)
    return unsent.length + abandoned.length > 0
  }
  const loop = createLoop(deps, {
    pass,
    idleMs: queuePollMs,
    limitMs: leaseMs,
    failed: 'unsent answers cannot be claimed',
  })
  return loop
}

/** @returns the answers that this call settled, each with its own lease */
async function takeAbandoned(deps: BotDeps, most: number): Promise<Turn[]> {
  const taken: Turn[] = []
  for (const abandoned of await abandonedTurns(deps, most)) {
    const turn = await takeOne(deps, abandoned).catch((error: unknown) =>
      deps.log.error({ turn: abandoned.id, error }, 'abandoned answer not settled'),
    )
    if (turn) taken.push(turn)
  }
  return taken
}

async function takeOne(deps: BotDeps, abandoned: Turn): Promise<Turn | undefined> {
  const user = await findUser(deps.db, abandoned.userId)
  const model = deps.textModels.find(({ id }) => id === abandoned.modelId)
  const texts = answerTexts(deps.texts(user?.locale ?? homeLocale))
  const turn = await settleAbandoned(deps, abandoned, model, texts)
  if (turn) deps.metrics.answers.ended(turn)
  return turn
}
