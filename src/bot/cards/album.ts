// Albums. Each file of an album is a message of its own, but an album is answered once: the message that asks about it takes its further
// files; when there is none, they are dropped.

import type { Composer } from 'grammy'
import type { Message } from 'grammy/types'
import { z } from 'zod'
import { visible } from '../../catalog/fields.ts'
import { isNotedElsewhere, writeNote } from '../../telegram/message-notes.ts'
import { readRich } from '../../telegram/words.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { noteKind } from '../notes.ts'
import { reply } from '../responses.ts'
import { Routes } from '../routes.ts'
import { growOffer } from './file-uses.ts'

const albumPart = noteKind('album', z.strictObject({ group: z.string() }))

const partOf = (userId: bigint, group: string) => ({ kind: albumPart, userId, about: { group } })

/** Installed before the conversations: the rest of an album that was answered does not answer a question that was asked since. */
export function restsOfAlbums(deps: BotDeps): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  composer.on('message:file', async (ctx, next) => {
    const { media_group_id: group, caption = '' } = ctx.msg
    if (group === undefined || caption.startsWith('/')) return next()
    if (ctx.chat.type === 'private' && (await growOffer(deps, ctx, ctx.msg, group))) return
    if (visible(caption) !== '') return next()
    if (!(await isNotedElsewhere(deps, ctx.msg, partOf(ctx.user.id, group)))) return next()
  })
  return composer
}

/** Notes that the album of this file is answered. @returns true also outside of albums, and when the first file is handled again */
export async function claimAlbum(deps: BotDeps, userId: bigint, message: Message): Promise<boolean> {
  const { media_group_id: group } = message
  if (group === undefined) return true
  const part = partOf(userId, group)
  if (await isNotedElsewhere(deps, message, part)) return false
  await writeNote(deps, message, part)
  return true
}

/** Says once that this file of an album or of a rich message is taken without the others, and how to send those. */
export async function tellAlbum(
  deps: BotDeps,
  ctx: Ctx,
  message: Message,
  text: 'album-on-card' | 'album-in-question',
): Promise<void> {
  if (message.rich_message && readRich(message.rich_message).files.length > 1)
    return reply(ctx, ctx.say.html('first-file-only'))
  if (message.media_group_id === undefined) return
  if (await claimAlbum(deps, ctx.user.id, message)) await reply(ctx, ctx.say.html(text))
}
