// A file that a user sent in answer to a field.

import { z } from 'zod'

export type Medium = 'image' | 'video' | 'audio'

/** What is known of a file, from its bytes; not every fact of every file can be read. */
export interface FileFacts {
  readonly mime: string
  readonly bytes?: number
  readonly width?: number
  readonly height?: number
  readonly seconds?: number
}

const takenPictures = new Set(
  ['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif', 'heic'].map((format) => `image/${format}`),
)

/** Whether pictures of this type can be passed to a model; some of them are converted. */
export const isTakenPicture = (mime: string): boolean => takenPictures.has(mime)

/** The type of a picture that nobody can decode: broken, or with too many pixels. */
export const brokenPicture = 'image/broken'

/** A file that the user sent. */
export interface Attachment extends FileFacts {
  /** Telegram's file id. */
  readonly file: string
  readonly medium: Medium
  /** The meaning of the caption, if the field reads captions: `first`, `12`, `@cat`. */
  readonly note?: string
}

/** The medium of a MIME type; undefined for files that are none. */
export function mediumOf(mime: string): Medium | undefined {
  const [kind] = mime.toLowerCase().split('/')
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : undefined
}

export const attachment: z.ZodType<Attachment> = z.object({
  file: z.string().min(1),
  medium: z.enum(['image', 'video', 'audio']),
  mime: z.string(),
  bytes: z.number().exactOptional(),
  width: z.number().exactOptional(),
  height: z.number().exactOptional(),
  seconds: z.number().exactOptional(),
  note: z.string().exactOptional(),
})
