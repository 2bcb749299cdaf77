// The open chat: reads it, follows its events, and sends what the user does.

import { fullName, ignoreRefusal, type Message, request, type SentMessage, type StreamEvent } from './api.ts'
import { setLanguage, t } from './i18n.ts'
import { here, isOwn, newChat, place, state, toast, told, update } from './state.ts'
import { confirmLink, openAlert } from './windows.ts'

const lastPlace = 'sandbox.place'
const retryMs = 2000
const actionMs = 5000
const tapMs = 30_000

export async function readKnown(): Promise<void> {
  const known = [request('GET /api/users'), request('GET /api/chats'), request('GET /api/bot')] as const
  const [users, chats, bot] = await Promise.all(known)
  update({ users, chats, bot })
}

let rereading: number | undefined

/** Reads the chats once for several events at about the same time. */
function readKnownSoon(): void {
  clearTimeout(rereading)
  rereading = setTimeout(() => readKnown().catch(ignoreRefusal), 300)
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
export async function openPlace(userId: number, chatId: number): Promise<void> {
  const user = state.users.find((one) => one.id === userId) ?? state.users[0]
  const chats = state.chats.filter((one) => user && one.members.includes(user.id))
  const chat = chats.find((one) => one.id === chatId) ?? chats.find((one) => one.type === 'private')
  if (!user || !chat || !state.bot) return
  setLanguage(user.language_code)
  update({ ...newChat, userId: user.id, chatId: chat.id })
  const at = place()
  history.replaceState(null, '', `#${at}`)
  rememberPlace()
  document.title = `${fullName(state.bot)} · ${t('sandbox')}`
  await new Promise<void>(connect)
  if (at !== place()) return
  await Promise.all([read(), readCommands()])
  if (matchMedia('(pointer: fine)').matches) focusInput()
}

export const focusInput = () => document.querySelector<HTMLElement>('.input')?.focus({ preventScroll: true })

/** Shows a message of the open topic, and marks it for a moment. */
export function jumpTo(id: number): void {
  const row = document.querySelector(`[data-ids~="${id}"]`)
  row?.scrollIntoView({ block: 'center' })
  const boxShadow = ['none', '0 0 0 4px var(--accent)', 'none']
  row?.querySelector('.bubble')?.animate({ boxShadow }, { duration: 700, iterations: 2 })
}

export async function readCommands(): Promise<void> {
  const { chat, user } = here()
  const query = { chat_id: chat.id, language_code: user.language_code ?? '' }
  const commands = await request('GET /api/commands', query).catch(() => [])
  if (chat.id === state.chatId) update({ commands })
}

/** The latest reading of the chat. An event that comes in between would be replaced by the older answer, so it waits. */
let reading = Promise.resolve()

function read(): Promise<void> {
  reading = readChat().catch(ignoreRefusal)
  return reading
}

async function readChat(): Promise<void> {
  const at = place()
  const [messages, drafts] = await Promise.all([
    request('GET /api/chats/:chatId/messages', undefined, state.chatId),
    request('GET /api/chats/:chatId/drafts', undefined, state.chatId),
  ])
  if (at !== place()) return
  update({ messages: new Map(messages.map((one) => [one.message_id, one])), drafts })
}

const kinds: readonly StreamEvent['type'][] = [
  ...(['message', 'edited', 'deleted', 'reaction', 'action', 'draft', 'draft_ended'] as const),
  ...(['answer', 'people', 'elsewhere'] as const),
]
let source: EventSource | undefined

/** @param tried called when the stream is open or has failed to open: a chat that is read after that misses no event */
function connect(tried: () => void): void {
  source?.close()
  const stream = new EventSource(`/api/chats/${state.chatId}/events?others=true&user=${state.userId}`)
  source = stream
  stream.onopen = () => {
    tried()
    if (state.isLost) comeBack()
  }
  stream.onerror = (event) => {
    // The sandbox sends events of this name, too, about refusals of the Bot API.
    if (event instanceof MessageEvent || source !== stream) return
    tried()
    update({ isLost: true })
    if (stream.readyState === EventSource.CLOSED)
      setTimeout(() => source === stream && connect(tried), retryMs)
  }
  for (const kind of kinds) {
    stream.addEventListener(kind, (event) => {
      if (!(event instanceof MessageEvent)) return
      const told = JSON.parse(`{"type": "${kind}", "data": ${event.data}}`)
      void reading.then(() => source === stream && handle(told))
    })
  }
}

/** Reads what was missed while the connection was lost. */
function comeBack(): void {
  update({ isLost: false, busy: '' })
  void read()
  void readCommands()
}

let actionTimer: number | undefined

function handle({ type, data }: StreamEvent): unknown {
  switch (type) {
    case 'message':
      if (!isOwn(data)) update({ action: '', drafts: [] })
      return put(data)
    case 'edited':
      return state.messages.has(data.message_id) && put(data)
    case 'deleted':
      update({
        messages: new Map([...state.messages].filter(([id]) => !data.message_ids.includes(id))),
      })
      return readKnownSoon()
    case 'reaction': {
      const message = state.messages.get(data.message_id)
      return message && put({ ...message, reactions: data.reaction })
    }
    case 'action':
      update({ action: data.action })
      clearTimeout(actionTimer)
      actionTimer = setTimeout(() => update({ action: '' }), actionMs)
      return
    case 'draft':
      return update({ drafts: [...state.drafts.filter((one) => one.draft_id !== data.draft_id), data] })
    case 'draft_ended':
      return update({ drafts: state.drafts.filter((one) => one.draft_id !== data.draft_id) })
    case 'answer':
      update({ busy: '' })
      if (data.text) (data.show_alert ? openAlert : toast)(data.text)
      return data.url && followLink(data.url, true)
    default:
      return readKnownSoon()
  }
}

/** Adds or replaces a message of the open chat. The event of an edit comes without the reactions. */
function put(message: Message): void {
  const { message_id: id } = message
  const { reactions } = state.messages.get(id) ?? {}
  update({ messages: new Map(state.messages).set(id, reactions ? { reactions, ...message } : message) })
  readKnownSoon()
}

export const tapKey = (message: Message, data: string) => `${message.message_id} ${data}`

let tapTimer: number | undefined

/** Presses a button, which is shown as busy until the bot answers. */
export async function tap(message: Message, data: string): Promise<void> {
  const busy = tapKey(message, data)
  if (state.busy === busy) return
  update({ busy })
  const body = { from: state.userId, message_id: message.message_id, data }
  const done = () => state.busy === busy && update({ busy: '' })
  if (!(await told(request('POST /api/chats/:chatId/taps', body, state.chatId)))) return void done()
  clearTimeout(tapTimer)
  tapTimer = setTimeout(() => done() !== false && toast(t('botNoAnswer')), tapMs)
}

/** Sends a message into the open topic. @returns undefined when that did not work, which has been shown */
export async function send(content: SentMessage): Promise<Message | undefined> {
  const at = place()
  const body = { ...content, thread_id: state.topic, from: state.userId }
  const sent = await told(request('POST /api/chats/:chatId/messages', body, state.chatId))
  if (sent && at === place()) put(sent)
  return sent
}

export const start = (payload = '') => send({ text: payload ? `/start ${payload}` : '/start' })

export async function setBlocked(blocked: boolean): Promise<void> {
  const body = { from: state.userId, blocked }
  if (await told(request('POST /api/chats/:chatId/block', body, state.chatId))) await told(readKnown())
}

const openable = new Set(['http:', 'https:', 'mailto:', 'tel:', 'tg:'])

/** @returns an address that is safe to open; undefined for other protocols, such as `javascript:` */
export function safeUrl(url: string): URL | undefined {
  const whole = /^[a-z][a-z0-9+.-]*:/i.test(url) && !/^[^/]+:\d/.test(url) ? url : `http://${url}`
  const parsed = URL.parse(whole)
  return parsed && openable.has(parsed.protocol) ? parsed : undefined
}

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
  if (isDisguised) confirmLink(parsed.href)
  return isDisguised
}
