// The note of the message that asks what to do with a file. It stores the file and the words sent with it.

import { z } from 'zod'
import { attachment } from '../../catalog/attachment.ts'
import { noteKind } from '../notes.ts'

export const fileOffer = noteKind(
  'file-offer',
  z.strictObject({ file: attachment, words: z.string(), messageId: z.int().optional() }),
)
