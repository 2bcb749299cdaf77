// One artifact into the chat. What Telegram can not take becomes a document, and then a link: a result that was paid for
// always reaches the chat, or is known not to be there.

import assert from 'node:assert/strict'
import type { Message } from 'grammy/types'
import type { Delivers } from '../catalog/model.ts'
import type { Artifact, Generation } from '../generations/generation.ts'
import type { Say } from '../texts.ts'
import { keep } from './kept.ts'
import { kindOf, type MessengerDeps, type Parts, partsOf } from './parts.ts'
import { sendInto } from './place.ts'
import { isAboutFile } from './refusal.ts'
import { type Way, waysFor } from './ways.ts'

/** The file can not be had from the gateway. */
export class ArtifactUnavailable extends Error {
  override name = 'ArtifactUnavailable'
  /** It is not there or is no such thing, for all that can be known. */
  readonly isCertain: boolean

  constructor(reason: string, isCertain: boolean) {
    super(reason)
    this.isCertain = isCertain
  }
}

/** Fetches it, which may take minutes. @throws ArtifactUnavailable @returns the ways it can be sent, the best first */
export async function prepare(
  deps: MessengerDeps,
  generation: Generation,
  artifact: Artifact,
  say: Say,
  isLast: boolean,
): Promise<readonly Way[]> {
  const kind = kindOf(deps, generation)
  await tellOfUpload(deps, generation, kind)
  const downloaded = await deps.downloads.get(artifact.url)
  const parts = partsOf(deps, generation, say, isLast)
  const link = () => sendLink(deps, generation, say.html('result-link', { url: artifact.url }), parts)
  if (!downloaded.ok) {
    const { reason } = downloaded
    if (reason === 'too-large') return [link]
    throw new ArtifactUnavailable(reason, reason !== 'unavailable')
  }
  const { bytes } = downloaded
  const name = fileName(generation, artifact)
  const ways = await waysFor(kind, { deps, generation, artifact, bytes, name, parts })
  if (!ways) throw new ArtifactUnavailable(`the file is no ${kind}`, true)
  return artifact.url.startsWith('data:') ? ways : [...ways, link]
}

/** Sends it by the first way that Telegram takes. */
export async function put(deps: MessengerDeps, artifact: Artifact, ways: readonly Way[]): Promise<void> {
  await keep(deps, artifact, await firstTaken(ways))
}

export const fileName = ({ id }: Generation, { position }: Artifact): string => `${id}-${position + 1}`

const actions = {
  video: 'upload_video',
  image: 'upload_photo',
  voice: 'upload_voice',
  audio: 'upload_voice',
  model3d: 'upload_document',
} as const

/** A courtesy: its failure must not hold a result up. */
export async function tellOfUpload(
  { api }: MessengerDeps,
  { chatId, threadId }: Generation,
  kind: Delivers['kind'] = 'model3d',
): Promise<void> {
  await sendInto({ chatId, threadId }, (into) => api.sendChatAction(chatId, actions[kind], into)).catch(
    () => undefined,
  )
}

/** What Telegram refuses as one thing it may take as another; a chat that is gone refuses them all. */
async function firstTaken([way, ...others]: readonly Way[]): Promise<Message> {
  assert(way, 'there is always a way')
  try {
    return await way()
  } catch (error) {
    if (others.length === 0 || !isAboutFile(error)) throw error
    return firstTaken(others)
  }
}

function sendLink(
  { api }: MessengerDeps,
  generation: Generation,
  text: string,
  { common }: Parts,
): Promise<Message> {
  return sendInto<Message>(generation, (into) =>
    api.sendMessage(generation.chatId, text, { ...common, ...into }),
  )
}
