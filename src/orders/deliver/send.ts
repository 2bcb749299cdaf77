// Sends the results of a generation that are not in the chat yet. Each send is written to the database before the next begins, and no
// attempt repeats what is written: a message is sent twice only when Telegram accepted it, and the process died or the answer was lost
// before it was written. What Telegram does not accept is sent as a document, and then as a link.

import { eq, isNull } from 'drizzle-orm'
import { InputFile, InputMediaBuilder } from 'grammy'
import type { InlineKeyboardMarkup, InputMedia } from 'grammy/types'
import type { FileFacts } from '../../catalog/field.ts'
import type { Delivers } from '../../catalog/model.ts'
import { type Missing, artifacts as table } from '../../db/schema.ts'
import { fitPhoto } from '../../media/convert.ts'
import { allSettledWithin } from '../../runtime/clock.ts'
import { type Format, photographExtension } from '../../runtime/file-format.ts'
import {
  htmlWithoutPreview,
  isAboutFile,
  isNotModified,
  type MessageTarget,
  outcomeOf,
  sendInto,
} from '../../telegram/send.ts'
import type { Artifact } from '../generation.ts'
import { asDocument, type Forms, formsOf, mediaAs, sendAs } from './forms.ts'
import {
  type DeliveryDeps,
  type DeliveryJob,
  fileName,
  fileOf,
  holdsLease,
  isPartlySent,
  isUnsent,
  paidFor,
  photoMime,
  record,
  type Sent,
  type SentMessage,
} from './job.ts'
import { againKeyboard } from './messages.ts'
import { attachmentWith, resultWords } from './result.ts'

/** An artifact that could not be sent. */
export interface Failed {
  readonly artifact: Artifact
  readonly error: unknown
}

/** @throws an error that applies to the whole chat */
export async function sendResults(deps: DeliveryDeps, job: DeliveryJob): Promise<readonly Failed[]> {
  const { artifacts } = job
  const album = job.ordered?.kind === 'image' ? await sendAsAlbum(deps, job) : []
  const failed: Failed[] = []
  for (const artifact of artifacts.filter((one) => isUnsent(one) && !album.includes(one))) {
    const isLast = album.length === 0 && artifact === artifacts.at(-1)
    const error = await sendOne(deps, job, artifact, isLast)
    if (error) failed.push({ artifact, error })
  }
  return failed
}

/**
 * An artifact that fails does not hold up the others, unless they would fail as well.
 * @returns why it was not sent
 * @throws an error that applies to the whole chat
 */
async function sendOne(
  deps: DeliveryDeps,
  job: DeliveryJob,
  artifact: Artifact,
  isLast: boolean,
): Promise<unknown> {
  if (artifact.lost) return new ArtifactUnavailable(artifact.lost)
  let sent: Sent
  try {
    const prepared = await prepare(deps, job, artifact).catch((error: unknown) =>
      prepareFromNewLink(deps, job, artifact, error),
    )
    if (!(await holdsLease(deps, job.generation))) return undefined
    sent = await sendPrepared(deps, job, artifact, prepared, isLast)
  } catch (error) {
    const outcome = outcomeOf(error)
    if (!outcome.retry || outcome.afterMs !== undefined) throw error
    return error
  }
  const { message, ...facts } = sent
  await record(deps, artifact, { messageId: message.message_id, ...fileOf(message, facts) })
  return undefined
}

/**
 * Links of the gateway expire, for example during a long outage of Telegram. A file whose link is dead is downloaded from the link that its
 * task names now.
 */
async function prepareFromNewLink(deps: DeliveryDeps, job: DeliveryJob, artifact: Artifact, error: unknown) {
  const mayHaveExpired =
    error instanceof ArtifactUnavailable && (error.reason === 'gone' || error.reason === 'refused')
  const links = mayHaveExpired ? await linksNow(deps, job) : []
  const url = links[artifact.position]
  // Of another number of links it is not known which file each leads to.
  if (links.length !== job.artifacts.length || url === undefined || url === artifact.url) throw error
  await record(deps, artifact, { url }, eq(table.url, artifact.url))
  deps.log.info({ generation: job.generation.id, position: artifact.position }, 'a link was renewed')
  return prepare(deps, job, { ...artifact, url })
}

/** The links that the task of the generation names now; none when it cannot be read. */
async function linksNow(
  { gateway, log }: DeliveryDeps,
  { generation }: DeliveryJob,
): Promise<readonly string[]> {
  const { id, taskId } = generation
  if (taskId === null) return []
  try {
    return (await gateway.readTask(taskId)).urls
  } catch (error) {
    log.warn({ generation: id, task: taskId, error }, 'links cannot be renewed')
    return []
  }
}

/**
 * Sends the pictures among the artifacts as one message, as many as Telegram accepts together. An album cannot have buttons, so a message
 * with the caption and the buttons follows it. Until that is sent, the last picture counts as partly sent (job.ts).
 * @returns the artifacts that are done; empty when they have to be sent one by one
 */
async function sendAsAlbum(deps: DeliveryDeps, job: DeliveryJob): Promise<readonly Artifact[]> {
  const { artifacts, generation } = job
  const finish = async (last: Artifact) => {
    if (!(await holdsLease(deps, generation))) return
    await record(deps, last, { messageId: (await sendAlbumWords(deps, job)) ?? null })
  }
  const withoutCaption = artifacts.find(isPartlySent)
  if (withoutCaption) {
    await finish(withoutCaption)
    return [withoutCaption]
  }
  const mayBeAlbum = job.care === 'usual' && artifacts.every((one) => isUnsent(one) && !one.lost)
  const pictures = mayBeAlbum ? await prepareAlbum(deps, job) : []
  const album = pictures.map(({ artifact }) => artifact)
  const last = album.at(-1)
  if (!last || !isAlbum(album)) return []
  if (!(await holdsLease(deps, generation))) return artifacts
  const photos = pictures.map(({ photo }) => photo)
  const messages = await sendAlbum(deps, job.target, photos)
  if (!messages) return []
  await recordAlbum(deps, album, messages)
  await finish(last)
  return album
}

/** The last picture is not done before the caption. Rows that another worker has completed meanwhile are left unchanged. */
export async function recordAlbum(
  deps: Pick<DeliveryDeps, 'db' | 'clock' | 'log'>,
  album: readonly Artifact[],
  messages: readonly SentMessage[],
): Promise<void> {
  for (const [at, artifact] of album.entries()) {
    const message = messages[at]
    if (!message) return
    const messageId = at < album.length - 1 ? message.message_id : null
    const file = fileOf(message, { kind: 'image', known: { mime: photoMime } })
    await record(deps, artifact, { ...file, messageId }, isNull(table.messageId))
  }
}

/** Telegram's limits. */
export const isAlbum = (pictures: readonly unknown[]): boolean =>
  pictures.length >= 2 && pictures.length <= 10

interface Picture {
  readonly artifact: Artifact
  readonly photo: InputFile
}

/** Downloads all artifacts and selects the photos; none when a server does not answer, so that the files are sent one by one. */
async function prepareAlbum(deps: DeliveryDeps, job: DeliveryJob): Promise<Picture[]> {
  const { artifacts } = job
  const pictures: Picture[] = []
  // The files are downloaded one after another: ten files of the largest size at once would exhaust the memory.
  for (const artifact of artifacts.length > 1 ? artifacts : []) {
    const downloaded = await deps.downloads.get(artifact.url)
    if (!downloaded.ok && downloaded.reason === 'unavailable') return []
    const photo = downloaded.ok ? await fitPhoto(downloaded.bytes) : undefined
    if (!photo) continue
    const name = `${fileName(job, artifact)}.${photographExtension(photo.bytes)}`
    pictures.push({ artifact, photo: new InputFile(photo.bytes, name) })
  }
  return pictures
}

/** Sends pictures as one message; undefined when Telegram refuses them as an album, and nothing has been sent. */
export const sendAlbum = (
  { api }: DeliveryDeps,
  target: MessageTarget,
  photos: readonly (InputFile | string)[],
): Promise<SentMessage[] | undefined> =>
  firstAccepted<SentMessage[] | undefined>([
    () =>
      sendInto(target, (into) =>
        api.sendMediaGroup(
          target.chatId,
          photos.map((one) => InputMediaBuilder.photo(one)),
          into,
        ),
      ),
    async () => undefined,
  ])

/** Sends the words and the buttons of an album, which cannot have them itself. @returns the id of the message, if there are words */
export async function sendAlbumWords(deps: DeliveryDeps, job: DeliveryJob): Promise<number | undefined> {
  const { chatId, topicId } = job.target
  const { caption, ...options } = resultWords(deps, job, true)
  if (caption === undefined) return undefined
  const send = (into: object) => deps.api.sendMessage(chatId, caption, { ...options, ...into })
  return (await sendInto({ chatId, topicId }, send)).message_id
}

/** Makes the first of these attempts that Telegram does not refuse because of the content. Any other error applies to all of them. */
export async function firstAccepted<T>(attempts: readonly (() => Promise<T>)[]): Promise<T> {
  let refused: unknown
  for (const attempt of attempts) {
    try {
      return await attempt()
    } catch (error) {
      if (!isAboutFile(error)) throw error
      refused = error
    }
  }
  throw refused
}

/** The file cannot be downloaded, or is not a result. */
export class ArtifactUnavailable extends Error {
  override name = 'ArtifactUnavailable'
  readonly reason: Missing

  constructor(reason: Missing) {
    super(reason)
    this.reason = reason
  }
}

interface Prepared extends Forms {
  /** The words about the link that is sent when Telegram accepts the file in no form; undefined for a file without a link. */
  readonly link?: 'result-link' | 'result-too-large' | undefined
}

/**
 * Downloads an artifact and converts it if necessary, which may take minutes.
 * @throws ArtifactUnavailable
 */
export async function prepare(deps: DeliveryDeps, job: DeliveryJob, artifact: Artifact): Promise<Prepared> {
  const { care } = job
  const link = artifact.url.startsWith('data:') ? undefined : 'result-link'
  if (care === 'link' && link) return { kind: null, forms: [], link }
  const downloaded = await deps.downloads.get(artifact.url)
  if (!downloaded.ok) {
    const { reason } = downloaded
    if (reason === 'too-large') return { kind: null, forms: [], link: 'result-too-large' }
    throw new ArtifactUnavailable(reason)
  }
  const { bytes, format } = downloaded
  if (isErrorMessage(job, format)) throw new ArtifactUnavailable('not-a-file')
  const file = { job, artifact, bytes, format }
  if (care === 'usual') return { ...(await formsOf(file, deps.previewMs)), link }
  return { kind: format.kind, forms: [asDocument(file)], link }
}

/** Whether the only file is plain text although a picture, a video or sound was ordered. */
function isErrorMessage(job: DeliveryJob, { kind }: Format): boolean {
  const hasExtraFiles = job.artifacts.length > paidFor(job)
  const { ordered } = job
  return kind === 'text' && !hasExtraFiles && ordered !== undefined && ordered.kind !== 'model3d'
}

/** @param isLast whether it carries the caption and the buttons */
export async function sendPrepared(
  deps: DeliveryDeps,
  job: DeliveryJob,
  artifact: Artifact,
  prepared: Prepared,
  isLast: boolean,
): Promise<Sent> {
  const { kind, forms, picture, link } = prepared
  if (picture && artifact.fileId === null)
    await allSettledWithin([sendPicture(deps, job, artifact, picture)], deps.clock, pictureMs)
  const { target, statusToReplace } = job
  const wordsOf = (known?: FileFacts) =>
    resultWords(deps, job, isLast, known && attachmentWith(job.ordered?.kind, artifact.url, known))
  const attempts = forms.map(({ as, file, told, known }) => async (): Promise<Sent> => {
    const send = (into: object) =>
      sendAs[as](deps.api, target.chatId, file, { ...wordsOf(known), ...told, ...into })
    return { kind, known, message: await sendInto(target, send) }
  })
  const [best] = forms
  // A picture of the model takes the place of the status message, so the model itself does not.
  if (best && best.as !== 'voice' && !picture && statusToReplace !== undefined) {
    const { as, file, told, known } = best
    const { reply_markup, ...caption } = wordsOf(known)
    const media = mediaAs[as](file, { ...caption, ...told })
    attempts.unshift(async () => ({
      kind,
      known,
      message: await replaceStatus(deps, job, statusToReplace, media, reply_markup),
    }))
  }
  if (link)
    attempts.push(async () => ({ kind, message: await sendLink(deps, job, link, artifact.url, wordsOf()) }))
  return firstAccepted(attempts)
}

async function sendLink(
  deps: DeliveryDeps,
  { say, target }: DeliveryJob,
  key: 'result-link' | 'result-too-large',
  url: string,
  { caption, ...options }: ReturnType<typeof resultWords>,
): Promise<SentMessage> {
  const link = say.html(key, { url })
  const html = caption === undefined ? link : `${caption}\n\n${link}`
  return sendInto(target, (into) => deps.api.sendMessage(target.chatId, html, { ...options, ...into }))
}

/** The longest that sending the picture may delay the model. */
const pictureMs = 3000

/** Puts the picture of a 3D model in place of the status message, or sends it. */
async function sendPicture(
  deps: DeliveryDeps,
  job: DeliveryJob,
  artifact: Artifact,
  picture: InputFile,
): Promise<void> {
  const { statusToReplace } = job
  const { chatId, topicId } = job.target
  const send = () => sendInto({ chatId, topicId }, (into) => deps.api.sendPhoto(chatId, picture, into))
  const replace = (messageId: number) => replaceStatus(deps, job, messageId, InputMediaBuilder.photo(picture))
  const { photo } = await firstAccepted<SentMessage>([
    ...(statusToReplace === undefined ? [] : [() => replace(statusToReplace)]),
    send,
  ])
  // A picture that arrives after the model changes nothing.
  await record(deps, artifact, { fileId: photo?.at(-1)?.file_id ?? null }, isNull(table.messageId))
}

/**
 * Edits the status message into a result. An attempt that is repeated after a crash edits it again, so that the result is in the chat only
 * once: Telegram's answer that nothing changes means that an earlier edit succeeded and its answer was lost.
 */
async function replaceStatus(
  { api }: DeliveryDeps,
  { target, status }: DeliveryJob,
  messageId: number,
  media: InputMedia,
  keyboard?: InlineKeyboardMarkup,
): Promise<SentMessage> {
  const options = keyboard ? { reply_markup: keyboard } : {}
  const edited = await api
    .editMessageMedia(target.chatId, messageId, media, options)
    .catch((error: unknown) => {
      if (isNotModified(error)) return true as const
      throw error
    })
  status.isResult = true
  return { ...(edited === true ? {} : edited), message_id: messageId }
}

/** Sends a message about a generation without results, with the buttons to order it again. */
export async function sendText({ api }: DeliveryDeps, job: DeliveryJob, html: string): Promise<void> {
  const options = { ...htmlWithoutPreview, reply_markup: againKeyboard(job) }
  await sendInto(job.target, (into) => api.sendMessage(job.target.chatId, html, { ...into, ...options }))
}

const actions: Readonly<
  Record<Delivers['kind'], 'upload_video' | 'upload_photo' | 'upload_voice' | 'upload_document'>
> = {
  video: 'upload_video',
  image: 'upload_photo',
  voice: 'upload_voice',
  audio: 'upload_voice',
  model3d: 'upload_document',
}

/** Shows an upload in the chat. It is optional: a failure is ignored. */
export async function showUploadAction(
  { api }: DeliveryDeps,
  { target: { chatId, topicId }, ordered }: DeliveryJob,
): Promise<void> {
  const action = actions[ordered?.kind ?? 'model3d']
  const sending = sendInto({ chatId, topicId }, (into) => api.sendChatAction(chatId, action, into))
  await sending.catch(() => undefined)
}
