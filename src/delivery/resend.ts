// Sends a result again, for free, into any chat of its owner: by Telegram's file ids, or from the gateway where Telegram has no
// file.

import { InputMediaBuilder } from 'grammy'
import type { Message } from 'grammy/types'
import type { Artifact, Generation } from '../generations/generation.ts'
import { isAboutFile } from '../telegram/errors.ts'
import { type ChatLocation, sendInto } from '../telegram/send-into.ts'
import type { Say } from '../texts.ts'
import { isAlbum } from './album.ts'
import { type Bare, type DeliveryDeps, type DeliveryJob, describe, jobFor } from './job.ts'
import { showUploadAction } from './progress.ts'
import { resultMessage } from './result-message.ts'
import { ArtifactUnavailable, prepare, sendPrepared } from './send-artifact.ts'
import { artifactsOf, recordResent } from './sent-artifacts.ts'
import { type SentForm, sentForms } from './sent-forms.ts'

interface Resent {
  readonly sent: number
  /** The number of files that neither Telegram nor the gateway has. */
  readonly gone: number
  /** The number of files that Telegram does not have and for which the gateway did not answer. */
  readonly away: number
}

/** @param say in the language of the chat @param bare for a copy without the usual caption and buttons */
export async function resend(
  deps: DeliveryDeps,
  generation: Generation,
  { chatId, topicId }: ChatLocation,
  say: Say,
  bare?: Bare,
): Promise<Resent> {
  const subject = describe(deps.catalog, generation, say)
  const artifacts = await artifactsOf(deps, generation.id)
  const job = { ...jobFor(subject, artifacts, { chatId, topicId }), bare }
  const album = await resendAlbum(deps, job)
  const resent = { sent: album.length, gone: 0, away: 0 }
  for (const artifact of job.artifacts.filter((one) => !album.includes(one))) {
    const isLast = album.length === 0 && artifact === job.artifacts.at(-1)
    resent[await resendOne(deps, job, artifact, isLast)] += 1
  }
  return resent
}

/** @returns the pictures that were sent as an album; empty when they have to be sent one by one */
async function resendAlbum(deps: DeliveryDeps, job: DeliveryJob): Promise<readonly Artifact[]> {
  const { ordered, artifacts, target } = job
  const pictures = ordered?.kind === 'image' ? artifacts.filter(isPhoto) : []
  if (!isAlbum(pictures)) return []
  const photos = pictures.map(({ fileId }) => InputMediaBuilder.photo(fileId))
  try {
    await sendInto(target, (into) => deps.api.sendMediaGroup(target.chatId, photos, into))
  } catch (error) {
    if (isAboutFile(error)) return []
    throw error
  }
  const { caption, plain } = resultMessage(job, true)
  if (caption === '') return pictures
  await sendInto(target, (into) => deps.api.sendMessage(target.chatId, caption, { ...into, ...plain }))
  return pictures
}

/** Whether a picture was sent as a photo; a file with the same id as its original is a document. */
const isPhoto = (artifact: Artifact): artifact is Artifact & { readonly fileId: string } =>
  artifact.fileId !== null &&
  artifact.fileId !== artifact.originalFileId &&
  (artifact.kind === null || artifact.kind === 'image')

async function resendOne(
  deps: DeliveryDeps,
  job: DeliveryJob,
  artifact: Artifact,
  isLast: boolean,
): Promise<keyof Resent> {
  const { captioned } = resultMessage(job, isLast)
  for (const attempt of resendAttempts(deps, job, artifact)) {
    try {
      await sendInto(job.target, (into) => attempt({ ...captioned, ...into }))
      return 'sent'
    } catch (error) {
      if (!isAboutFile(error)) throw error
    }
  }
  try {
    const unsent = { ...artifact, fileId: null }
    await showUploadAction(deps, job)
    await recordResent(deps, await sendPrepared(unsent, await prepare(deps, job, unsent, isLast)))
    return 'sent'
  } catch (error) {
    if (!(error instanceof ArtifactUnavailable)) throw error
    return error.reason === 'unavailable' ? 'away' : 'gone'
  }
}

type ResendAttempt = (options: object) => Promise<Message>

function resendAttempts(
  { api }: DeliveryDeps,
  { target: { chatId }, ordered }: DeliveryJob,
  artifact: Artifact,
): readonly ResendAttempt[] {
  const fileId = artifact.fileId ?? ''
  const attempts: Readonly<Record<SentForm, ResendAttempt>> = {
    photo: (options) => api.sendPhoto(chatId, fileId, options),
    video: (options) => api.sendVideo(chatId, fileId, options),
    voice: (options) => api.sendVoice(chatId, fileId, options),
    audio: (options) => api.sendAudio(chatId, fileId, options),
    document: (options) => api.sendDocument(chatId, fileId, options),
  }
  return sentForms(ordered?.kind, artifact).map((form) => attempts[form])
}
