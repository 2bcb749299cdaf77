// One form in which a file can be sent: as a new message, and in place of the status message where Telegram allows that. Every file can be
// sent as a document.

import { InputFile, InputMediaBuilder } from 'grammy'
import type { InputMedia, Message } from 'grammy/types'
import type { FileFacts } from '../catalog/attachment.ts'
import type { FileKind } from '../db/schema.ts'
import type { Artifact } from '../generations/generation.ts'
import { type Format, mimeNamed } from '../media/format.ts'
import { type Into, sendInto } from '../telegram/send-into.ts'
import { type DeliveryDeps, type DeliveryJob, fileName } from './job.ts'
import { replaceStatusByMedia } from './replace-status.ts'
import type { ResultMessage } from './result-message.ts'
import type { SentMessage } from './sent-artifacts.ts'

/** Sends the file in one form. */
export type SendAttempt = () => Promise<SentMessage>

/** A form in which the file can be sent, and its attempt to take the place of the status message, if that is possible. */
export interface Form {
  readonly send: SendAttempt
  readonly replaceStatus?: SendAttempt | undefined
}

export interface DownloadedArtifact {
  readonly deps: DeliveryDeps
  readonly job: DeliveryJob
  readonly artifact: Artifact
  readonly bytes: Buffer
  readonly format: Format
  readonly message: ResultMessage
}

/** The forms in which a file can be sent. */
export interface PreparedForms {
  readonly kind: FileKind
  /** The forms, at least one. */
  readonly forms: readonly Form[]
}

/**
 * @param known of the file in this form
 * @param media the same for an edit of the status message; none for voice messages, which Telegram refuses there
 */
export function formOf(
  { deps, job, message }: DownloadedArtifact,
  known: FileFacts,
  send: (chatId: number, options: ResultMessage['captioned'] & Into) => Promise<Message>,
  media?: (options: ResultMessage['captioned']) => InputMedia,
): Form {
  const { target, statusToReplace } = job
  const { reply_markup, ...captioned } = message.captioned
  const withFacts =
    (attempt: SendAttempt): SendAttempt =>
    async () => ({ ...(await attempt()), known })
  return {
    send: withFacts(() =>
      sendInto<SentMessage>(target, (into) => send(target.chatId, { ...message.captioned, ...into })),
    ),
    replaceStatus:
      media && statusToReplace !== undefined
        ? withFacts(() =>
            replaceStatusByMedia(deps, target.chatId, statusToReplace, media(captioned), reply_markup),
          )
        : undefined,
  }
}

export const thumbnailOption = (bytes: Buffer | undefined) =>
  bytes ? { thumbnail: new InputFile(bytes, 'thumbnail.jpg') } : {}

interface DocumentOptions {
  readonly extension?: string
  readonly measures?: Omit<FileFacts, 'mime'>
  readonly shown?: ReturnType<typeof thumbnailOption>
}

export function asDocument(
  file: DownloadedArtifact,
  { extension = file.format.extension, measures = {}, shown = {} }: DocumentOptions = {},
): Form {
  const { deps, bytes, format } = file
  const inputFile = new InputFile(bytes, documentName(file, extension))
  // Telegram would make a sticker of some pictures, a WebP for instance, and an animation of others.
  const more = format.kind === 'image' ? { ...shown, disable_content_type_detection: true } : shown
  return formOf(
    file,
    { mime: mimeNamed(extension), ...measures },
    (chatId, options) => deps.api.sendDocument(chatId, inputFile, { ...options, ...more }),
    (options) => InputMediaBuilder.document(inputFile, { ...options, ...more }),
  )
}

/** The name in the file's address if it is plain, since the files of a 3D model refer to each other by name. */
function documentName({ job, artifact }: DownloadedArtifact, extension: string): string {
  const isInline = artifact.url.startsWith('data:')
  const name = isInline ? '' : (new URL(artifact.url).pathname.split('/').at(-1) ?? '')
  const isPlain = /^\w[\w.-]{0,60}$/.test(name) && name.toLowerCase().endsWith(`.${extension}`)
  return isPlain ? name : `${fileName(job.generation, artifact)}.${extension}`
}
