// The open chat: reads it, follows its events, and sends what the user does.

import { html } from 'htm/preact'
import {
  ApiError,
  type CallbackAnswer,
  fullName,
  type Message,
  request,
  type SentMessage,
  wordsOf,
} from './api.ts'
import { setLanguage, t } from './i18n.ts'
import { act, here, isOwn, newChat, place, state, toast, update } from './state.ts'
import { openAlert, openForm } from './ui.ts'

const lastPlace = 'sandbox.place'

export async function readKnown(): Promise<void> {
  const known = [request('GET /api/users'), request('GET /api/chats'), request('GET /api/bot')] as const
  const [users, chats, bot] = await Promise.all(known)
  update({ users, chats, bot })
}

/** Each tab shows its own place; the last one is that of the tab that was used last. */
export const rememberPlace = () => localStorage.setItem(lastPlace, place())

/** The user and chat of the address. One without them, as the way back from a payment, opens the place that was open last. */
export function addressed(): readonly [userId: number, chatId: number] {
  const [userId = 0, chatId = userId] = (location.hash.slice(1) || localStorage.getItem(lastPlace) || '0')
    .split('/')
    .map(Number)
  return [userId, chatId]
}

/** Opens a user and a chat: the first user in place of an unknown one, the private chat in place of an unknown chat. */
export function openPlace(userId: number, chatId: number): void {
  const user = state.users.find((one) => one.id === userId) ?? state.users[0]
  const chats = state.chats.filter((one) => user && one.members.includes(user.id))
  const chat = chats.find((one) => one.id === chatId) ?? chats.find((one) => one.type === 'private')
  if (!user || !chat || !state.bot) return
  setLanguage(user.language_code)
  update({ ...newChat, userId: user.id, chatId: chat.id })
  history.replaceState(null, '', `#${place()}`)
  rememberPlace()
  document.title = `${fullName(state.bot)} · ${t('sandbox')}`
  connect()
}

export const focusInput = () => document.querySelector<HTMLElement>('.input')?.focus({ preventScroll: true })

export const jumpTo = (id: number) =>
  document.querySelector(`[data-ids~="${id}"]`)?.scrollIntoView({ block: 'center' })

/** Fetches messages, drafts and commands of the open chat, and the lists of chats and users. */
async function read(): Promise<void> {
  const at = place()
  const { chat, user } = here()
  const [messages, drafts, commands] = await Promise.all([
    request('GET /api/chats/:chatId/messages', undefined, chat.id),
    request('GET /api/chats/:chatId/drafts', undefined, chat.id),
    request('GET /api/commands', { chat_id: chat.id, language_code: user.language_code ?? '' }),
    readKnown(),
  ])
  if (at === place()) update({ messages, drafts, commands })
}

let isReading = false
let isStale = false

/** Reads again what may have changed: once more when there are events meanwhile. */
async function refresh(): Promise<void> {
  isStale = true
  if (isReading) return
  isReading = true
  while (isStale) {
    isStale = false
    // After a refusal or a lost connection the page stays as it is.
    await read().catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error
    })
  }
  isReading = false
}

const changes = ['message', 'edited', 'deleted', 'reaction', 'draft', 'draft_ended', 'people', 'elsewhere']
let stream: EventSource | undefined
let actionTimer: number | undefined

/** Follows the open chat. The events only say that something has changed, except for what is not kept. */
function connect(): void {
  stream?.close()
  stream = new EventSource(`/api/chats/${state.chatId}/events?others=true&user=${state.userId}`)
  stream.onopen = () => {
    update({ isLost: false })
    void refresh()
  }
  stream.onerror = (event) => {
    // The sandbox sends events of this name, too, about refusals of the Bot API.
    if (!(event instanceof MessageEvent)) update({ isLost: true })
  }
  for (const kind of changes) stream.addEventListener(kind, refresh)
  stream.addEventListener('message', () => update({ action: '' }))
  stream.addEventListener('action', ({ data }) => {
    update({ action: JSON.parse(data).action })
    clearTimeout(actionTimer)
    actionTimer = setTimeout(() => update({ action: '' }), 5000)
  })
  stream.addEventListener('answer', ({ data }) => showAnswer(JSON.parse(data)))
}

/** Shows the answer to a tap. */
function showAnswer({ text, show_alert: isAlert, url }: CallbackAnswer): void {
  update({ busy: '' })
  if (text) (isAlert ? openAlert : toast)(text)
  if (url) followLink(url, true)
}

export const tapKey = (messageId: number, data: string) => `${messageId} ${data}`

/** Presses a button, which is shown as busy until the bot answers. */
export async function tap({ message_id }: Message, data: string): Promise<void> {
  update({ busy: tapKey(message_id, data) })
  const body = { from: state.userId, message_id, data }
  if (!(await act('POST /api/chats/:chatId/taps', body))) update({ busy: '' })
}

/** Sends a message. @returns undefined when that did not work, which has been shown */
export const send = (content: SentMessage) =>
  act('POST /api/chats/:chatId/messages', { ...content, from: state.userId })

export const start = (payload = '') => send({ text: payload ? `/start ${payload}` : '/start' })

/** A selective forced reply in a group is for the people whom its message mentions and the author of the message that it replies to. */
function isForUser(message: Message, isSelective = false): boolean {
  const { user, isPrivate } = here()
  const { reply_to_message: replied, entities = [] } = message
  if (isPrivate || !isSelective || (replied && isOwn(replied))) return true
  return entities.some((entity) => {
    if (entity.type === 'text_mention') return entity.user.id === user.id
    const words = wordsOf(message).slice(entity.offset, entity.offset + entity.length)
    return entity.type === 'mention' && words.toLowerCase() === `@${user.username}`.toLowerCase()
  })
}

/** The newest message with a forced reply; undefined after the user has written another message. */
function askedReply(): Message | undefined {
  for (const message of state.messages.toReversed()) {
    const { reply_markup: markup, message_id } = message
    if (isOwn(message) || state.cancelledReply === message_id) return undefined
    if (markup && 'force_reply' in markup && isForUser(message, 'selective' in markup && markup.selective))
      return message
  }
  return undefined
}

export const currentContext = () => state.context ?? askedReply()

export const leaveContext = () => update({ context: undefined, cancelledReply: askedReply()?.message_id })

/** What the next message answers. Only the next one is a reply. */
export function takeReply(): Pick<SentMessage, 'reply_to'> {
  const message = currentContext()
  update({ context: undefined })
  return message ? { reply_to: message.message_id } : {}
}

const openable = ['http:', 'https:', 'mailto:', 'tel:', 'tg:']

/** @returns an address that is safe to open; undefined for other protocols, such as `javascript:` */
export const safeUrl = (url: string): URL | undefined =>
  [url, `http://${url}`].map((one) => URL.parse(one)).find((one) => one && openable.includes(one.protocol)) ??
  undefined

/**
 * Follows a link, as Telegram does: a link to this bot starts it.
 * @param isDisguised the text differs from the address, so the address is shown before it is opened
 * @returns false when the browser itself should follow the link
 */
export function followLink(url: string, isDisguised: boolean): boolean {
  const parsed = safeUrl(url)
  if (!parsed) return true
  const isBot = parsed.pathname.slice(1).toLowerCase() === here().bot.username.toLowerCase()
  if (isBot && ['t.me', 'telegram.me'].includes(parsed.hostname)) {
    void start(parsed.searchParams.get('start') ?? '')
    return true
  }
  if (!isDisguised) return false
  const content = () => html`<p class="pre-wrap"><code>${parsed.href}</code></p>`
  const submit = () => {
    window.open(parsed.href, '_blank', 'noopener,noreferrer')
    return true
  }
  openForm({ title: t('open'), testid: 'link-dialog', label: t('open'), content, submit })
  return true
}
