// The note of the message that asks what to do with files. It stores the files and the words sent with them.

import { z } from 'zod'
import { type Attachment, attachment } from '../../catalog/attachment.ts'
import { commands } from '../../catalog/model.ts'
import { noteKind } from '../notes.ts'

const about = z.strictObject({
  /** Missing when the content is none that a model takes. */
  file: attachment.exactOptional(),
  /** The other files of the album. */
  more: z.array(attachment).exactOptional(),
  words: z.string(),
  messageId: z.int().optional(),
  /** The command that the files came with. */
  command: z.enum(commands).exactOptional(),
  /** Telegram's id of the album: its files arrive one by one. */
  album: z.string().exactOptional(),
})
export type FileOffer = z.output<typeof about>

export const fileOffer = noteKind('file-offer', about)

export const filesIn = ({ file, more = [] }: FileOffer): readonly Attachment[] =>
  file ? [file, ...more] : []
