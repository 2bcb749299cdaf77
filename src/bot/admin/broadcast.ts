// /broadcast in reply to a message, or followed by the message that it asks for: shows the message as it would be sent, and below it a card
// with the audience, the button and the time, each with buttons that change it. The handlers only store the broadcast; the background broadcaster sends it.

import { type Api, GrammyError, InlineKeyboard } from 'grammy'
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
import { changeUser } from '../../users/user.ts'
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
    onTap(taps.setAudience, (ctx, { broadcastId, audience }) => set(deps, ctx, broadcastId, { audience })),
    onTap(taps.setSpeakers, (ctx, { broadcastId, spoken }) =>
      set(deps, ctx, broadcastId, { language: spoken === 'any' ? null : spoken }),
    ),
    onTap(taps.askBroadcast, async (ctx, { broadcastId, setting }) => {
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
  const { text: { length } = '', rich_message: rich } = ctx.msg ?? {}
  // A longer text was joined from several messages, and a broadcast copies one.
  if (length > messageLimit && !rich)
    return ctx.say.html('admin-broadcast-too-long', { length, most: messageLimit })
  return propose(deps, ctx, ctx.msgId ?? 0)
}

/** Shows a message of this chat as it would be sent, and to how many people. @returns why it cannot be sent, in HTML */
async function propose(deps: BotDeps, ctx: Ctx, messageId: number): Promise<string | undefined> {
  const { chatId = 0 } = ctx
  const created = await createBroadcast(deps, { chatId, messageId })
  if (!(await preview(ctx, created))) return ctx.say.html('admin-broadcast-no-copy')
  return showCard(deps, ctx, created)
}

/** @returns whether Telegram takes the message with its button */
const preview = async ({ api, say }: Ctx, one: Broadcast): Promise<boolean> =>
  (await copyBroadcast(api, say, one, one.chatId)) === 'sent'

async function showCard(deps: BotDeps, ctx: Ctx, one: Broadcast): Promise<undefined> {
  const { html, keyboard } = await cardOf(deps, ctx.say, one)
  await reply(ctx, html, keyboard)
}

/** The broadcasts that wait or are under way, and those that people still react to. */
async function showRecent(deps: BotDeps, ctx: Ctx): Promise<void> {
  const rows = (await recentBroadcasts(deps, 5)).map((one) => {
    const at = localTime(one.startedAt ?? one.startAt ?? one.createdAt, deps.operator.timeZone)
    const text = `${at} · ${ctx.say.plain(`broadcast-state-${one.state}`)}`
    return [InlineKeyboard.text(text, taps.broadcast.data({ broadcastId: one.id }))]
  })
  if (rows.length > 0) await reply(ctx, ctx.say.html('admin-broadcasts'), InlineKeyboard.from(rows))
}

async function set(deps: BotDeps, ctx: Ctx, id: string, to: Settings): Promise<void> {
  await setBroadcast(deps, id, to)
  await refresh(deps, ctx, id)
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
  if (to.button && !(await preview(ctx, changed))) return say.html('admin-broadcast-no-button')
  await setBroadcast(deps, id, to)
  return showCard(deps, ctx, changed)
}

const without: Readonly<Record<string, Settings>> = {
  source: { source: null },
  button: { button: null },
  time: { startAt: null },
}

/** @returns the change, or why the words are not taken, in HTML */
async function read(deps: BotDeps, say: Say, setting: string, typed: string): Promise<Settings | string> {
  const none = /^[-–—]$/.test(typed) ? without[setting] : undefined
  if (none) return none
  if (setting === 'source') {
    if ((await knownSources(deps.db)).includes(typed)) return { source: typed }
    return say.html('admin-broadcast-no-source', { source: typed, names: await namesOfSources(deps) })
  }
  if (setting === 'days') {
    const isNumber = /^[1-9]\d{0,2}$/.test(typed)
    return isNumber ? { audience: 'quiet', quietDays: Number(typed) } : say.html('admin-broadcast-no-days')
  }
  if (setting === 'button') {
    const button = readButton(deps, typed)
    return button ? { button } : say.html('admin-broadcast-no-button')
  }
  const startAt = readStart(typed, deps.clock.now(), deps.operator.timeZone)
  if (startAt instanceof Date) return { startAt }
  return say.html(startAt === 'outside' ? 'admin-broadcast-outside' : 'admin-broadcast-no-time')
}

/** Its text, and behind it a link or a command. A command may not spend money at once, since a button does not tell its price. */
function readButton({ catalog }: Pick<BotDeps, 'catalog'>, typed: string): Broadcast['button'] | undefined {
  const [, text = '', to = '', name, words = ''] =
    /^(.{1,40}?)\s+(https?:\/\/\S+|t\.me\/\S+|\/(\w+)(?:\s+(.+))?)$/is.exec(typed) ?? []
  if (visible(text) === '') return undefined
  if (name === undefined) {
    const link = to.startsWith('t.me/') ? `https://${to}` : to
    return URL.canParse(link) && new URL(link).hostname.includes('.') ? { text, to: link } : undefined
  }
  const command = name.toLowerCase()
  const spends = command === 'retry' || (command === 'chat' && words !== '')
  return spends || !isCommand(catalog, command) ? undefined : { text, to: `/${command} ${words}`.trim() }
}

// The card.

type CardDeps = Pick<BotDeps, 'db' | 'clock'> & { readonly operator: Pick<BotDeps['operator'], 'timeZone'> }

/** @param isAsking whether it asks to confirm the start */
export async function cardOf(deps: CardDeps, say: Say, one: Broadcast, isAsking = false) {
  const { id, state, quietDays, language, source, button, sent, failed } = one
  const isOver = state === 'done' || state === 'stopped'
  const left = isOver ? 0 : await countRecipients(deps, one)
  const to = [
    say.plain(`audience-${one.audience}`, { days: quietDays }),
    ...(language !== null && isLocale(language) ? [localeName(language)] : []),
    ...(source === null ? [] : [say.plain('audience-source', { source })]),
  ]
  const lines = [
    say.html('admin-broadcast', { id, state: say.plain(`broadcast-state-${state}`), to: to.join(' · ') }),
    ...(button ? [say.html('admin-broadcast-button', button)] : []),
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
  return { html: lines.join('\n'), keyboard: keyboardOf(say, one, isAsking) }
}

function keyboardOf(say: Say, one: Broadcast, isAsking: boolean): InlineKeyboard {
  const { id: broadcastId, state } = one
  const keyboard = new InlineKeyboard()
  const shown = taps.broadcast.data({ broadcastId })
  const add = (text: string, step: Step) =>
    keyboard.text(text, taps.stepBroadcast.data({ broadcastId, step }))
  if (isAsking) {
    add(say.plain('admin-button-yes'), 'start').primary()
    return keyboard.text(say.plain('admin-button-no'), shown)
  }
  if (state === 'draft') add(say.plain('admin-button-send'), 'ask').primary()
  if (state === 'scheduled') add(say.plain('admin-button-edit'), 'edit')
  if (state === 'paused') add(say.plain('admin-button-resume'), 'start')
  if (state === 'running') add(say.plain('admin-button-pause'), 'pause')
  if (state !== 'done' && state !== 'stopped') add(say.plain(`admin-button-stop-${state}`), 'stop')
  if (state === 'draft') return keyboard.append(settingsOf(say, one))
  return one.startedAt ? keyboard.row().text(say.plain('admin-button-refresh'), shown) : keyboard
}

function settingsOf(say: Say, { id: broadcastId, quietDays: days, ...one }: Broadcast) {
  const asks = (setting: 'source' | 'days' | 'button' | 'time') => {
    const text = say.plain(`admin-button-broadcast-${setting}`, { days })
    return InlineKeyboard.text(text, taps.askBroadcast.data({ broadcastId, setting }))
  }
  const people = audiences.map((audience) => {
    const text = chosenText(say.plain(`audience-${audience}`, { days }), audience === one.audience)
    return InlineKeyboard.text(text, taps.setAudience.data({ broadcastId, audience }))
  })
  const speakers = (['any', ...locales] as const).map((spoken) => {
    const name = spoken === 'any' ? say.plain('audience-any-language') : localeName(spoken)
    const text = chosenText(name, spoken === (one.language ?? 'any'))
    return InlineKeyboard.text(text, taps.setSpeakers.data({ broadcastId, spoken }))
  })
  const asked = [
    [asks('days'), asks('source')],
    [asks('button'), asks('time')],
  ]
  return InlineKeyboard.from([people.slice(0, 2), people.slice(2), speakers, ...asked])
}

// What stands below every broadcast: the operator's button, and the one that switches broadcasts off.

function keyboardBelow(say: Say, { id: broadcastId, button }: Broadcast): InlineKeyboard {
  const keyboard = new InlineKeyboard()
  if (button?.to.startsWith('/')) keyboard.text(button.text, taps.runCommand.data({ broadcastId })).row()
  else if (button) keyboard.url(button.text, button.to).row()
  return addNews(keyboard, say, true)
}

/** @param isOn whether the user gets broadcasts */
const addNews = (keyboard: InlineKeyboard, say: Say, isOn: boolean): InlineKeyboard => {
  const to = isOn ? 'off' : 'on'
  return keyboard.text(say.plain(`button-news-${to}`), taps.setNews.data({ to }))
}

export const news = (deps: BotDeps): Routes => ({
  taps: [
    onTap(taps.setNews, async (ctx, { to }) => {
      if (!isButtonOfMessage(ctx)) return alertForeign(ctx)
      const isOn = to === 'on'
      await changeUser(deps.db, ctx.user.id, { newsOffAt: isOn ? null : deps.clock.now() })
      await answerTap(ctx, ctx.say.plain(`news-${to}`))
      const { message } = ctx.callbackQuery
      const rows = (message && 'reply_markup' in message && message.reply_markup?.inline_keyboard) || []
      const keyboard = addNews(InlineKeyboard.from(rows.slice(0, -1)).row(), ctx.say, isOn)
      await ctx.editMessageReplyMarkup({ reply_markup: keyboard }).catch(() => undefined)
    }),
  ],
})

/** Installed before the commands: the button of a broadcast is handled as the command that it stands for. */
export const commandButtons = (deps: BotDeps): Routes => ({
  taps: [
    onTap(taps.runCommand, async (ctx, { broadcastId }, next) => {
      const found = isButtonOfMessage(ctx) ? await findBroadcast(deps.db, broadcastId) : undefined
      if (!found?.button?.to.startsWith('/')) return alertForeign(ctx)
      await answerTap(ctx)
      const date = Math.floor(deps.clock.now().getTime() / 1000)
      await asCommand(ctx, { message_id: ctx.msgId ?? 0, date }, found.button.to, next)
    }),
  ],
})

// Sending.

export const copyBroadcast = (api: Api, say: Say, one: Broadcast, to: number): Promise<Copied> =>
  api
    .copyMessage(to, one.chatId, one.messageId, { reply_markup: keyboardBelow(say, one) })
    .then(() => 'sent', outcomeOfCopy)

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
