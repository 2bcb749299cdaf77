// How the chat learns of a generation: its status message is edited, its artifacts or the explanation of a failure are sent.

import type { DeliveryOutcome, Generation, Messenger } from '../generations/generation.ts'
import { artifactsOf } from '../generations/settle.ts'
import { findUser } from '../ledger/user.ts'
import { formatRoubles } from '../money.ts'
import type { Say } from '../texts.ts'
import { sendAlbum } from './album.ts'
import { againKeyboard, kindOf, type MessengerDeps, replyTo } from './parts.ts'
import { outcomeOf, sendInto } from './place.ts'
import { sendArtifact } from './send-artifact.ts'
import { statusText, titleOf } from './status.ts'

export function createMessenger(deps: MessengerDeps): Messenger {
  return {
    show: (generation) => show(deps, generation),
    deliver: (generation) => deliver(deps, generation),
  }
}

async function show(deps: MessengerDeps, generation: Generation): Promise<void> {
  if (generation.statusMessageId === null) return
  try {
    const say = await sayTo(deps, generation)
    const text = statusText(say, generation, deps.catalog.find(generation.modelId), deps.clock.now())
    await deps.api.editMessageText(generation.chatId, generation.statusMessageId, text, {
      parse_mode: 'HTML',
    })
  } catch (error) {
    deps.log.debug({ generation: generation.id, error }, 'status message not edited')
  }
}

async function deliver(deps: MessengerDeps, generation: Generation): Promise<DeliveryOutcome> {
  try {
    const say = await sayTo(deps, generation)
    await (generation.state === 'succeeded'
      ? sendResults(deps, generation, say)
      : explainFailure(deps, generation, say))
    return { ok: true }
  } catch (error) {
    const outcome = outcomeOf(error)
    deps.log.warn({ generation: generation.id, error, outcome }, 'delivery failed')
    return outcome
  }
}

async function sendResults(deps: MessengerDeps, generation: Generation, say: Say): Promise<void> {
  await show(deps, generation)
  const artifacts = await artifactsOf(deps, generation.id)
  const waiting = artifacts.filter(({ messageId }) => messageId === null)
  const isAlbum = kindOf(deps, generation) === 'image' && waiting.length === artifacts.length
  if (isAlbum && (await sendAlbum(deps, generation, artifacts, say))) return
  for (const artifact of waiting) {
    await sendArtifact(deps, generation, artifact, say, artifact.position === artifacts.length - 1)
  }
}

async function explainFailure(deps: MessengerDeps, generation: Generation, say: Say): Promise<void> {
  const title = titleOf(say, generation, deps.catalog.find(generation.modelId))
  const reason = [
    say.html(`failure-${generation.reason ?? 'task-failed'}`),
    ...(generation.said ? [say.html('failure-said', { said: generation.said })] : []),
  ]
  const text = say.html('failure', {
    title,
    reason: { html: reason.join('\n') },
    amount: formatRoubles(generation.amount),
  })
  await sendInto(generation, (into) =>
    deps.api.sendMessage(generation.chatId, text, {
      ...into,
      parse_mode: 'HTML',
      reply_markup: againKeyboard(say, generation),
      ...replyTo(generation),
    }),
  )
}

async function sayTo({ db, texts }: MessengerDeps, { userId }: Generation): Promise<Say> {
  const user = await findUser(db, userId)
  return texts(user?.locale ?? 'ru')
}
