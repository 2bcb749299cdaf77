// Asks what to do with files: with a file without a command, with the files of an album, and with a file that the models of its command do
// not take. Nothing is made of the words alone before that is chosen. The message is edited while further files of the album arrive.

import { InlineKeyboard, type MiddlewareFn } from 'grammy'
import type { Message } from 'grammy/types'
import { z } from 'zod'
import type { Attachment } from '../../catalog/field.ts'
import { visible } from '../../catalog/fields.ts'
import { type Command, type Model, minimalAnswers } from '../../catalog/model.ts'
import type { TextModel } from '../../catalog/text-models.ts'
import { rewriterFor } from '../../chat/rewriting.ts'
import { promptField } from '../../form/fit.ts'
import type { FileUse } from '../../form/switch.ts'
import { talkWith } from '../../orders/deliver/result.ts'
import { textModelsOnSale } from '../../sales/sales.ts'
import { fitted } from '../../telegram/button-rows.ts'
import { changeNote, isNotedElsewhere, newestNote, writeNote } from '../../telegram/message-notes.ts'
import { replyTo } from '../../telegram/send.ts'
import { taps } from '../../telegram/taps.ts'
import { readRich } from '../../telegram/words.ts'
import type { Say } from '../../texts.ts'
import { likelyKind } from '../chat/chooser.ts'
import { addAsking } from '../chat/files.ts'
import { type OnSale, readOnSale } from '../commands.ts'
import { type BotDeps, type Ctx, reply } from '../context.ts'
import { usualFirst } from '../from-prices.ts'
import { noteKind, openMenu } from '../notes.ts'
import { refusalText } from './answer-text.ts'
import { attachmentIn, type FileOffer, fileOffer, filesIn, isDecided, placedIn } from './attachment.ts'

/** @returns false when nothing can be made of the file */
export async function offerFiles(deps: BotDeps, ctx: Ctx, offer: FileOffer): Promise<boolean> {
  const { html, keyboard } = await viewOffer(deps, ctx, offer)
  if (keyboard.inline_keyboard.flat().length === 0) return false
  const { messageId } = offer
  const sent = await ctx.reply(html, {
    parse_mode: 'HTML',
    reply_markup: keyboard,
    ...(messageId === undefined ? {} : replyTo(messageId)),
  })
  await writeNote(deps, sent, { kind: fileOffer, userId: ctx.user.id, about: offer })
  await openMenu(deps, ctx, { at: 'file' }, sent)
  return true
}

/** Adds a further file of an album to the message that asks about it. @returns whether there is one */
async function growOffer(deps: BotDeps, ctx: Ctx, message: Message, album: string): Promise<boolean> {
  const note = await newestNote(deps, message.chat.id, ctx.user.id, fileOffer.name)
  const offer = note && fileOffer.about.safeParse(note.about).data
  if (!note || offer?.album !== album) return false
  const file = await attachmentIn(deps.files, message)
  const files = filesIn(offer)
  if (!file || files.some((one) => one.file === file.file)) return true
  const words = offer.words || (message.caption ?? '')
  await changeOffer(deps, ctx, note, { ...offer, more: [...files.slice(1), file], words })
  return true
}

/** Puts the edited caption into the message that asks what to do with its file. */
export async function rewordOffer(deps: BotDeps, ctx: Ctx, message: Message, words: string): Promise<void> {
  const note = await newestNote(deps, message.chat.id, ctx.user.id, fileOffer.name)
  const offer = note && fileOffer.about.safeParse(note.about).data
  if (note && offer?.messageId === message.message_id) await changeOffer(deps, ctx, note, { ...offer, words })
}

async function changeOffer(
  deps: BotDeps,
  ctx: Ctx,
  { chatId, messageId }: { readonly chatId: number; readonly messageId: number },
  offer: FileOffer,
): Promise<void> {
  const shown = { chat: { id: chatId }, message_id: messageId }
  await changeNote(deps, shown, { kind: fileOffer, userId: ctx.user.id, about: offer })
  const { html, keyboard } = await viewOffer(deps, ctx, offer)
  const more = { parse_mode: 'HTML', reply_markup: keyboard } as const
  // It is gone when its button was tapped before.
  await ctx.api.editMessageText(chatId, messageId, html, more).catch(() => undefined)
}

/** What the message that asks is drawn from. */
interface Drawing {
  readonly deps: BotDeps
  readonly ctx: Ctx
  readonly onSale: OnSale
  readonly offer: FileOffer
}

type OneFile = FileOffer & { readonly file: Attachment }

async function viewOffer(deps: BotDeps, ctx: Ctx, offer: FileOffer) {
  const { say } = ctx
  const { command, file, album } = offer
  const files = filesIn(offer)
  const drawing: Drawing = { deps, ctx, onSale: await readOnSale(deps), offer }
  const refused = command && whyRefused(drawing, command, file)
  const isAlbum = files.length > 1 || (album !== undefined && command !== undefined)
  const lines = [...(refused === undefined ? [] : [refused])]
  const keyboard = new InlineKeyboard()
  if (isAlbum) {
    lines.push(say.html('album-uses', { count: files.length }))
    addAlbum(drawing, keyboard, files)
  } else if (file) {
    lines.push(...(await addUses({ ...drawing, offer: { ...offer, file } }, keyboard)))
  }
  if (command && refused !== undefined)
    keyboard.text(say.plain(`without-${command}`), taps.useWords.data({ command })).row()
  return { html: lines.join('\n\n'), keyboard: fitted(keyboard) }
}

/** Why the models of a command do not take the file; undefined when one of them does. */
function whyRefused({ deps, ctx: { say }, onSale }: Drawing, command: Command, file?: Attachment) {
  const placed =
    file &&
    onSale
      .models(command)
      .map((model) => placedIn(deps, model, [file]))
      .find(isDecided)
  if (placed?.ok) return undefined
  if (placed?.because) return refusalText(say, placed.because.refusal, placed.because.field)
  const isEdit = command === 'image' && file?.medium === 'image'
  const kind = file?.medium ?? 'other'
  return say.html(isEdit ? 'picture-not-edited' : 'file-not-taken', { command, kind })
}

/** Adds the uses of several files together, and a button for each of them alone. */
function addAlbum(drawing: Drawing, keyboard: InlineKeyboard, files: readonly Attachment[]): void {
  const { say } = drawing.ctx
  for (const as of ['frames', 'references'] as const) {
    const price = files.length > 1 ? priceAs(drawing, files, as) : undefined
    if (price === undefined) continue
    keyboard.text(say.plain(`use-${as}`, { count: files.length }) + price, taps.useAlbum.data({ as })).row()
  }
  for (const at of files.keys()) {
    keyboard.text(String(at + 1), taps.pickFile.data({ position: at }))
    if (at % 5 === 4) keyboard.row()
  }
  keyboard.row()
}

/** The uses of one file. */
type Using = Drawing & { readonly offer: OneFile }

/**
 * Adds the uses of one file. Of a picture most people want a video, unless they ask something with it.
 * @returns the lines above them; of a picture one for each use
 */
async function addUses(drawing: Using, keyboard: InlineKeyboard): Promise<readonly string[]> {
  const { deps, ctx, offer } = drawing
  const { say } = ctx
  const { file, command, isVoice, words } = offer
  const isPicture = file.medium === 'image'
  const answering = new InlineKeyboard()
  const asking = command ? undefined : await addAsking(deps, ctx, answering, offer)
  const making = new InlineKeyboard()
  const made = await addOrders(drawing, making)
  if (asking) made.push(...(await addLike(drawing, making)))
  const asksFirst = !isPicture || (visible(words) !== '' && likelyKind(words) === 'chat')
  for (const rows of asksFirst ? [answering, making] : [making, answering]) keyboard.append(rows).row()
  if (!asking) return []
  const above = asking.line ? [asking.line] : []
  if (isPicture) {
    const lines = asking.isPossible ? [...made, say.html('picture-use-ask')] : made
    return [say.html('picture-uses', { lines: { html: lines.join('\n') } }), ...above]
  }
  const asked = isVoice && !asking.isPossible ? 'voice-uses' : 'file-uses'
  return making.inline_keyboard.flat().length > 0 ? [...above, say.html(asked)] : above
}

/** Adds the orders that take the file. @returns a line for each, which says what becomes of a picture */
async function addOrders(drawing: Using, keyboard: InlineKeyboard): Promise<string[]> {
  const { deps, ctx, onSale, offer } = drawing
  const { say, user } = ctx
  const { file, command } = offer
  const lines: string[] = []
  for (const use of onSale.commands) {
    const price = priceOf(drawing, await usualFirst(deps, user, use, onSale.models(use)), [file], 'one')
    // Who asked for a picture or a song does not want a texture.
    if (price === undefined || (command && use === 'model3d')) continue
    const isAnimation = file.medium === 'image' && use === 'video'
    const label = isAnimation ? say.plain('use-animate') + price : say.plain(`use-${use}`)
    keyboard.text(label, taps.useFile.data({ command: use }))
    if (isAnimation) keyboard.row()
    lines.push(say.html(`picture-use-${use === 'model3d' ? use : 'video'}`))
    if (use === 'video' && !command) lines.push(...addTalking(drawing, keyboard))
  }
  addChange(drawing, keyboard)
  return lines
}

/** Offers a picture like this one, with the price of the description that becomes its prompt. @returns its line */
async function addLike({ deps, ctx, onSale, offer }: Using, keyboard: InlineKeyboard): Promise<string[]> {
  const { say } = ctx
  const [model] = onSale.models('image')
  const describing = describingOf(await textModelsOnSale(deps), model, offer.file, offer.words, say)
  if (!describing) return []
  const label = say.plain('button-like-picture', { amount: say.roubles(describing.amount) })
  keyboard.text(label, taps.likePicture.data())
  return [say.html('picture-use-like')]
}

/** Offers a picture that talks. @returns its line, with the price of a usual length */
function addTalking(drawing: Using, keyboard: InlineKeyboard): string[] {
  const { deps, ctx, onSale, offer } = drawing
  const { say } = ctx
  const { file } = offer
  const talking = talkWith(deps, onSale.models, file)
  if (!talking) return []
  keyboard.text(say.plain(file.medium === 'image' ? 'use-talk' : 'next-talk'), taps.talkFile.data())
  const { model, answers } = talking
  const price = deps.catalog.priceWith(model, { ...minimalAnswers(model), ...answers })
  return price
    ? [say.html('picture-use-talk', { seconds: price.quantity, amount: say.roubles(price.amount) })]
    : []
}

/** Offers a video that is changed by words: also one that is too small or too long to be continued. */
function addChange(drawing: Using, keyboard: InlineKeyboard): void {
  const { file } = drawing.offer
  const price = file.medium === 'video' ? priceAs(drawing, [file], 'references') : undefined
  const label = drawing.ctx.say.plain('use-change')
  if (price !== undefined)
    keyboard
      .row()
      .text(label + price, taps.useAlbum.data({ as: 'references' }))
      .row()
}

const priceAs = (drawing: Drawing, files: readonly Attachment[], as: FileUse): string | undefined =>
  priceOf(drawing, drawing.onSale.models('video'), files, as)

/** The price on the card of the first model that takes the files, if there is one already; undefined when no model takes them. */
function priceOf(
  { deps, ctx: { say } }: Drawing,
  models: readonly Model[],
  files: readonly Attachment[],
  as: FileUse,
): string | undefined {
  const placings = models.map((model) => ({ model, placed: placedIn(deps, model, files, as) }))
  const { model, placed } = placings.find((one) => isDecided(one.placed)) ?? {}
  if (!model || !placed?.ok) return undefined
  const amount = deps.catalog.priceWith(model, { ...minimalAnswers(model), ...placed.answers })?.amount
  return amount === undefined ? '' : ` · ${say.roubles(amount)}`
}

/** The description of a picture as a prompt, with about its price; undefined when no text model sees pictures. */
export function describingOf(
  textModels: readonly TextModel[],
  model: Model | undefined,
  picture: Attachment,
  words: string,
  say: Say,
) {
  const field = model && promptField(model)
  if (!field || picture.medium !== 'image') return undefined
  const rewriting = { to: 'describe', max: field.max } as const
  const asked = { words: visible(words) || say.plain('describe-picture'), rewriting, picture }
  const rewriter = rewriterFor({ textModels }, asked.words, rewriting, picture)
  return rewriter && { asked, amount: rewriter.amount }
}

// Albums. Each file of an album is a message of its own, but an album is answered once: the message that asks about it takes its further
// files; when there is none, they are dropped.

const albumPart = noteKind('album', z.strictObject({ group: z.string() }))

const partOf = (userId: bigint, group: string) => ({ kind: albumPart, userId, about: { group } })

/** Installed before the conversations: the rest of an album that was answered does not answer a question that was asked since. */
export const restsOfAlbums =
  (deps: BotDeps): MiddlewareFn<Ctx> =>
  async (ctx, next) => {
    const { message } = ctx
    const { media_group_id: group, caption = '' } = message ?? {}
    if (!message || group === undefined || caption.startsWith('/')) return next()
    if (message.chat.type === 'private' && (await growOffer(deps, ctx, message, group))) return
    if (visible(caption) !== '') return next()
    if (!(await isNotedElsewhere(deps, message, partOf(ctx.user.id, group)))) return next()
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
