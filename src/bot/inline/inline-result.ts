// One delivered file as a result of an inline query.

import { InlineQueryResultBuilder } from 'grammy'
import type { InlineQueryResult } from 'grammy/types'
import { promptInRequest } from '../../catalog/request.ts'
import type { DeliveredFile } from '../../generations/delivered.ts'
import { plainDay } from '../../telegram/local-time.ts'
import type { Say } from '../../texts.ts'
import type { BotDeps } from '../context.ts'

/** The result has no caption: prompt and price are not for the other members of the chat. */
export function inlineResult(
  { catalog }: Pick<BotDeps, 'catalog'>,
  say: Say,
  file: DeliveredFile,
): InlineQueryResult {
  const { generationId, position, fileId, modelId, request, createdAt } = file
  const model = catalog.find(modelId)
  const name = model ? say.label(model.label) : modelId
  const id = `${generationId}-${position}`
  const title = promptInRequest(request, 60)?.replaceAll(/\s+/g, ' ') ?? name
  const description = say.plain('inline-about', { model: name, date: plainDay(say, createdAt) })
  const shown = { title, description }
  switch (formOf(file, model?.delivers(request).kind)) {
    case 'photo':
      return InlineQueryResultBuilder.photoCached(id, fileId, shown)
    case 'video':
      return InlineQueryResultBuilder.videoCached(id, title, fileId, shown)
    case 'voice':
      return InlineQueryResultBuilder.voiceCached(id, title, fileId)
    case 'audio':
      return InlineQueryResultBuilder.audioCached(id, fileId)
    case 'document':
      return InlineQueryResultBuilder.documentCached(id, title, fileId, shown)
  }
}

type Ordered = 'video' | 'image' | 'voice' | 'audio' | 'model3d' | undefined

/** The form in which the file was sent: its file id works for that form only. */
function formOf(
  { fileId, originalFileId, kind }: DeliveredFile,
  ordered: Ordered,
): 'photo' | 'video' | 'voice' | 'audio' | 'document' {
  if (fileId === originalFileId) return 'document'
  switch (kind) {
    case 'image':
      return 'photo'
    case 'video':
      return 'video'
    case 'audio':
      return ordered === 'voice' ? 'voice' : 'audio'
    default:
      return ordered === 'image' ? 'photo' : 'document'
  }
}
