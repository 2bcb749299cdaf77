// Sends one artifact. What Telegram cannot take becomes a document, and then a link: a result that was paid for always
// reaches the chat, or is known not to exist.

import assert from 'node:assert/strict'
import type { Message } from 'grammy/types'
import type { Delivers } from '../catalog/model.ts'
import type { Artifact, Generation } from '../generations/generation.ts'
import type { Format } from '../media/format.ts'
import { isAboutFile } from '../telegram/errors.ts'
import { sendInto } from '../telegram/send-into.ts'
import type { Say } from '../texts.ts'
import type { Missing } from './download.ts'
import { kindOf, type MessengerDeps, type Parts, paidOf, partsOf } from './result-message.ts'
import { type Prepared, type Way, waysFor } from './send-fallbacks.ts'
import { keep } from './sent-artifacts.ts'

/** The file cannot be had from the gateway. */
export class ArtifactUnavailable extends Error {
  override name = 'ArtifactUnavailable'
  readonly reason: Missing

  constructor(reason: Missing) {
    super(reason)
    this.reason = reason
  }
}

/** Where an artifact stands among those of its generation. */
export interface Among {
  /** The last one that is sent carries the caption and the buttons. */
  readonly isLast: boolean
  readonly files: number
}

/** Downloads it, which may take minutes. @throws ArtifactUnavailable */
export async function prepare(
  deps: MessengerDeps,
  generation: Generation,
  artifact: Artifact,
  say: Say,
  { isLast, files }: Among,
): Promise<Prepared> {
  const ordered = kindOf(deps, generation)
  await tellOfUpload(deps, generation, ordered)
  const downloaded = await deps.downloads.get(artifact.url)
  const parts = partsOf(deps, generation, say, isLast)
  const linked = (key: 'result-link' | 'result-too-large') => () =>
    sendLink(deps, generation, say.html(key, { url: artifact.url }), parts)
  if (!downloaded.ok) {
    const { reason } = downloaded
    if (reason === 'too-large') return { kind: null, ways: [linked('result-too-large')] }
    throw new ArtifactUnavailable(reason)
  }
  const { bytes, format } = downloaded
  const hasExtras = files > paidOf(deps, generation, files)
  if (!hasExtras && isApology(ordered, format)) throw new ArtifactUnavailable('not-a-file')
  const { kind, ways } = await waysFor({ deps, generation, artifact, bytes, format, ordered, parts })
  return { kind, ways: artifact.url.startsWith('data:') ? ways : [...ways, linked('result-link')] }
}

/** Plain text where a picture, a video or sound was ordered and no extra files came: an error message, not a result. */
const isApology = (ordered: Delivers['kind'] | undefined, { kind }: Format): boolean =>
  kind === 'text' && ordered !== undefined && ordered !== 'model3d'

/** Sends it by the first way that Telegram takes. */
export async function put(deps: MessengerDeps, artifact: Artifact, { kind, ways }: Prepared): Promise<void> {
  await keep(deps, { ...artifact, kind }, await firstTaken(ways))
}

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
  { chatId, topicId }: Generation,
  kind: Delivers['kind'] = 'model3d',
): Promise<void> {
  await sendInto({ chatId, topicId }, (into) => api.sendChatAction(chatId, actions[kind], into)).catch(
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
