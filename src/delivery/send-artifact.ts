// One artifact into the chat. What Telegram can not take becomes a document, and then a link: a result that was paid for
// always reaches the chat.

import assert from 'node:assert/strict'
import { and, eq } from 'drizzle-orm'
import { GrammyError } from 'grammy'
import type { Message } from 'grammy/types'
import type { Delivers } from '../catalog/model.ts'
import { artifacts } from '../db/schema.ts'
import type { Artifact, Generation } from '../generations/generation.ts'
import type { Say } from '../texts.ts'
import { download } from './download.ts'
import { kindOf, type MessengerDeps, type Parts, partsOf } from './parts.ts'
import { sendInto } from './place.ts'
import { type Way, waysFor } from './ways.ts'

export const telegramUpload = { maxBytes: 50 * 1024 * 1024, deadlineMs: 120_000 }
/** After so many failed downloads the link itself is sent. */
const downloadsBeforeLink = 4

export class ArtifactUnavailable extends Error {
  override name = 'ArtifactUnavailable'
}

export async function sendArtifact(
  deps: MessengerDeps,
  generation: Generation,
  artifact: Artifact,
  say: Say,
  isLast: boolean,
): Promise<void> {
  const kind = kindOf(deps, generation) ?? 'video'
  await tellOfUpload(deps, generation, kind)
  const downloaded = await download(artifact.url, telegramUpload)
  const parts = partsOf(deps, generation, say, isLast)
  const name = fileName(generation, artifact)
  const parcel = downloaded.ok && { deps, generation, bytes: downloaded.bytes, name, parts }
  const ways = parcel ? await waysFor(kind, parcel) : undefined
  const link = () => sendLink(deps, generation, say.html('result-link', { url: artifact.url }), parts)
  if (ways)
    return keep(deps, artifact, await firstTaken(artifact.url.startsWith('data:') ? ways : [...ways, link]))
  const hopeless = !downloaded.ok && downloaded.reason === 'too-large'
  if (!hopeless && generation.attempts < downloadsBeforeLink) {
    throw new ArtifactUnavailable(downloaded.ok ? `the file is no ${kind}` : downloaded.reason)
  }
  await keep(deps, artifact, await link())
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
  generation: Generation,
  kind: Delivers['kind'],
): Promise<void> {
  const tell = (into: object) => api.sendChatAction(generation.chatId, actions[kind], into)
  await sendInto(generation, tell).catch(() => undefined)
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

/** Refused for what it is (also a voice message by who wants none), not for where it goes. */
export const isAboutFile = (error: unknown): boolean =>
  error instanceof GrammyError && [400, 413].includes(error.error_code)

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

/** Telegram has it now: it is sent again by its file id, for free. */
export async function keep({ db }: MessengerDeps, artifact: Artifact, message: Message): Promise<void> {
  const { video, voice, audio, document } = message
  const file = video ?? voice ?? audio ?? document ?? message.photo?.at(-1)
  // A document is the file as it was made.
  const original = document ? { originalFileId: document.file_id } : {}
  await db
    .update(artifacts)
    .set({ messageId: message.message_id, fileId: file?.file_id ?? null, ...original })
    .where(and(eq(artifacts.generationId, artifact.generationId), eq(artifacts.position, artifact.position)))
}
