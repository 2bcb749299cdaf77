// How the chat learns of a generation: its status message is edited, its artifacts or the explanation of a failure are sent.
// Each send is written down before the next, and no attempt repeats what is written: a message comes twice only when a process
// dies, or an answer is lost, between Telegram's taking it and our writing that down.

import type { Artifact, DeliveryOutcome, Generation, Messenger } from '../generations/generation.ts'
import { artifactsOf } from '../generations/settle.ts'
import { findUser } from '../ledger/user.ts'
import { formatRoubles } from '../money.ts'
import type { Say } from '../texts.ts'
import { prepareAlbum, putAlbum, putWords } from './album.ts'
import { isHalfThere, isStillOurs, isWaiting } from './kept.ts'
import { isLastAttempt, isLost, makeGood } from './lost.ts'
import { moveChat } from './migrated.ts'
import { againKeyboard, kindOf, type MessengerDeps } from './parts.ts'
import { sendInto } from './place.ts'
import { movedTo, outcomeOf } from './refusal.ts'
import { prepare, put } from './send-artifact.ts'
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
  if (kindOf(deps, generation) === 'image' && (await sendAlbum(deps, generation, artifacts, say))) return done
  const missing: unknown[] = []
  for (const artifact of artifacts.filter(isWaiting)) {
    const error = await sendOne(deps, generation, artifact, say, artifacts.length)
    if (error) missing.push(error)
  }
  const passing = missing.find((error) => !isLost(error, generation))
  const lost = missing.filter((error) => isLost(error, generation)).length
  if (passing && !isLastAttempt(generation)) throw passing
  const files = artifacts.length
  const paid = deps.catalog.find(generation.modelId)?.delivers(generation.request).count ?? files
  const outcome = lost > 0 ? await makeGood(deps, generation, { lost, files, paid }, say) : done
  if (passing) throw passing
  return outcome
}

/** @returns whether all of them are in the chat together, and the words below them */
async function sendAlbum(
  deps: MessengerDeps,
  generation: Generation,
  artifacts: readonly Artifact[],
  say: Say,
): Promise<boolean> {
  const last = artifacts.at(-1)
  if (!last) return false
  if (!isHalfThere(last)) {
    if (!artifacts.every(isWaiting)) return false
    const photos = await prepareAlbum(deps, generation, artifacts)
    if (!photos) return false
    if (!(await isStillOurs(deps, generation))) return true
    if (!(await putAlbum(deps, generation, artifacts, photos))) return false
  }
  if (await isStillOurs(deps, generation)) await putWords(deps, generation, last, say)
  return true
}

/** One that fails does not keep the others from coming, unless all of them would. @returns why it is not there */
async function sendOne(
  deps: MessengerDeps,
  generation: Generation,
  artifact: Artifact,
  say: Say,
  files: number,
): Promise<unknown> {
  try {
    const ways = await prepare(deps, generation, artifact, say, artifact.position === files - 1)
    if (await isStillOurs(deps, generation)) await put(deps, artifact, ways)
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
    amount: formatRoubles(generation.amount),
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
  return texts(user?.locale ?? 'ru')
}
