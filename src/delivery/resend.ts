// A result once more, for free, into any chat of its owner: by what Telegram keeps, and from the gateway again where
// Telegram has nothing.

import { InputMediaBuilder } from 'grammy'
import type { Message } from 'grammy/types'
import type { Place } from '../generations/drafts.ts'
import type { Artifact, Generation } from '../generations/generation.ts'
import { artifactsOf } from '../generations/settle.ts'
import type { Say } from '../texts.ts'
import { kindOf, type MessengerDeps, partsOf } from './parts.ts'
import { sendInto } from './place.ts'
import { isAboutFile } from './refusal.ts'
import { ArtifactUnavailable, prepare, put } from './send-artifact.ts'

export interface Resent {
  readonly sent: number
  /** Neither Telegram nor the gateway has them any more. */
  readonly gone: number
}

export async function resend(
  deps: MessengerDeps,
  ordered: Generation,
  place: Place,
  say: Say,
): Promise<Resent> {
  const generation = { ...ordered, ...place, statusMessageId: null }
  const all = await artifactsOf(deps, generation.id)
  if (await sendAlbumAgain(deps, generation, all, say)) return { sent: all.length, gone: 0 }
  let sent = 0
  for (const [at, artifact] of all.entries()) {
    if (await sendAgain(deps, generation, artifact, say, at === all.length - 1)) sent += 1
  }
  return { sent, gone: all.length - sent }
}

/** @returns false when these were no album, or Telegram takes them no longer as one */
async function sendAlbumAgain(
  deps: MessengerDeps,
  generation: Generation,
  all: readonly Artifact[],
  say: Say,
): Promise<boolean> {
  const photos = all.flatMap(({ fileId, originalFileId }) =>
    fileId === null || fileId === originalFileId ? [] : [InputMediaBuilder.photo(fileId)],
  )
  const isAlbum = kindOf(deps, generation) === 'image' && photos.length === all.length
  if (!isAlbum || photos.length < 2 || photos.length > 10) return false
  try {
    await sendInto(generation, (into) => deps.api.sendMediaGroup(generation.chatId, photos, into))
  } catch (error) {
    if (isAboutFile(error)) return false
    throw error
  }
  const { caption, keyboard } = partsOf(deps, generation, say, true)
  await sendInto(generation, (into) =>
    deps.api.sendMessage(generation.chatId, caption, {
      ...into,
      parse_mode: 'HTML',
      reply_markup: keyboard,
    }),
  )
  return true
}

async function sendAgain(
  deps: MessengerDeps,
  generation: Generation,
  artifact: Artifact,
  say: Say,
  isLast: boolean,
): Promise<boolean> {
  const { all } = partsOf(deps, generation, say, isLast)
  for (const way of waysFor(deps, generation, artifact)) {
    try {
      await sendInto(generation, (into) => way({ ...all, ...into }))
      return true
    } catch (error) {
      if (!isAboutFile(error)) throw error
    }
  }
  try {
    const anew = { ...artifact, fileId: null }
    await put(deps, anew, await prepare(deps, generation, anew, say, isLast))
    return true
  } catch (error) {
    if (error instanceof ArtifactUnavailable) return false
    throw error
  }
}

type Way = (other: object) => Promise<Message>

/** Telegram sends a file only as what it is: a document is known by its two ids, a track may have been meant as a voice. */
function waysFor(
  deps: MessengerDeps,
  generation: Generation,
  { fileId, originalFileId }: Artifact,
): readonly Way[] {
  const { api } = deps
  const { chatId } = generation
  if (fileId === null) return []
  const document: Way = (other) => api.sendDocument(chatId, fileId, other)
  if (fileId === originalFileId) return [document]
  const audio: Way = (other) => api.sendAudio(chatId, fileId, other)
  switch (kindOf(deps, generation)) {
    case 'image':
      return [(other) => api.sendPhoto(chatId, fileId, other), document]
    case 'voice':
      return [(other) => api.sendVoice(chatId, fileId, other), audio, document]
    case 'audio':
      return [audio, document]
    case 'video':
      return [(other) => api.sendVideo(chatId, fileId, other), document]
    default:
      return [document]
  }
}
