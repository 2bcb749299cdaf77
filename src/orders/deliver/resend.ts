// Sends a result again, for free, into any chat of its owner: by Telegram's file ids, or from the gateway where Telegram has no file. The
// original pictures are sent as documents on request, since Telegram reduces photos.

import { eq, sql } from 'drizzle-orm'
import type { Delivers } from '../../catalog/model.ts'
import { generations } from '../../db/schema.ts'
import { type ChatLocation, sendInto } from '../../telegram/send.ts'
import type { Say } from '../../texts.ts'
import { type Artifact, deliveryIs, type Generation } from '../generation.ts'
import { type SentAs, sendAs } from './forms.ts'
import {
  artifactsOf,
  type Bare,
  type DeliveryDeps,
  type DeliveryJob,
  describe,
  fileOf,
  jobFor,
  record,
  subjectOf,
} from './job.ts'
import { resultWords } from './result.ts'
import {
  ArtifactUnavailable,
  firstAccepted,
  isAlbum,
  prepare,
  sendAlbum,
  sendAlbumWords,
  sendPrepared,
  showUploadAction,
} from './send.ts'

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
  return resendEach(deps, job, await resendAlbum(deps, job))
}

/** @returns the pictures that were sent as an album; empty when they have to be sent one by one */
async function resendAlbum(deps: DeliveryDeps, job: DeliveryJob): Promise<readonly Artifact[]> {
  const { ordered, artifacts, target } = job
  const pictures = ordered?.kind === 'image' ? artifacts.filter(isPhoto) : []
  if (!isAlbum(pictures)) return []
  const photos = pictures.map(({ fileId }) => fileId)
  if (!(await sendAlbum(deps, target, photos))) return []
  await sendAlbumWords(deps, job)
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
  const { target, care, ordered } = job
  const { fileId } = artifact
  const words = resultWords(deps, job, isLast)
  const byId = sentForms(ordered?.kind, artifact).map(
    (form) => () =>
      sendInto(target, (into) => sendAs[form](deps.api, target.chatId, fileId ?? '', { ...words, ...into })),
  )
  const fromGateway = async () => {
    const unsent = { ...artifact, fileId: null }
    await showUploadAction(deps, job)
    const prepared = await prepare(deps, job, unsent)
    const sent = await sendPrepared(deps, job, unsent, prepared, isLast)
    const originalFileId = sent.message.document?.file_id ?? null
    const file = care === 'usual' ? fileOf(sent.message, sent) : { originalFileId }
    await record(deps, unsent, file, care === 'usual' ? sql`not ${isDelivering(unsent)}` : undefined)
  }
  try {
    await firstAccepted<unknown>([...byId, fromGateway])
    return 'sent'
  } catch (error) {
    if (!(error instanceof ArtifactUnavailable)) throw error
    return error.reason === 'unavailable' ? 'away' : 'gone'
  }
}

/** A delivery would take a file id for a part that it sent. */
const isDelivering = ({ generationId }: Artifact) => sql`exists (
  select from ${generations} where ${eq(generations.id, generationId)} and ${deliveryIs('pending')})`

const formsOfKind: Readonly<Record<Delivers['kind'], readonly SentAs[]>> = {
  image: ['photo', 'document'],
  voice: ['voice', 'audio', 'document'],
  audio: ['audio', 'document'],
  video: ['video', 'document'],
  model3d: ['document'],
}

/**
 * The forms in which a file that Telegram has can be sent again by its id. A file id only works for the method of the same kind, so several
 * are tried. What was sent as a document has the same id as its original; speech may have been sent as a track.
 */
export function sentForms(
  kind: Delivers['kind'] | undefined,
  { fileId, originalFileId }: Artifact,
): readonly SentAs[] {
  if (fileId === null) return []
  return fileId === originalFileId ? ['document'] : formsOfKind[kind ?? 'model3d']
}

/** Sends the original files as documents. For a file that is too large for Telegram, the link is sent. */
export async function sendOriginals(
  deps: DeliveryDeps,
  generation: Generation,
  { chatId, topicId }: ChatLocation,
): Promise<Resent> {
  const artifacts = await artifactsOf(deps, generation.id)
  const originals = artifacts.map((one) => ({ ...one, fileId: one.originalFileId }))
  const ofOrder = jobFor(await subjectOf(deps, generation), originals, { chatId, topicId })
  return resendEach(deps, { ...ofOrder, bare: { caption: '' }, care: 'document' }, [])
}

/** @param done these were sent together, with the caption */
async function resendEach(deps: DeliveryDeps, job: DeliveryJob, done: readonly Artifact[]): Promise<Resent> {
  const resent = { sent: done.length, gone: 0, away: 0 }
  for (const artifact of job.artifacts.filter((one) => !done.includes(one))) {
    const isLast = done.length === 0 && artifact === job.artifacts.at(-1)
    resent[await resendOne(deps, job, artifact, isLast)] += 1
  }
  return resent
}
