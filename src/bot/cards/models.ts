// /video and the other commands of models: a prompt opens a card; without one, the missing answer is asked first. A picture, video or
// sound in the message of the command, or in the message it replies to, goes into the first field that takes it. When no field does, no
// card opens before the user has chosen what to do.

import type { MiddlewareFn } from 'grammy'
import type { Message } from 'grammy/types'
import { type Answers, type Attachment, isTakenPicture } from '../../catalog/field.ts'
import { visible } from '../../catalog/fields.ts'
import type { Command, Model } from '../../catalog/model.ts'
import { offeredModels } from '../../catalog/text-models.ts'
import { answersIn, frameNamed, readWithRoom } from '../../form/answer.ts'
import { missingField } from '../../form/fit.ts'
import type { FileUse } from '../../form/switch.ts'
import type { Draft } from '../../orders/drafts.ts'
import { modelSwitch, switchedOff } from '../../sales/sales.ts'
import { type Tap, taps } from '../../telegram/taps.ts'
import { wordsIn } from '../../telegram/words.ts'
import { answerOffer } from '../chat/chooser.ts'
import { asksByVoice, isVoice, takingHere } from '../chat/words.ts'
import { offeredCommands, readOnSale } from '../commands.ts'
import { alertForeign, answerTap, type BotDeps, type Ctx, deleteTapped, reply } from '../context.ts'
import { usualFirst } from '../from-prices.ts'
import { closeMenu, leaveMenu, type Referred, referredTo, tappedNote } from '../notes.ts'
import { type CommandCtx, onTap, type Routes } from '../routes.ts'
import { roomText } from './answer-text.ts'
import { askField } from './ask.ts'
import {
  attachmentIn,
  attachmentOf,
  type FileOffer,
  fileOffer,
  filesIn,
  frameWordsIn,
  isDecided,
  placedIn,
  readTextFile,
} from './attachment.ts'
import { sendCard, startDraft } from './cards.ts'
import { claimAlbum, offerFiles, tellAlbum } from './file-uses.ts'
import { type Parameters, parametersAsWords, parametersIn, settingBy, tellParameters } from './parameters.ts'
import { modelOf, tellReplaced } from './switch-model.ts'
import { unfitOf } from './unfit.ts'

export const models = (deps: BotDeps): Routes => ({
  commands: Object.fromEntries(
    offeredCommands(deps.catalog).map((command) => [
      command,
      (ctx: CommandCtx) => openByCommand(deps, ctx, command, ctx.msg, ctx.match),
    ]),
  ),
  taps: [
    onOfferTap(deps, taps.useFile, async (ctx, { words, file }, { command }) => {
      if (command === 'model3d' && file?.medium === 'image') await reply(ctx, ctx.say.html('picture-in-3d'))
      await useFile(deps, ctx, command, words, file)
    }),
    onOfferTap(deps, taps.useWords, (ctx, { words }, { command }) => openModel(deps, ctx, command, words)),
    onOfferTap(deps, taps.useAlbum, (ctx, offer, { as }) =>
      openModel(deps, ctx, 'video', offer.words, filesIn(offer), as),
    ),
    parametersAsWords(deps),
    onOfferTap(deps, taps.pickFile, (ctx, offer, { position }) => pick(deps, ctx, offer, position)),
  ],
})

/** Files without words. */
export const plainFiles =
  (deps: BotDeps): MiddlewareFn<Ctx> =>
  async (ctx, next) => {
    if (ctx.chat?.type !== 'private' || !ctx.has('message:file')) return next()
    if (wordsIn(ctx.msg).startsWith('/')) return next()
    if (offeredModels(deps.textModels).length > 0 && (await isQuestion(deps, ctx))) return next()
    if (await claimAlbum(deps, ctx.user.id, ctx.msg)) await offerUses(deps, ctx, ctx.msg, next)
  }

/** Handles a tap on the message that asks what to do with files or words, which is then removed. */
export function onOfferTap<Args>(
  deps: BotDeps,
  tap: Tap<Args>,
  use: (ctx: Ctx, offer: FileOffer, args: Args) => Promise<void>,
) {
  return onTap(tap, async (ctx, args) => {
    const offer = (await tappedNote(deps, ctx, fileOffer)) ?? (await offeredWords(deps, ctx))
    if (!offer) return alertForeign(ctx)
    await leaveMenu(deps, ctx)
    await answerTap(ctx)
    await deleteTapped(ctx)
    await use(ctx, offer, args)
  })
}

/** The words below which the tapped message offers what to make. */
async function offeredWords(deps: BotDeps, ctx: Ctx): Promise<FileOffer | undefined> {
  const { words, messageId } = (await tappedNote(deps, ctx, answerOffer)) ?? {}
  return words === undefined ? undefined : { words, messageId }
}

/** Whether a message is a question with a file that a text model can read. */
async function isQuestion(deps: BotDeps, ctx: Ctx & { readonly msg: Message }): Promise<boolean> {
  const { msg } = ctx
  const file = msg.document ? await attachmentIn(deps.files, msg) : attachmentOf(msg)
  if (visible(msg.caption ?? '') === '' && !asksByVoice(msg)) return false
  const medium = msg.video_note ? 'audio' : file?.medium
  if (medium !== 'audio' && medium !== 'video') return true
  return (await takingHere(deps, ctx, { medium })) === 'taken'
}

/** Takes one file of an album: for its command if there is one, or asks what to make of this file. */
async function pick(deps: BotDeps, ctx: Ctx, offer: FileOffer, position: number): Promise<void> {
  const { words, command, messageId } = offer
  const file = filesIn(offer)[position]
  if (!file) return
  if (command) return openModel(deps, ctx, command, words, [file])
  await offerFiles(deps, ctx, { file, words, messageId })
}

/** Words like “the last frame” say which frame a picture becomes, if the model that opens takes it as this one. */
async function useFile(deps: BotDeps, ctx: Ctx, command: Command, words: string, file?: Attachment) {
  const note = command === 'video' && file?.medium === 'image' && frameNamed(words, frameWordsIn(deps.texts))
  const frame = file && note ? { ...file, note } : undefined
  const onSale = await usualFirst(deps, ctx.user, command, (await readOnSale(deps)).models(command))
  const placed = frame && onSale.map((model) => placedIn(deps, model, [frame])).find(isDecided)
  if (frame && placed?.ok) return openModel(deps, ctx, command, '', [frame])
  await openModel(deps, ctx, command, words, file ? [file] : [])
}

async function openByCommand(
  deps: BotDeps,
  ctx: Ctx,
  command: Command,
  message: Message,
  words: string,
): Promise<void> {
  const { prompt, file, isUnused } = await givenWith(deps, command, message, words)
  const { message_id: messageId, media_group_id: album } = message
  const offer = { words: prompt, messageId, command }
  if (isUnused) return void (await offerFiles(deps, ctx, offer))
  // In groups the other files of the album may not reach the bot.
  if (file && album !== undefined && ctx.chat?.type === 'private') {
    if (await claimAlbum(deps, ctx.user.id, message)) await offerFiles(deps, ctx, { ...offer, file, album })
    return
  }
  if (takes(deps, command, file)) await tellAlbum(deps, ctx, message, 'album-on-card')
  await openModel(deps, ctx, command, prompt, file ? [file] : [])
}

/** The commands for which the words below a picture that they reply to are enough. */
const speaksText: readonly Command[] = ['speech', 'dialogue', 'music']

interface Given {
  readonly prompt: string
  readonly file: Attachment | undefined
  /** Whether the message, or what it refers to, has a content that no card takes. */
  readonly isUnused: boolean
}

/** What a command is given: its words and its file, or else those of what the message refers to. */
async function givenWith(deps: BotDeps, command: Command, message: Message, words: string): Promise<Given> {
  const { document, paid_media: paid, quote } = message
  const own = await partsOf(deps, message, words)
  const isUnread = (document ?? paid) !== undefined && !own.file && own.text === words
  const before = referredTo(message)
  if (!before) return { prompt: own.text, file: own.file, isUnused: isUnread }
  const other = await partsOf(deps, before, quote?.text ?? (before.document ? '' : wordsIn(before)))
  const isUnused = isUnread || (!other.file && other.text === '')
  if (own.file || own.text) return { prompt: own.text, file: own.file ?? other.file, isUnused }
  const isText = other.text !== '' && speaksText.includes(command) && !takes(deps, command, other.file)
  const { file = undefined } = isText ? {} : other
  return { prompt: file && !quote?.is_manual ? '' : other.text, file, isUnused }
}

/** The file of a message that goes into a field, and its words; without words, those in a text file. */
async function partsOf({ files }: BotDeps, message: Referred, words: string) {
  const text = words || (await readTextFile(files, message.document)) || ''
  return { file: await attachmentIn(files, message), text }
}

const takes = (deps: BotDeps, command: Command, file: Attachment | undefined): boolean =>
  file !== undefined && deps.catalog.offered(command).some((model) => placedIn(deps, model, [file]).ok)

/** Opens the card of the first model that takes the files; when none does, asks what to do with them. */
export async function openModel(
  deps: BotDeps,
  ctx: Ctx,
  command: Command,
  prompt: string,
  files: readonly Attachment[] = [],
  as: FileUse = 'one',
): Promise<void> {
  const off = await switchedOff(deps.db)
  const isOnSale = ({ id }: Model) => !off.has(modelSwitch(id))
  const offered = await usualFirst(deps, ctx.user, command, deps.catalog.offered(command))
  const placings = offered
    .map((model) => ({ model, placed: placedIn(deps, model, files, as) }))
    .filter(({ placed }) => isDecided(placed))
  const [wanted] = placings
  // When all models are switched off, the card says so.
  const taking = placings.find((one) => isOnSale(one.model)) ?? (offered.some(isOnSale) ? undefined : wanted)
  if (!wanted || !taking?.placed.ok) {
    const [file, ...more] = files
    const given = file ? { file, more } : {}
    await offerFiles(deps, ctx, { words: prompt, command, messageId: ctx.msgId, ...given })
    return
  }
  const { model } = taking
  if (wanted.model.id !== model.id) await tellReplaced(ctx, wanted.model, model)
  await openOneModel(deps, ctx, model, prompt, taking.placed.answers)
}

/** Opens the card of a model, and first asks for what it needs. @param files the answers that contain the files */
export async function openOneModel(
  deps: BotDeps,
  ctx: Ctx,
  model: Model,
  prompt = '',
  files: Answers = {},
): Promise<void> {
  const given = parametersIn(deps.texts, model, files, prompt)
  const written = await readPrompt(ctx, model, given.words)
  const answers = { ...shaped(deps, ctx, model, given, files), ...written.answers, ...files }
  const draft = await startDraft(deps, ctx, model, answers, written.unfit)
  if (!draft) return
  await tellParameters(deps, ctx, draft, given, prompt)
  await continueDraft(deps, ctx, draft)
}

/** The settings of the words, and the user's usual shape, if neither the words nor a picture decide the shape. */
function shaped(deps: BotDeps, ctx: Ctx, model: Model, given: Parameters, files: Answers): Answers {
  const shape = model.commands.map((command) => ctx.user.cardDefaults[command]?.shape).find(Boolean)
  const isFree = shape !== undefined && Object.keys(files).length === 0
  const setting = isFree ? settingBy(deps.texts, model, given.answers, shape) : undefined
  if (!setting?.pages.every((page) => !given.pages.includes(page))) return given.answers
  return { ...given.answers, [setting.name]: setting.answer }
}

interface Written {
  readonly answers: Answers
  /** A prompt that the model does not accept: the draft keeps it, and its first message says why. */
  readonly unfit: string | null
}

async function readPrompt(ctx: Ctx, model: Model, prompt: string): Promise<Written> {
  const field = model.fields.find(({ audience }) => audience === 'asked')
  const words = visible(prompt.replaceAll('\0', ''))
  if (!field || words === '') return { answers: {}, unfit: null }
  const read = readWithRoom(model, field, {}, words)
  if (!read.ok) return { answers: {}, unfit: words }
  if (read.room) await reply(ctx, roomText(ctx.say, read.room))
  return { answers: answersIn(field, read), unfit: null }
}

/**
 * Offers what can be made of a file without words.
 * @param next answers a message without such a file
 * @param refuse answers a picture that no model takes
 */
export async function offerUses(
  deps: BotDeps,
  ctx: Ctx,
  message: Message,
  next: () => Promise<void>,
  refuse = () => reply(ctx, ctx.say.html('refusal-picture-format')),
): Promise<void> {
  const file = await attachmentIn(deps.files, message)
  const isBad = file?.medium === 'image' && !isTakenPicture(file.mime)
  if (isBad) return refuse()
  const { message_id: messageId, caption = '', media_group_id } = message
  const words = caption.startsWith('/') ? '' : caption
  const more = {
    ...(media_group_id === undefined ? {} : { album: media_group_id }),
    ...(isVoice(message) ? { isVoice: true as const } : {}),
  }
  if (!file || !(await offerFiles(deps, ctx, { file, words, messageId, ...more }))) return next()
}

/**
 * Asks for what is missing, or shows the card. In a group only the card can offer to rewrite a prompt that does not fit. The menu in which
 * the card was chosen is answered.
 */
export async function continueDraft(deps: BotDeps, ctx: Ctx, draft: Draft): Promise<void> {
  await closeMenu(deps, ctx)
  const missing = missingField(modelOf(deps, draft), draft.answers)
  const isOnCard = ctx.chat?.type !== 'private' && (await unfitOf(deps, draft))?.offer !== undefined
  if (missing?.audience === 'asked' && !isOnCard) return askField(deps, ctx, draft, missing.name)
  await sendCard(deps, ctx.api, draft, ctx.say)
}
