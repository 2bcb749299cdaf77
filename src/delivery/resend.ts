// A result once more, for free, into any chat of its owner: by what Telegram keeps, and from the gateway again where
// Telegram has nothing.

import { InputMediaBuilder } from 'grammy'
import type { Message } from 'grammy/types'
import type { Place } from '../generations/drafts.ts'
import type { Artifact, Generation } from '../generations/generation.ts'
import { isAboutFile } from '../telegram/errors.ts'
import { sendInto } from '../telegram/send-into.ts'
import type { Say } from '../texts.ts'
import { artifactsOf } from '../tracker/settle.ts'
import { isAlbum } from './album.ts'
import { kindOf, type MessengerDeps, partsOf } from './result-message.ts'
import { type Among, ArtifactUnavailable, prepare, put } from './send-artifact.ts'

export interface Resent {
  readonly sent: number
  /** Neither Telegram nor the gateway has them any more. */
  readonly gone: number
  /** Telegram does not have them, and the gateway could not be asked just now. */
  readonly away: number
}

export async function resend(
  deps: MessengerDeps,
  ordered: Generation,
  place: Place,
  say: Say,
): Promise<Resent> {
  const generation = { ...ordered, ...place, statusMessageId: null }
  const all = await artifactsOf(deps, generation.id)
  const ofAlbum = await sendAlbumAgain(deps, generation, all, say)
  const resent = { sent: ofAlbum.length, gone: 0, away: 0 }
  for (const [at, artifact] of all.entries()) {
    if (ofAlbum.includes(artifact)) continue
    const isLast = ofAlbum.length === 0 && at === all.length - 1
    resent[await sendAgain(deps, generation, artifact, say, { isLast, files: all.length })] += 1
  }
  return resent
}

/** @returns the pictures that came as an album; empty when these are none, or Telegram takes them no longer as one */
async function sendAlbumAgain(
  deps: MessengerDeps,
  generation: Generation,
  all: readonly Artifact[],
  say: Say,
): Promise<readonly Artifact[]> {
  const pictures = kindOf(deps, generation) === 'image' ? all.filter(isPhoto) : []
  if (!isAlbum(pictures)) return []
  const photos = pictures.map(({ fileId }) => InputMediaBuilder.photo(fileId))
  try {
    await sendInto(generation, (into) => deps.api.sendMediaGroup(generation.chatId, photos, into))
  } catch (error) {
    if (isAboutFile(error)) return []
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
  return pictures
}

/** Of pictures that were ordered; what is known by one id twice is a document, and what is no picture is no photo. */
const isPhoto = (artifact: Artifact): artifact is Artifact & { readonly fileId: string } =>
  artifact.fileId !== null &&
  artifact.fileId !== artifact.originalFileId &&
  (artifact.kind === null || artifact.kind === 'image')

async function sendAgain(
  deps: MessengerDeps,
  generation: Generation,
  artifact: Artifact,
  say: Say,
  among: Among,
): Promise<keyof Resent> {
  const { all } = partsOf(deps, generation, say, among.isLast)
  for (const way of waysFor(deps, generation, artifact)) {
    try {
      await sendInto(generation, (into) => way({ ...all, ...into }))
      return 'sent'
    } catch (error) {
      if (!isAboutFile(error)) throw error
    }
  }
  try {
    const anew = { ...artifact, fileId: null }
    await put(deps, anew, await prepare(deps, generation, anew, say, among))
    return 'sent'
  } catch (error) {
    if (!(error instanceof ArtifactUnavailable)) throw error
    return error.reason === 'unavailable' ? 'away' : 'gone'
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
