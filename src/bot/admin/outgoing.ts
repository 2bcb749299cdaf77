// Messages to operators that answer no update: about broadcasts and alarms.

import { type Api, GrammyError, InlineKeyboard } from 'grammy'
import type { Config } from '../../config.ts'
import type { Database } from '../../db/client.ts'
import type { Metrics } from '../../metrics.ts'
import { type AlarmReport, createAlarms } from '../../operator/alarms.ts'
import {
  audiences,
  type Broadcast,
  type Copied,
  countRecipients,
  createBroadcast,
  createBroadcaster,
  findBroadcast,
  setAudience,
  stepBroadcast,
} from '../../operator/broadcasts.ts'
import { allSettledWithin, type Clock, hourMs, localTime, minuteMs } from '../../runtime/clock.ts'
import type { Ids } from '../../runtime/ids.ts'
import { causesOf, type Log } from '../../runtime/log.ts'
import { createLoop, type Loop } from '../../runtime/loop.ts'
import { readStopFact, type Stop } from '../../sales/sales.ts'
import { htmlWithoutPreview } from '../../telegram/send.ts'
import { taps } from '../../telegram/taps.ts'
import { homeLocale, messageLimit, type Say, type Texts } from '../../texts.ts'
import { takeLeaderLease } from '../../updates/polling.ts'
import { createWebhookCheck } from '../../updates/webhook.ts'
import { setNews } from '../../users/user.ts'
import { chosenText } from '../cards/card-view.ts'
import {
  alertForeign,
  answerTap,
  type BotDeps,
  type Ctx,
  isButtonOfMessage,
  redraw,
  reply,
} from '../context.ts'
import { onTap, type Routes } from '../routes.ts'
import { createGroupNews, sayOf, tellOperators, trySend } from './group.ts'
import { ask } from './operator.ts'

interface Deps {
  readonly api: Api
  readonly db: Database
  readonly texts: Texts
  readonly log: Log
}

type LoopDeps = Deps & { readonly clock: Clock; readonly ids: Ids; readonly metrics: Metrics }

/** The background work for operators, in every process: broadcasts, alarms, and the news of their group. */
export function createOperatorLoops(deps: LoopDeps, { operator, updates }: Config) {
  const broadcaster = createBroadcaster({
    ...deps,
    copy: (broadcast, { telegramId, locale }) =>
      copy(deps.api, broadcast, telegramId, newsKeyboard(deps.texts(locale), true)),
    async ended(broadcast) {
      const { chatId } = broadcast
      const say = await sayOf(deps, chatId)
      await trySend(deps, () =>
        deps.api.sendMessage(chatId, broadcastText(say, broadcast, 0), htmlWithoutPreview),
      )
    },
  })
  const alarms = createAlarms({
    ...deps,
    tell: (report) => tellAlarm({ ...deps, operator }, report),
    webhookCheck: updates === 'webhook' ? createWebhookCheck(deps) : undefined,
  })
  return { broadcaster, alarms, groupNews: createGroupNews({ ...deps, operator }) }
}

async function copy(
  api: Api,
  { chatId, messageId }: Broadcast,
  to: number,
  keyboard: InlineKeyboard,
): Promise<Copied> {
  try {
    await api.copyMessage(to, chatId, messageId, { reply_markup: keyboard })
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

async function tellAlarm(deps: Deps & Pick<Config, 'operator'>, report: AlarmReport): Promise<boolean> {
  const { ids, chat, timeZone } = deps.operator
  // Without operators the log is the only place for an alarm: a retry would change nothing.
  if (ids.length === 0 && chat === undefined) return true
  return tellOperators(deps, 'alarms', ({ chatId, into, say }) =>
    deps.api.sendMessage(chatId, alarmText(say, report, timeZone), { ...htmlWithoutPreview, ...into }),
  )
}

/** What an alarm about sales is about, by the names that its texts use. */
const causeName = ({ cause }: Stop): string => cause.split(':', 1).join('')
function headOf(stop: Stop): string {
  if (stop.isStopped) return causeName(stop)
  return causeName(stop) === 'lost' ? 'losing' : 'suspected'
}

/** What to do, the model, the gateway's words or the server that has no file, and whether sales have stopped. */
function stopDetail(say: Say, stop: Stop): string {
  const { cause, said, isStopped } = stop
  const [, ...model] = cause.split(':')
  const isLost = causeName(stop) === 'lost'
  return [
    say.html('alarm-fact', { kind: 'sales', fact: causeName(stop) }),
    ...(model.length > 0 ? [say.html('alarm-model', { model: model.join(':') })] : []),
    ...(said === undefined ? [] : [say.html(isLost ? 'alarm-server' : 'failure-said', { said })]),
    ...(isStopped ? [] : [say.html(isLost ? 'alarm-losing' : 'alarm-suspected')]),
  ].join('\n')
}

function alarmText(say: Say, { is, kind, fact, since }: AlarmReport, timeZone: string): string {
  const stop = kind === 'sales' ? readStopFact(fact) : undefined
  const detail = { html: stop ? stopDetail(say, stop) : say.html('alarm-fact', { kind, fact }) }
  const facts = { kind, fact: stop ? headOf(stop) : fact, detail, since: localTime(since, timeZone) }
  if (is === 'begins') return say.html('alarm-begins', facts)
  return is === 'lasts' ? say.html('alarm-lasts', facts) : say.html('alarm-over', facts)
}

// Tells the operators that this process cannot write to the database. Alarms are rows of the database, so this message is sent without it.

const everyMs = 15_000
const answerMs = 10_000
const toleratedMs = minuteMs
/** How often the operators are reminded, as of alarms. */
const repeatMs = 6 * hourMs

export function createWriteWatch(
  deps: Deps & { readonly clock: Clock },
  { role, operator }: Pick<Config, 'role'> & { readonly operator: Pick<Config['operator'], 'ids'> },
): Loop {
  const { clock } = deps
  const say = deps.texts(homeLocale)
  const now = () => clock.now().getTime()
  let writtenAt = now()
  let saidAt: number | undefined

  const send = (id: number, text: string) =>
    trySend(deps, () => deps.api.sendMessage(id, text, htmlWithoutPreview))
  const tell = async (text: string) =>
    (await Promise.all(operator.ids.map((id) => send(id, text)))).some(Boolean)
  const pass = async () => {
    // One row that all processes write: an idle process makes no other write that could show that the database takes writes.
    const why = await failureOf(takeLeaderLease(deps, 'write', 'any'), clock)
    const facts = { role, minutes: Math.round((now() - writtenAt) / minuteMs) }
    if (why === undefined) {
      if (saidAt !== undefined) await tell(say.html('database-back', facts))
      saidAt = undefined
      writtenAt = now()
    } else if (now() - Math.max(writtenAt + toleratedMs, (saidAt ?? 0) + repeatMs) >= 0) {
      if (await tell(say.html('database-away', { ...facts, why }))) saidAt = now()
    }
    return false
  }
  return createLoop(deps, { pass, idleMs: everyMs, failed: 'the watch of the database fails' })
}

/** @returns why nothing was written; undefined when it was */
async function failureOf(write: Promise<unknown>, clock: Clock): Promise<string | undefined> {
  if (!(await allSettledWithin([write], clock, answerMs))) return `no answer within ${answerMs / 1000} s`
  return write.then(
    () => undefined,
    (error: unknown) => causesOf(error).at(-1)?.slice(0, 200) ?? '',
  )
}

// /broadcast in reply to a message, or followed by the message that it asks for: shows a preview, the number of recipients, and buttons
// to start, pause and stop. The buttons only write the wanted state; the broadcaster sends.

export const broadcast = (deps: BotDeps): Routes => ({
  commands: {
    async broadcast(ctx) {
      const source = ctx.msg.reply_to_message
      if (!source) return ask(deps, ctx, 'broadcast', '', ctx.say.html('admin-ask-broadcast'))
      const wrong = await propose(deps, ctx, source.message_id)
      if (wrong !== undefined) await reply(ctx, wrong)
    },
  },
  taps: [
    onTap(taps.stepBroadcast, async (ctx, { broadcastId, step }) => {
      await stepBroadcast(deps, ctx.from.id, broadcastId, step)
      await refresh(deps, ctx, broadcastId)
    }),
    onTap(taps.broadcast, (ctx, { broadcastId }) => refresh(deps, ctx, broadcastId)),
    onTap(taps.setAudience, async (ctx, { broadcastId, audience }) => {
      await setAudience(deps, broadcastId, audience)
      await refresh(deps, ctx, broadcastId)
    }),
  ],
})

// The button below every broadcast, for everybody who gets one.

export const news = (deps: BotDeps): Routes => ({
  taps: [
    onTap(taps.setNews, async (ctx, { to }) => {
      if (!isButtonOfMessage(ctx)) return alertForeign(ctx)
      const isOn = to === 'on'
      await setNews(deps.db, ctx.user.id, isOn, deps.clock.now())
      await answerTap(ctx, ctx.say.plain(`news-${to}`))
      await ctx.editMessageReplyMarkup({ reply_markup: newsKeyboard(ctx.say, isOn) }).catch(() => undefined)
    }),
  ],
})

/** @param isOn whether the user gets broadcasts */
const newsKeyboard = (say: Say, isOn: boolean): InlineKeyboard => {
  const to = isOn ? 'off' : 'on'
  return new InlineKeyboard().text(say.plain(`button-news-${to}`), taps.setNews.data({ to }))
}

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
  const preview = await ctx.api.copyMessage(chatId, chatId, messageId).catch(() => undefined)
  if (!preview) return ctx.say.html('admin-broadcast-no-copy')
  const created = await createBroadcast(deps, { chatId, messageId })
  const { html, keyboard } = await view(deps, ctx.say, created)
  await reply(ctx, html, keyboard)
  return undefined
}

async function refresh(deps: BotDeps, ctx: Ctx, id: string): Promise<void> {
  deps.broadcaster.nudge()
  await answerTap(ctx)
  const found = await findBroadcast(deps.db, id)
  if (!found) return
  const { html, keyboard } = await view(deps, ctx.say, found)
  await redraw(ctx, html, keyboard)
}

async function view(deps: BotDeps, say: Say, one: Broadcast) {
  const left = one.state === 'done' || one.state === 'stopped' ? 0 : await countRecipients(deps, one)
  return { html: broadcastText(say, one, left), keyboard: keyboardOf(say, one) }
}

const broadcastText = (say: Say, { id, state, audience, sent, failed }: Broadcast, left: number): string =>
  say.html('admin-broadcast', { id, state, audience: say.plain(`audience-${audience}`), sent, failed, left })

function keyboardOf(say: Say, { id: broadcastId, state, audience: chosen }: Broadcast): InlineKeyboard {
  const keyboard = new InlineKeyboard()
  const add = (text: string, step: 'start' | 'pause' | 'stop') =>
    keyboard.text(text, taps.stepBroadcast.data({ broadcastId, step }))
  if (state === 'draft') add(say.plain('admin-button-start'), 'start')
  if (state === 'paused') add(say.plain('admin-button-resume'), 'start')
  if (state === 'running') add(say.plain('admin-button-pause'), 'pause')
  if (state === 'done' || state === 'stopped') return keyboard
  add(say.plain('admin-button-stop'), 'stop')
  if (state === 'draft') {
    keyboard.row()
    for (const audience of audiences)
      keyboard.text(
        chosenText(say.plain(`audience-${audience}`), audience === chosen),
        taps.setAudience.data({ broadcastId, audience }),
      )
    return keyboard.toFlowed(2)
  }
  return keyboard.row().text(say.plain('admin-button-refresh'), taps.broadcast.data({ broadcastId }))
}
