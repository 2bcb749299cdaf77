// The media of a message in one shape, whatever its kind. A row compares these facts to see whether its media has changed.

import type { Message } from './api.ts'

type VisualKind = 'photo' | 'animation' | 'video' | 'video_note'

export interface MediaFacts {
  readonly kind: VisualKind | 'voice' | 'audio' | 'document'
  /** Whether it is shown as a picture or a video, not as a line. */
  readonly visual: boolean
  readonly spoiler: boolean
  readonly id: string
  readonly messageId: number
  /** When the message was sent, in Unix seconds. */
  readonly date: number
  /** 0 when unknown; the same holds for height and duration. */
  readonly width: number
  readonly height: number
  readonly duration: number
  readonly name: string
  readonly title: string
  readonly performer: string
  readonly mime: string
  /** NaN when unknown. */
  readonly size: number
  /** The file id of the thumbnail, or ''. */
  readonly thumb: string
}

/** The union of the fields that Telegram's kinds of files have. */
interface File {
  readonly file_id: string
  readonly width?: number
  readonly height?: number
  /** The diameter of a video note. */
  readonly length?: number
  readonly duration?: number
  readonly file_name?: string
  readonly title?: string
  readonly performer?: string
  readonly mime_type?: string
  readonly file_size?: number
  readonly thumbnail?: { readonly file_id: string }
}

const largest = (photo: NonNullable<Message['photo']>) =>
  photo.reduce((best, one) => (one.width * one.height > best.width * best.height ? one : best))

export function mediaFacts(message: Message): MediaFacts | null {
  const visual = (kind: VisualKind, file: File) =>
    factsOf(kind, file, message, { visual: true, spoiler: Boolean(message.has_media_spoiler) })
  const line = (kind: 'voice' | 'audio' | 'document', file: File) =>
    factsOf(kind, file, message, { visual: false, spoiler: false })
  if (message.photo) return visual('photo', largest(message.photo))
  // Telegram repeats an animation as a document for old clients, so it is checked first.
  if (message.animation) return visual('animation', message.animation)
  if (message.video) return visual('video', message.video)
  if (message.video_note) return visual('video_note', message.video_note)
  if (message.voice) return line('voice', message.voice)
  if (message.audio) return line('audio', message.audio)
  return message.document ? line('document', message.document) : null
}

const factsOf = (
  kind: MediaFacts['kind'],
  file: File,
  { message_id, date }: Message,
  shown: Pick<MediaFacts, 'visual' | 'spoiler'>,
): MediaFacts => ({
  kind,
  ...shown,
  id: file.file_id,
  messageId: message_id,
  date,
  width: file.width ?? file.length ?? 0,
  height: file.height ?? file.length ?? 0,
  duration: file.duration ?? 0,
  name: file.file_name ?? '',
  title: file.title ?? '',
  performer: file.performer ?? '',
  mime: file.mime_type ?? '',
  size: file.file_size ?? Number.NaN,
  thumb: file.thumbnail?.file_id ?? '',
})

/** Whether the file is a 3D model that the page can show. */
export const isModel = ({ mime, name }: MediaFacts): boolean =>
  mime === 'model/gltf-binary' || /\.glb$/i.test(name)
