// How the chat learns of a generation: its status message is edited, its artifacts or the explanation of a failure are sent.
// Each send is written down before the next, and no attempt repeats what is written: a message comes twice only when a process
// dies, or an answer is lost, after Telegram took it and before we wrote that down.

import type { Artifact, DeliveryOutcome, Generation, Messenger } from '../generations/generation.ts'
import { expectPreview } from '../media/glb-preview.ts'
import { movedTo, outcomeOf } from '../telegram/errors.ts'
import { moveChat } from '../telegram/moved-chat.ts'
import { sendInto } from '../telegram/send-into.ts'
import { homeLocale, type Say } from '../texts.ts'
import { artifactsOf } from '../tracker/settle.ts'
import { findUser } from '../users/user.ts'
import { prepareAlbum, putAlbum, putWords } from './album.ts'
import { type Failed, isLastAttempt, isLost, lostOf, makeGood } from './refund-missing.ts'
import { againKeyboard, kindOf, type MessengerDeps } from './result-message.ts'
import { type Among, prepare, put } from './send-artifact.ts'
import { isHalfThere, isStillOurs, isWaiting } from './sent-artifacts.ts'
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
    if (generation.state === 'running' && kindOf(deps, generation) === 'model3d') expectPreview()
    const say = await sayTo(deps, generation)
    const text = statusText(say, generation, deps.catalog.find(generation.modelId), deps.clock.now())
    await deps.api.editMessageText(generation.chatId, generation.statusMessageId, text, {
      parse_mode: 'HTML',
    })
  } catch (error) {
    deps.log.debug({ generation: generation.id, error }, 'status message not edited')
  }
}

async function deliver(
  deps: MessengerDeps,
  generation: Generation,
  hasMoved = false,
): Promise<DeliveryOutcome> {
  try {
    const say = await sayTo(deps, generation)
    return await (generation.state === 'succeeded'
      ? sendResults(deps, generation, say)
      : explainFailure(deps, generation, say))
  } catch (error) {
    const chatId = hasMoved ? undefined : movedTo(error)
    if (chatId !== undefined) {
      await moveChat(deps.db, generation.chatId, chatId)
      return deliver(deps, { ...generation, chatId, statusMessageId: null }, true)
    }
    const outcome = outcomeOf(error)
    deps.log.warn({ generation: generation.id, error, outcome }, 'delivery failed')
    return outcome
  }
}

const done: DeliveryOutcome = { ok: true }

async function sendResults(deps: MessengerDeps, generation: Generation, say: Say): Promise<DeliveryOutcome> {
  await show(deps, generation)
  const artifacts = await artifactsOf(deps, generation.id)
  const ofAlbum =
    kindOf(deps, generation) === 'image' ? await sendAlbum(deps, generation, artifacts, say) : []
  const files = artifacts.length
  const failed: Failed[] = []
  for (const artifact of artifacts.filter((one) => isWaiting(one) && !ofAlbum.includes(one))) {
    const isLast = ofAlbum.length === 0 && artifact.position === files - 1
    const error = await sendOne(deps, generation, artifact, say, { isLast, files })
    if (error) failed.push({ artifact, error })
  }
  const passing = failed.find(({ error }) => !isLost(error, generation))
  if (passing && !isLastAttempt(generation)) throw passing.error
  const outcome = await makeGood(deps, generation, lostOf(failed, generation), say)
  if (passing) throw passing.error
  return outcome
}

/**
 * The pictures among the artifacts, together, and the words below them.
 * @returns those that need no sending any more; empty when they are to be sent one by one
 */
async function sendAlbum(
  deps: MessengerDeps,
  generation: Generation,
  artifacts: readonly Artifact[],
  say: Say,
): Promise<readonly Artifact[]> {
  const wordless = artifacts.find(isHalfThere)
  if (wordless) {
    if (await isStillOurs(deps, generation)) await putWords(deps, generation, wordless, say)
    return [wordless]
  }
  const pictures = artifacts.every(isWaiting) ? await prepareAlbum(deps, generation, artifacts) : undefined
  const last = pictures?.at(-1)?.artifact
  if (!pictures || !last) return []
  if (!(await isStillOurs(deps, generation))) return artifacts
  if (!(await putAlbum(deps, generation, pictures))) return []
  if (await isStillOurs(deps, generation)) await putWords(deps, generation, last, say)
  return pictures.map(({ artifact }) => artifact)
}

/** One that fails does not keep the others from coming, unless all of them would. @returns why it is not there */
async function sendOne(
  deps: MessengerDeps,
  generation: Generation,
  artifact: Artifact,
  say: Say,
  among: Among,
): Promise<unknown> {
  try {
    const prepared = await prepare(deps, generation, artifact, say, among)
    if (await isStillOurs(deps, generation)) await put(deps, artifact, prepared)
    return undefined
  } catch (error) {
    const outcome = outcomeOf(error)
    const isForAll = outcome.ok || !outcome.retry || outcome.afterMs !== undefined
    if (isForAll) throw error
    return error
  }
}

async function explainFailure(
  deps: MessengerDeps,
  generation: Generation,
  say: Say,
): Promise<DeliveryOutcome> {
  const title = titleOf(say, generation, deps.catalog.find(generation.modelId))
  const reason = [
    say.html(`failure-${generation.reason ?? 'task-failed'}`),
    ...(generation.said ? [say.html('failure-said', { said: generation.said })] : []),
  ]
  const text = say.html('failure', {
    title,
    reason: { html: reason.join('\n') },
    amount: say.roubles(generation.amount),
  })
  await sendInto(generation, (into) =>
    deps.api.sendMessage(generation.chatId, text, {
      ...into,
      parse_mode: 'HTML',
      reply_markup: againKeyboard(say, generation),
    }),
  )
  return done
}

async function sayTo({ db, texts }: MessengerDeps, { userId }: Generation): Promise<Say> {
  const user = await findUser(db, userId)
  return texts(user?.locale ?? homeLocale)
}
