// The note of a message that asks for one field of a draft.

import { z } from 'zod'
import { noteKind } from '../notes.ts'

export const fieldQuestion = noteKind(
  'field-question',
  z.strictObject({ draftId: z.string(), fieldName: z.string(), turnsOn: z.string().exactOptional() }),
)
