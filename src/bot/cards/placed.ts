// Files in the fields of a model: which field takes them, and a file that is sent in place of the prompt.

import type { Message } from 'grammy/types'
import { z } from 'zod'
import { type Attachment, attachment } from '../../catalog/attachment.ts'
import { commands, type Model } from '../../catalog/model.ts'
import { type FileUse, type Placed, placeFiles } from '../../form/place.ts'
import type { Draft } from '../../orders/drafts.ts'
import type { Say } from '../../texts.ts'
import type { BotDeps } from '../context.ts'
import { noteKind } from '../notes.ts'
import { attachmentIn } from './attachment.ts'
import { answerDraft } from './cards.ts'

export const placedIn = (
  { media }: Pick<BotDeps, 'media'>,
  model: Model,
  files: readonly Attachment[],
  as: FileUse = 'one',
): Placed => placeFiles(model, files, as, media.link !== undefined)

/** Whether the model has a field for such files, even if that field refuses these. The first such model decides. */
export const isDecided = (placed: Placed): boolean => placed.ok || placed.because !== undefined

/**
 * Puts a file that was sent in place of the prompt into the first field that takes it.
 * @returns HTML that says so; undefined when no field takes it
 */
export async function keepFile(
  deps: BotDeps,
  { id, userId, modelId }: Draft,
  message: Message,
  say: Say,
): Promise<string | undefined> {
  const model = deps.catalog.find(modelId)
  const sent = model && (await attachmentIn(deps.files, message))
  const placed = sent && placedIn(deps, model, [sent])
  const field = placed?.ok ? model?.fields.find(({ name }) => placed.answers[name] !== undefined) : undefined
  if (!sent || !field) return undefined
  const kept = await answerDraft(deps, id, userId, field.name, { sent, caption: '' })
  return kept.ok ? say.html('file-kept', { label: say.label(field.label) }) : undefined
}

// The note of the message that asks what to do with files. It stores the files and the words sent with them.

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
