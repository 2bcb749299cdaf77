// Answers what no feature handled: replies to questions that are closed, outdated buttons, unknown commands, plain text.

import { Composer, InlineKeyboard, type MiddlewareFn } from 'grammy'
import type { Message } from 'grammy/types'
import { visible } from '../../catalog/fields.ts'
import { cutWithEllipsis, nearest } from '../../runtime/text.ts'
import { noteAt, writeNote } from '../../telegram/message-notes.ts'
import { taps } from '../../telegram/taps.ts'
import { wordsIn } from '../../telegram/words.ts'
import { fileOffer } from '../cards/attachment.ts'
import { offeredCommands, suggestedCommands } from '../commands.ts'
import {
  alertForeign,
  alertStale,
  answerTap,
  type BotDeps,
  type Ctx,
  deleteTapped,
  reply,
  send,
} from '../context.ts'
import { asksInConversation, isAddressed, questionSuffix, repliedTo } from '../notes.ts'
import { hasOpenQuestion } from '../question.ts'

/** Installed after all handlers that take answers, and before text models: an answer from them costs money. */
export const closedQuestions =
  (deps: BotDeps): MiddlewareFn<Ctx> =>
  async (ctx, next) => {
    const { message } = ctx
    const replied = message && !wordsIn(message).startsWith('/') ? repliedTo(message) : undefined
    const note = replied && (await noteAt(deps, replied))
    if (!note?.kind.endsWith(questionSuffix)) return next()
    await reply(ctx, ctx.say.html('question-closed'))
  }

/** Answers a tap on the Stop button of a question. If that question was open, the tap has already closed it; another one stays open. */
export async function stopAsking(deps: BotDeps, ctx: Ctx): Promise<void> {
  const note = await noteAt(deps, ctx.callbackQuery?.message)
  if (note?.userId !== ctx.user.id || !asksInConversation(note.kind)) return alertForeign(ctx)
  await answerTap(ctx, ctx.say.plain(hasOpenQuestion(ctx) ? 'question-closed-before' : 'asking-stopped'))
  await deleteTapped(ctx)
}

export function fallback(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  composer.on('callback_query', alertStale)
  // Only in private chats: in groups the bot answers nothing that is not addressed to it.
  composer
    .chatType('private')
    .on(['message:text', 'message:file'], (ctx) => answerUnknown(deps, ctx, ctx.message))
  composer.on('message', (ctx, next) => {
    const isPrivate = ctx.chat.type === 'private'
    const isUnknown = !ctx.has(['message:text', 'message:file']) && !isSilent(ctx.message)
    if (!isUnknown || !(isPrivate || isAddressed(deps, ctx))) return next()
    return reply(ctx, ctx.say.html('other-content'))
  })
  return composer
}

async function answerUnknown(deps: BotDeps, ctx: Ctx, message: Message): Promise<void> {
  const { say } = ctx
  const [all = '', typed] = /^\/([\p{L}\p{N}_]*)/u.exec(wordsIn(message)) ?? []
  if (typed === undefined)
    return reply(ctx, say.html((message.voice ?? message.video_note) ? 'voice-unheard' : 'plain-talk'))
  const command = similarCommand(typed.toLowerCase(), suggestedCommands(deps))
  if (!command) return reply(ctx, say.html('unknown-command'))
  const order = offeredCommands(deps.catalog).find((one) => one === command)
  const words = visible(wordsIn(message).slice(all.length))
  if (!order || words === '' || ctx.has('message:file'))
    return reply(ctx, say.html('similar-command', { command }))
  const label = cutWithEllipsis(`/${command} ${words}`, longestLabel)
  const keyboard = new InlineKeyboard().text(label, taps.useWords.data({ command: order }))
  const sent = await send(ctx, say.html('similar-command', { command }), keyboard)
  const about = { words, command: order, messageId: message.message_id }
  await writeNote(deps, sent, { kind: fileOffer, userId: ctx.user.id, about })
}

/** Code points of a label that a phone shows. */
const longestLabel = 30

/**
 * The fields of service messages, which need no answer: they tell what has become of a chat, a topic, a poll or a payment. Any other content
 * that no handler took is answered, also one that Telegram will add.
 */
const service =
  /^(pinned_message|delete_chat_photo|left_chat_member|connected_website|(new_chat|migrate|community_chat|chat_owner|(general_)?forum_topic|video_chat|checklist_tasks|poll_option)_\w+|\w+_(changed|set|created|allowed|triggered|payment))$/

export const isSilent = (message: Message): boolean =>
  Object.keys(message).some((field) => service.test(field))

// Suggests a command for an unknown one: a misspelling (`/vidoe`), an abbreviation (`/img`), or the name that other bots use (`/3d`, `/pay`), or a
// Russian name (`/видео`).

const synonyms: ReadonlyMap<string, string> = new Map(
  Object.entries({
    image: [
      'photo',
      'pic',
      'picture',
      'draw',
      'imagine',
      'картинка',
      'картинку',
      'фото',
      'рисунок',
      'нарисуй',
    ],
    video: ['видео', 'ролик', 'клип'],
    speech: ['voice', 'tts', 'say', 'озвучка', 'озвучь', 'голос', 'речь'],
    dialogue: ['диалог'],
    music: ['song', 'sing', 'музыка', 'песня', 'песню'],
    model3d: ['3d', '3д', 'модель'],
    chat: ['ai', 'ask', 'gpt', 'вопрос', 'спроси', 'чат'],
    new: ['reset', 'clear', 'новый', 'сброс'],
    prices: ['price', 'cost', 'tariffs', 'цены', 'цена', 'тарифы'],
    balance: ['баланс', 'деньги'],
    topup: ['pay', 'buy', 'deposit', 'пополнить', 'оплата', 'оплатить'],
    history: ['orders', 'gallery', 'история', 'заказы'],
    favourites: ['favorites', 'избранное'],
    settings: ['lang', 'language', 'настройки', 'язык'],
    help: ['помощь', 'команды'],
    cancel: ['stop', 'exit', 'отмена', 'стоп'],
  }).flatMap(([command, names]) => names.map((name) => [name, command])),
)

/** @param typed without the slash @returns undefined when no command resembles it, or several do equally */
export function similarCommand(typed: string, commands: readonly string[]): string | undefined {
  const synonym = synonyms.get(typed)
  if (synonym && commands.includes(synonym)) return synonym
  return nearest(typed, commands)
}
