// Inline mode: `@bot words` in any chat offers the typing user's results to be sent there. A person without results, or unknown to the bot,
// is led to the private chat: inline mode creates no user, since a later invitation would then be lost.

import { type Filter, InlineQueryResultBuilder, type MiddlewareFn } from 'grammy'
import type { InlineQueryResult, InlineQueryResultsButton } from 'grammy/types'
import { promptInRequest } from '../../catalog/request.ts'
import { type DeliveredFile, deliveredFiles } from '../../orders/history.ts'
import { plainDay } from '../../telegram/local-time.ts'
import { isAboutFile } from '../../telegram/send.ts'
import { localeOf, type Say } from '../../texts.ts'
import { findByTelegram } from '../../users/user.ts'
import { createBuckets } from '../basics/recognise.ts'
import type { BotDeps, Ctx } from '../context.ts'

type InlineCtx = Filter<Ctx, 'inline_query'>

const pageSize = 20
/** How many of the newest files are searched for words. */
const mostSearched = 1000
/** Short, so that a new result is found within seconds. */
const cacheSeconds = 5
/** Telegram refuses a whole answer for one wrong file, so a page may take several attempts. */
const mostAttempts = 8
/** The parameter of /start when inline mode leads to the private chat. */
const startParameter = 'inline'

export function inline(deps: BotDeps): MiddlewareFn<InlineCtx> {
  const take = createBuckets(deps.clock)
  return async (ctx) => {
    if (take(ctx.from.id) === 'go') await answerQuery(deps, ctx)
  }
}

async function answerQuery(deps: BotDeps, ctx: InlineCtx): Promise<void> {
  const user = await findByTelegram(deps.db, ctx.from.id)
  if (user?.bannedAt) return answer(ctx, [])
  const say = deps.texts(user?.locale ?? localeOf(ctx.from.language_code))
  const { query, offset } = ctx.inlineQuery
  const from = readOffset(offset)
  const words = wordsOf(query)
  const most = words.length > 0 ? mostSearched : from + pageSize + 1
  const files = user ? await deliveredFiles(deps.db, user.id, most) : []
  const found = files.filter((file) => hasWords(file, words)).slice(from, from + pageSize + 1)
  if (found.length === 0) {
    const key = files.length === 0 ? 'inline-nothing-yet' : 'inline-nothing-found'
    const button = { text: say.plain(key), start_parameter: startParameter }
    return answer(ctx, [], from === 0 ? { button } : {})
  }
  const results = found.map((file) => inlineResult(deps, say, file))
  await answerPage(ctx, results, from)
}

/** The offset of a page, counted from 0. */
const readOffset = (offset: string): number => (/^\d{1,6}$/.test(offset) ? Number(offset) : 0)

const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean)

function hasWords({ request }: DeliveredFile, words: readonly string[]): boolean {
  const prompt = words.length > 0 ? (promptInRequest(request, Infinity)?.toLowerCase() ?? '') : ''
  return words.every((word) => prompt.includes(word))
}

/**
 * Answers with a page of the results. A file that Telegram refuses (sent by another bot, or in another form) is left out: the page is
 * halved until it has no such file, and a page of one refused file is skipped.
 */
async function answerPage(
  ctx: InlineCtx,
  results: readonly InlineQueryResult[],
  from: number,
): Promise<void> {
  let begin = 0
  let size = pageSize
  for (let attempt = 1; begin < results.length && attempt <= mostAttempts; attempt += 1) {
    const page = results.slice(begin, begin + size)
    const end = begin + page.length
    try {
      return await answer(ctx, page, end < results.length ? { next_offset: String(from + end) } : {})
    } catch (error) {
      if (!isAboutFile(error)) throw error
    }
    if (page.length === 1) begin = end
    else size = Math.ceil(page.length / 2)
  }
  await answer(ctx, [])
}

interface Options {
  readonly button?: InlineQueryResultsButton
  readonly next_offset?: string
}

async function answer(
  ctx: InlineCtx,
  results: readonly InlineQueryResult[],
  options: Options = {},
): Promise<void> {
  await ctx.answerInlineQuery(results, { is_personal: true, cache_time: cacheSeconds, ...options })
}

// One delivered file as a result of an inline query.

/** The result has no caption: prompt and price are not for the other members of the chat. */
function inlineResult(
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
