// /broadcast in reply to a message, or followed by the message that it asks for: shows the message as it would be sent, and below it a card
// with the audience, the button and the time, each with buttons that change it. The buttons only write rows; the broadcaster sends.

import { type Api, GrammyError, InlineKeyboard } from 'grammy'
import type { Catalog } from '../../catalog/catalog.ts'
import { visible } from '../../catalog/fields.ts'
import { countRecipients } from '../../operator/audience.ts'
import {
  audiences,
  type Broadcast,
  type Copied,
  createBroadcast,
  findBroadcast,
  readReaction,
  readStart,
  recentBroadcasts,
  type Settings,
  setBroadcast,
  stepBroadcast,
} from '../../operator/broadcasts.ts'
import { knownSources } from '../../operator/sources.ts'
import { localTime } from '../../runtime/clock.ts'
import { taps } from '../../telegram/taps.ts'
import { isLocale, localeName, locales, messageLimit, type Say } from '../../texts.ts'
import { setNews } from '../../users/user.ts'
import { chosenText } from '../cards/card-view.ts'
import { isCommand } from '../commands.ts'
import {
  alert,
  alertForeign,
  answerTap,
  type BotDeps,
  type Ctx,
  isButtonOfMessage,
  redraw,
  reply,
} from '../context.ts'
import { asCommand } from '../groups/groups.ts'
import { onTap, type Routes } from '../routes.ts'
import { ask, type Given } from './operator.ts'

type Step = Parameters<typeof taps.stepBroadcast.data>[0]['step']

export const broadcast = (deps: BotDeps): Routes => ({
  commands: {
    async broadcast(ctx) {
      const source = ctx.msg.reply_to_message
      const wrong = source && (await propose(deps, ctx, source.message_id))
      if (wrong !== undefined) return reply(ctx, wrong)
      if (source) return
      await showRecent(deps, ctx)
      await ask(deps, ctx, 'broadcast', '', ctx.say.html('admin-ask-broadcast'))
    },
  },
  taps: [
    onTap(taps.broadcast, (ctx, { broadcastId }) => refresh(deps, ctx, broadcastId)),
    onTap(taps.stepBroadcast, (ctx, { broadcastId, step }) => take(deps, ctx, broadcastId, step)),
    onTap(taps.setAudience, async (ctx, { broadcastId, audience }) => {
      await setBroadcast(deps, broadcastId, { audience })
      await refresh(deps, ctx, broadcastId)
    }),
    onTap(taps.setSpeakers, async (ctx, { broadcastId, spoken }) => {
      await setBroadcast(deps, broadcastId, { language: spoken === 'any' ? null : spoken })
      await refresh(deps, ctx, broadcastId)
    }),
    onTap(taps.askBroadcast, async (ctx, { broadcastId, setting }) => {
      if ((await findBroadcast(deps.db, broadcastId))?.state !== 'draft')
        return refresh(deps, ctx, broadcastId)
      await answerTap(ctx)
      const facts = { zone: deps.operator.timeZone, names: await namesOfSources(deps) }
      const html = ctx.say.html(`admin-ask-broadcast-${setting}`, facts)
      await ask(deps, ctx, 'broadcast_set', `${broadcastId} ${setting}`, html)
    }),
  ],
})

const maxNames = 30
const namesOfSources = async ({ db }: BotDeps): Promise<string> =>
  (await knownSources(db)).slice(0, maxNames).join(', ')

/** Shows the answer to the question as it would be sent. @returns why it cannot be sent, in HTML */
export async function proposeAnswer(deps: BotDeps, ctx: Ctx): Promise<string | undefined> {
  if (ctx.msgId === undefined) return undefined
  const { text: { length } = '', rich_message: rich } = ctx.msg ?? {}
  // A longer text was joined from several messages, and a broadcast copies one.
  if (length > messageLimit && !rich)
    return ctx.say.html('admin-broadcast-too-long', { length, most: messageLimit })
  return propose(deps, ctx, ctx.msgId)
}

/**
 * Shows what would be sent, and to how many people.
 * @param messageId a message of this chat
 * @returns why it cannot be sent, in HTML
 */
async function propose(deps: BotDeps, ctx: Ctx, messageId: number): Promise<string | undefined> {
  const { chatId } = ctx
  if (chatId === undefined) return undefined
  const created = await createBroadcast(deps, { chatId, messageId })
  if (!(await preview(ctx, created))) return ctx.say.html('admin-broadcast-no-copy')
  return showCard(deps, ctx, created)
}

/** @returns whether Telegram takes the message with its button */
const preview = (ctx: Ctx, one: Broadcast): Promise<boolean> =>
  ctx.api
    .copyMessage(one.chatId, one.chatId, one.messageId, { reply_markup: keyboardBelow(ctx.say, one) })
    .then(
      () => true,
      () => false,
    )

async function showCard(deps: BotDeps, ctx: Ctx, one: Broadcast): Promise<undefined> {
  const { html, keyboard } = await cardOf(deps, ctx.say, one)
  await reply(ctx, html, keyboard)
}

/** The broadcasts that wait or are under way, and those that people still react to. */
async function showRecent(deps: BotDeps, ctx: Ctx): Promise<void> {
  const keyboard = new InlineKeyboard()
  for (const one of await recentBroadcasts(deps, 5)) {
    const at = localTime(one.startedAt ?? one.startAt ?? one.createdAt, deps.operator.timeZone)
    const text = `${at} · ${ctx.say.plain(`broadcast-state-${one.state}`)}`
    keyboard.text(text, taps.broadcast.data({ broadcastId: one.id })).row()
  }
  if (keyboard.inline_keyboard.length > 1) await reply(ctx, ctx.say.html('admin-broadcasts'), keyboard)
}

async function take(deps: BotDeps, ctx: Ctx, id: string, step: Step): Promise<void> {
  const one = await findBroadcast(deps.db, id)
  if (one?.state === 'draft' && (step === 'ask' || step === 'start')) {
    const isPast = one.startAt !== null && one.startAt <= deps.clock.now()
    if (isPast) return alert(ctx, ctx.say.plain('admin-broadcast-past'))
    if ((await countRecipients(deps, one)) === 0) return alert(ctx, ctx.say.plain('admin-broadcast-nobody'))
  }
  if (step !== 'ask') await stepBroadcast(deps, ctx.from?.id ?? null, id, step)
  await refresh(deps, ctx, id, step === 'ask')
}

async function refresh(deps: BotDeps, ctx: Ctx, id: string, isAsking = false): Promise<void> {
  deps.broadcaster.nudge()
  await answerTap(ctx)
  const found = await findBroadcast(deps.db, id)
  if (!found) return
  const { html, keyboard } = await cardOf(deps, ctx.say, found, isAsking)
  await redraw(ctx, html, keyboard)
}

// The answers to the questions for one setting of a broadcast. A hyphen takes the setting away.

/** @returns why the answer is not taken, in HTML */
export async function setByWords(deps: BotDeps, ctx: Ctx, { words }: Given): Promise<string | undefined> {
  const { say } = ctx
  const [, id = '', setting = '', typed = ''] = /^([a-z0-9]{10}) ([a-z]+)\s*(.*)$/s.exec(words) ?? []
  const one = await findBroadcast(deps.db, id)
  if (one?.state !== 'draft') return void (await reply(ctx, say.html('admin-broadcast-begun')))
  const to = await read(deps, say, setting, typed.trim())
  if (typeof to === 'string') return to
  const changed = { ...one, ...to }
  if (to.buttonTo && !(await preview(ctx, changed))) return say.html('admin-broadcast-no-button')
  await setBroadcast(deps, id, to)
  return showCard(deps, ctx, changed)
}

/** @returns the change, or why the words are not taken, in HTML */
async function read(deps: BotDeps, say: Say, setting: string, typed: string): Promise<Settings | string> {
  const isNone = /^[-–—]$/.test(typed)
  switch (setting) {
    case 'source':
      return isNone ? { source: null } : readSource(deps, say, typed)
    case 'days':
      return /^[1-9]\d{0,2}$/.test(typed)
        ? { audience: 'quiet', quietDays: Number(typed) }
        : say.html('admin-broadcast-no-days')
    case 'button':
      if (isNone) return { buttonText: null, buttonTo: null }
      return readButton(deps, typed) ?? say.html('admin-broadcast-no-button')
    default: {
      const startAt = isNone ? null : readStart(typed, deps.clock.now(), deps.operator.timeZone)
      if (startAt === null || startAt instanceof Date) return { startAt }
      return say.html(startAt === 'outside' ? 'admin-broadcast-outside' : 'admin-broadcast-no-time')
    }
  }
}

async function readSource(deps: BotDeps, say: Say, source: string): Promise<Settings | string> {
  if ((await knownSources(deps.db)).includes(source)) return { source }
  return say.html('admin-broadcast-no-source', { source, names: await namesOfSources(deps) })
}

/** Its text, and behind it a link or a command. A command may not spend money at once, since a button does not tell its price. */
function readButton(
  { catalog }: { readonly catalog: Catalog },
  typed: string,
): Pick<Settings, 'buttonText' | 'buttonTo'> | undefined {
  const [, buttonText = '', to = ''] =
    /^(.{1,40}?)\s+(https?:\/\/\S+|t\.me\/\S+|\/[a-z]\w*(?:\s.*)?)$/is.exec(typed) ?? []
  if (visible(buttonText) === '') return undefined
  const [, name = '', words = ''] = /^\/(\w+)\s*(.*)$/s.exec(to) ?? []
  const command = name.toLowerCase()
  if (name === '') {
    const link = to.startsWith('t.me/') ? `https://${to}` : to
    const isLink = URL.canParse(link) && new URL(link).hostname.includes('.')
    return isLink ? { buttonText, buttonTo: link } : undefined
  }
  const spends = command === 'retry' || (command === 'chat' && words !== '')
  if (spends || !isCommand(catalog, command)) return undefined
  return { buttonText, buttonTo: `/${command} ${words}`.trim() }
}

// The card.

type CardDeps = Pick<BotDeps, 'db' | 'clock'> & { readonly operator: Pick<BotDeps['operator'], 'timeZone'> }

/** @param isAsking whether it asks to confirm the start */
export async function cardOf(deps: CardDeps, say: Say, one: Broadcast, isAsking = false) {
  const { id, state, quietDays, language, source, buttonText, buttonTo, sent, failed } = one
  const isOver = state === 'done' || state === 'stopped'
  const left = isOver ? 0 : await countRecipients(deps, one)
  const to = [
    say.plain(`audience-${one.audience}`, { days: quietDays }),
    ...(language !== null && isLocale(language) ? [localeName(language)] : []),
    ...(source === null ? [] : [say.plain('audience-source', { source })]),
  ]
  const lines = [
    say.html('admin-broadcast', { id, state: say.plain(`broadcast-state-${state}`), to: to.join(' · ') }),
    ...(buttonText && buttonTo
      ? [say.html('admin-broadcast-button', { text: buttonText, to: buttonTo })]
      : []),
  ]
  if (one.startedAt) {
    lines.push(say.html('admin-broadcast-sent', { sent, failed, left }))
    lines.push(say.html('admin-broadcast-reaction', { ...(await readReaction(deps.db, id)) }))
  } else if (!isOver) {
    const { timeZone } = deps.operator
    const time = one.startAt ? `${localTime(one.startAt, timeZone)} (${timeZone})` : 'now'
    lines.push(say.html('admin-broadcast-before', { left, time }))
    if (isAsking) lines.push('', say.html('admin-broadcast-ask', { time }))
  }
  return { html: lines.join('\n'), keyboard: isAsking ? askKeyboard(say, one) : keyboardOf(say, one) }
}

function askKeyboard(say: Say, { id: broadcastId }: Broadcast): InlineKeyboard {
  return new InlineKeyboard()
    .text(say.plain('admin-button-yes'), taps.stepBroadcast.data({ broadcastId, step: 'start' }))
    .primary()
    .text(say.plain('admin-button-no'), taps.broadcast.data({ broadcastId }))
}

function keyboardOf(say: Say, one: Broadcast): InlineKeyboard {
  const { id: broadcastId, state } = one
  const keyboard = new InlineKeyboard()
  const add = (text: string, step: Step) =>
    keyboard.text(text, taps.stepBroadcast.data({ broadcastId, step }))
  if (state === 'draft') add(say.plain('admin-button-send'), 'ask').primary()
  if (state === 'scheduled') add(say.plain('admin-button-edit'), 'edit')
  if (state === 'paused') add(say.plain('admin-button-resume'), 'start')
  if (state === 'running') add(say.plain('admin-button-pause'), 'pause')
  if (state !== 'done' && state !== 'stopped') add(say.plain(`admin-button-stop-${state}`), 'stop')
  if (state === 'draft') return addSettings(keyboard.row(), say, one)
  const refreshed = taps.broadcast.data({ broadcastId })
  return one.startedAt ? keyboard.row().text(say.plain('admin-button-refresh'), refreshed) : keyboard
}

function addSettings(keyboard: InlineKeyboard, say: Say, one: Broadcast): InlineKeyboard {
  const { id: broadcastId, quietDays: days } = one
  const asks = (setting: 'source' | 'days' | 'button' | 'time') =>
    keyboard.text(
      say.plain(`admin-button-broadcast-${setting}`, { days }),
      taps.askBroadcast.data({ broadcastId, setting }),
    )
  for (const [at, audience] of audiences.entries()) {
    if (at % 2 === 0) keyboard.row()
    const text = chosenText(say.plain(`audience-${audience}`, { days }), audience === one.audience)
    keyboard.text(text, taps.setAudience.data({ broadcastId, audience }))
  }
  keyboard.row()
  for (const language of ['any', ...locales] as const) {
    const name = language === 'any' ? say.plain('audience-any-language') : localeName(language)
    const text = chosenText(name, language === (one.language ?? 'any'))
    keyboard.text(text, taps.setSpeakers.data({ broadcastId, spoken: language }))
  }
  keyboard.row()
  asks('days')
  asks('source')
  keyboard.row()
  asks('button')
  asks('time')
  return keyboard
}

// What stands below every broadcast: the operator's button, and the one that switches broadcasts off.

function keyboardBelow(say: Say, { id: broadcastId, buttonText, buttonTo }: Broadcast): InlineKeyboard {
  const keyboard = new InlineKeyboard()
  if (buttonText && buttonTo?.startsWith('/'))
    keyboard.text(buttonText, taps.runCommand.data({ broadcastId }))
  else if (buttonText && buttonTo) keyboard.url(buttonText, buttonTo)
  return keyboard.row().append(newsKeyboard(say, true))
}

/** @param isOn whether the user gets broadcasts */
const newsKeyboard = (say: Say, isOn: boolean): InlineKeyboard => {
  const to = isOn ? 'off' : 'on'
  return new InlineKeyboard().text(say.plain(`button-news-${to}`), taps.setNews.data({ to }))
}

export const news = (deps: BotDeps): Routes => ({
  taps: [
    onTap(taps.setNews, async (ctx, { to }) => {
      if (!isButtonOfMessage(ctx)) return alertForeign(ctx)
      const isOn = to === 'on'
      await setNews(deps.db, ctx.user.id, isOn, deps.clock.now())
      await answerTap(ctx, ctx.say.plain(`news-${to}`))
      const { message } = ctx.callbackQuery
      const rows = (message && 'reply_markup' in message && message.reply_markup?.inline_keyboard) || []
      const keyboard = InlineKeyboard.from(rows.slice(0, -1)).append(newsKeyboard(ctx.say, isOn))
      await ctx.editMessageReplyMarkup({ reply_markup: keyboard }).catch(() => undefined)
    }),
  ],
})

/** Installed before the commands: the button of a broadcast is handled as the command that it stands for. */
export const commandButtons = (deps: BotDeps): Routes => ({
  taps: [
    onTap(taps.runCommand, async (ctx, { broadcastId }, next) => {
      const found = isButtonOfMessage(ctx) ? await findBroadcast(deps.db, broadcastId) : undefined
      const message = ctx.callbackQuery.message
      if (!found?.buttonTo?.startsWith('/') || !message) return alertForeign(ctx)
      await answerTap(ctx)
      const date = Math.floor(deps.clock.now().getTime() / 1000)
      await asCommand(ctx, { message_id: message.message_id, date }, found.buttonTo, next)
    }),
  ],
})

// Sending.

export async function copyBroadcast(api: Api, say: Say, one: Broadcast, to: number): Promise<Copied> {
  try {
    await api.copyMessage(to, one.chatId, one.messageId, { reply_markup: keyboardBelow(say, one) })
    return 'sent'
  } catch (error) {
    return outcomeOfCopy(error)
  }
}

/** A request without an answer may have sent the message; it is repeated, since a second copy is better than none. */
function outcomeOfCopy(error: unknown): Copied {
  if (!(error instanceof GrammyError)) return { again: 'later' }
  const { error_code: code, description, parameters } = error
  if (code === 429) return { again: 'later', afterMs: (parameters.retry_after ?? 1) * 1000 }
  if (code >= 500 || code === 401) return { again: 'later' }
  return /message to copy not found|can't be copied|MESSAGE_ID_INVALID/i.test(description)
    ? 'no-source'
    : 'unreachable'
}
