// /video and the other commands of models: a prompt opens a card; without one, the missing answer is asked first. A picture, video or
// sound in the message of the command, or in the message it replies to, goes into the first field that takes it.

import { type Composer, InlineKeyboard } from 'grammy'
import type { Message } from 'grammy/types'
import { type Attachment, isTakenPicture } from '../../catalog/attachment.ts'
import type { Answers } from '../../catalog/field.ts'
import type { Command, Model } from '../../catalog/model.ts'
import { offeredModels } from '../../catalog/text-models.ts'
import { visible } from '../../catalog/visible.ts'
import { answersIn, readWithRoom } from '../../form/answer.ts'
import { attach } from '../../form/attach.ts'
import { isPossible, missingField } from '../../form/fit.ts'
import { settingAt } from '../../form/settings.ts'
import { whyUnfit } from '../../form/unfit.ts'
import type { Draft } from '../../generations/drafts.ts'
import { modelSwitch, switchedOff } from '../../sales/switches.ts'
import { writeNote } from '../../telegram/message-notes.ts'
import { replyTo } from '../../telegram/reply-to.ts'
import { taps } from '../../telegram/taps.ts'
import { wordsIn } from '../../telegram/words.ts'
import { askingAbout } from '../chat/pictures.ts'
import { offeredCommands } from '../commands.ts'
import { type BotDeps, type Ctx, locationOf } from '../context.ts'
import { tappedNote } from '../notes.ts'
import { onTap } from '../on-tap.ts'
import { type Referred, referredTo } from '../referred.ts'
import { alertForeign, answerTap, deleteTapped, reply } from '../responses.ts'
import { Routes } from '../routes.ts'
import { claimAlbum, tellAlbum } from './album.ts'
import { labelOf } from './answer-text.ts'
import { type AskArgs, askName } from './ask.ts'
import { attachmentIn, attachmentOf, readTextFile } from './attachment.ts'
import { sendCard, startDraft } from './cards.ts'
import { fileOffer } from './file-offer.ts'
import { beginGuide } from './guide/enter.ts'
import { tellReplaced } from './model-off.ts'
import { refusalText, roomText } from './refusal-text.ts'
import { unfitOf } from './unfit.ts'

export function models(deps: BotDeps): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  for (const command of offeredCommands(deps.catalog)) {
    composer.command(command, (ctx) => openByCommand(deps, ctx, command, ctx.msg, ctx.match))
  }
  composer.chatType('private').on('message:file', async (ctx, next) => {
    if (wordsIn(ctx.msg).startsWith('/')) return next()
    if (isQuestion(ctx.msg) && offeredModels(deps.textModels).length > 0) return next()
    if (await claimAlbum(deps, ctx.user.id, ctx.msg)) await offerUses(deps, ctx, ctx.msg, next)
  })
  onTap(composer, taps.useFile, (ctx, { command }) => useFile(deps, ctx, command))
  return composer
}

/** Whether a message is a question with a file that a text model can read. */
const isQuestion = (message: Message): boolean =>
  visible(message.caption ?? '') !== '' && !/^(video|audio)$/.test(attachmentOf(message)?.medium ?? '')

async function useFile(deps: BotDeps, ctx: Ctx, command: Command): Promise<void> {
  const offer = await tappedNote(deps, ctx, fileOffer)
  if (!offer) return alertForeign(ctx)
  await answerTap(ctx)
  await deleteTapped(ctx)
  await openModel(deps, ctx, command, offer.words, offer.file)
}

async function openByCommand(
  deps: BotDeps,
  ctx: Ctx,
  command: Command,
  message: Message,
  words: string,
): Promise<void> {
  const { prompt, file, isUnused } = await givenWith(deps, command, message, words)
  if (isUnused) await reply(ctx, ctx.say.html('file-not-used'))
  await tellAlbum(deps, ctx, message, 'album-on-card')
  await openModel(deps, ctx, command, prompt, file)
}

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
  const { file = undefined } = other.text === '' || takes(deps, command, other.file) ? other : {}
  return { prompt: file && !quote?.is_manual ? '' : other.text, file, isUnused }
}

/** The file of a message that goes into a field, and its words; without words, those in a text file. */
async function partsOf({ files }: BotDeps, message: Referred, words: string) {
  const text = words || (await readTextFile(files, message.document)) || ''
  return { file: await attachmentIn(files, message), text }
}

const takes = (deps: BotDeps, command: Command, file: Attachment | undefined): boolean =>
  file !== undefined && deps.catalog.offered(command).some((model) => firstFor(deps, model, {}, file))

export async function openModel(
  deps: BotDeps,
  ctx: Ctx,
  command: Command,
  prompt: string,
  file: Attachment | undefined,
): Promise<void> {
  const location = locationOf(ctx)
  const offered = deps.catalog.offered(command)
  const off = await switchedOff(deps.db)
  const onSale = offered.filter(({ id }) => !off.has(modelSwitch(id)))
  // When all models are switched off, the card says so.
  const model = onSale.find((one) => !file || firstFor(deps, one, {}, file)) ?? onSale[0] ?? offered[0]
  if (!location || !model) return
  const wanted = offered.find((one) => !file || firstFor(deps, one, {}, file)) ?? model
  if (wanted.id !== model.id) await tellReplaced(ctx, wanted, model)
  const written = await readPrompt(ctx, model, prompt)
  const answers = file ? await withFile(deps, ctx, model, written.answers, file) : written.answers
  const begun = { user: ctx.user, updateId: ctx.update.update_id, location, model, answers }
  const draft = await startDraft(deps, { ...begun, unfitPrompt: written.unfit })
  // In groups the bot sees only replies to its messages: a question can demand a reply, a step of the guide cannot.
  if (visible(prompt) === '' && ctx.chat?.type === 'private') return beginGuide(deps, ctx, draft)
  await continueDraft(deps, ctx, draft, model)
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

async function withFile(
  deps: BotDeps,
  ctx: Ctx,
  model: Model,
  answers: Answers,
  file: Attachment,
): Promise<Answers> {
  const field = firstFor(deps, model, answers, file)
  if (!field) {
    await reply(ctx, ctx.say.html('file-not-used'))
    return answers
  }
  const read = attach(field, undefined, file)
  if (read.ok) return { ...answers, [field.name]: read.answer }
  await reply(ctx, refusalText(ctx.say, read.refusal, field))
  return answers
}

/** The first field of a model that takes this file. */
function firstFor({ media }: BotDeps, model: Model, answers: Answers, { medium }: Attachment) {
  return model.fields
    .filter((field) => field.kind === 'media')
    .filter((field) => field.media[0] === medium && (field.via === 'data' || media.link !== undefined))
    .find((field) => isPossible(model, field, answers))
}

/** Offers what can be made of a file without a caption. */
async function offerUses(
  deps: BotDeps,
  ctx: Ctx,
  message: Message,
  next: () => Promise<void>,
): Promise<void> {
  const file = await attachmentIn(deps.files, message)
  const uses = offeredCommands(deps.catalog).filter((command) =>
    deps.catalog.offered(command).some((model) => file && firstFor(deps, model, {}, file)),
  )
  const isPicture = file?.medium === 'image'
  if (isPicture && !isTakenPicture(file.mime)) return reply(ctx, ctx.say.html('refusal-picture-format'))
  const asking = file && isPicture ? await askingAbout(deps, ctx, file) : {}
  if (!file || (uses.length === 0 && !asking.button)) return next()
  const { say } = ctx
  const keyboard = new InlineKeyboard()
  if (asking.button) keyboard.text(asking.button, taps.askPicture.data()).row()
  for (const command of uses) {
    keyboard.text(say.plain(`use-${command}`), taps.useFile.data({ command })).row()
  }
  const { message_id: messageId, caption: words = '' } = message
  const lines = [
    say.html(message.voice ? 'voice-uses' : isPicture ? 'picture-uses' : 'file-uses'),
    ...(isPicture && uses.includes('model3d') ? [say.html('picture-in-3d')] : []),
    ...(asking.line ? [asking.line] : []),
  ]
  const sent = await ctx.reply(lines.join('\n\n'), {
    parse_mode: 'HTML',
    reply_markup: keyboard,
    ...replyTo(messageId),
  })
  await writeNote(deps, sent, { kind: fileOffer, userId: ctx.user.id, about: { file, words, messageId } })
}

/** Asks for what is missing, or shows the card. In a group only the card can offer to rewrite a prompt that does not fit. */
export async function continueDraft(deps: BotDeps, ctx: Ctx, draft: Draft, model: Model): Promise<void> {
  const missing = missingField(model, draft.answers)
  const isOnCard = ctx.chat?.type !== 'private' && unfitOf(deps, model, draft)?.offer !== undefined
  if (missing?.audience === 'asked' && !isOnCard) return askField(deps, ctx, draft, missing.name)
  await sendCard(deps, ctx.api, draft, ctx.say)
}

/** @param turnsOn a toggle that the answer switches on */
export async function askField(
  deps: BotDeps,
  ctx: Ctx,
  draft: Draft,
  fieldName: string,
  turnsOn?: string,
): Promise<void> {
  const model = deps.catalog.find(draft.modelId)
  const answers = turnsOn === undefined ? draft.answers : { ...draft.answers, [turnsOn]: true }
  const field = model && settingAt(model, model.complete(answers), fieldName)?.field
  if (!field) return
  const kept = field.audience === 'asked' ? draft.unfitPrompt : null
  const why = kept === null ? undefined : whyUnfit(model, answers, kept)
  const was = draft.answers[fieldName] ?? kept
  const args: AskArgs = {
    draftId: draft.id,
    modelId: draft.modelId,
    fieldName,
    userId: String(draft.userId),
    locale: ctx.say.locale,
    label: labelOf(field, ctx.say),
    ...(field.hint ? { hint: ctx.say.label(field.hint) } : {}),
    ...(typeof was === 'string' ? { was } : {}),
    ...(why ? { why: refusalText(ctx.say, why, field) } : {}),
    ...(turnsOn === undefined ? {} : { turnsOn }),
  }
  await ctx.conversation.enter(askName, args)
}
