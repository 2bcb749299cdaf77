// The state of the page: one value, which is replaced at each change. Every change draws the page again.

import type { VNode } from 'preact'
import { ApiError, type Bot, type BotCommand, type Chat, type Draft, type Message, type User } from './api.ts'
import { t } from './i18n.ts'
import type { IconName } from './icons.ts'

export interface MenuItem {
  readonly label: string
  readonly testid: string
  /** The name of an icon, or what is shown in its place. */
  readonly sign?: IconName | VNode
  readonly note?: string
  readonly checked?: boolean
  onclick(): unknown
}

export interface Menu {
  readonly id: number
  readonly at: Element | { readonly x: number; readonly y: number }
  readonly items: readonly MenuItem[]
  readonly testid: string
  readonly label: string
}

/** The message that is being answered or edited. */
export interface Context {
  readonly kind: 'reply' | 'edit'
  readonly message: Message
  /** The part of the message that is answered. */
  readonly quote?: string
}

/** The part of the state that each opened chat begins with. */
export const newChat = {
  /** The messages of the open chat by id, in all its topics. */
  messages: new Map() as ReadonlyMap<number, Message>,
  drafts: [] as readonly Draft[],
  commands: [] as readonly BotCommand[],
  /** The pressed button to which the bot has not answered. */
  busy: '',
  /** What the bot is doing, for example `typing`. */
  action: '',
  isLost: false,
  isSidebarOpen: false,
  /** The open topic; undefined is the general one. */
  topic: undefined as number | undefined,
  context: undefined as Context | undefined,
  /** The message whose forced reply the user has cancelled. */
  cancelledReply: undefined as number | undefined,
  menu: undefined as Menu | undefined,
}

export let state = {
  ...newChat,
  users: [] as readonly User[],
  chats: [] as readonly Chat[],
  bot: undefined as Bot | undefined,
  /** The open user and chat; 0 before they are known. */
  userId: 0,
  chatId: 0,
  /** The typed texts by place. */
  texts: {} as Readonly<Record<string, string>>,
  dialogs: [] as readonly { id: number; view: () => VNode }[],
  toasts: [] as readonly { id: number; text: string; tone: 'info' | 'error' }[],
}

let draw = () => {}
let isDrawing = false

export function update(change: Partial<typeof state>): void {
  state = { ...state, ...change }
  if (isDrawing) return
  isDrawing = true
  queueMicrotask(() => {
    isDrawing = false
    draw()
  })
}

export function onUpdate(listener: () => void): void {
  draw = listener
}

/** The open user and chat in the address and as a key: `user/chat`. */
export const place = () => `${state.userId}/${state.chatId}`

export const typedText = () => state.texts[place()] ?? ''
export const setText = (text: string, at = place()) => update({ texts: { ...state.texts, [at]: text } })

export function here() {
  const user = state.users.find(({ id }) => id === state.userId)
  const chat = state.chats.find(({ id }) => id === state.chatId)
  if (!user || !chat || !state.bot) throw new Error('no chat is open')
  return { user, chat, bot: state.bot, isPrivate: chat.type === 'private' }
}

/** The messages of the open topic, oldest first. */
export function shownMessages(): Message[] {
  const topicOf = (one: Message) => (one.is_topic_message ? one.message_thread_id : undefined)
  const all = [...state.messages.values()].sort((a, b) => a.message_id - b.message_id)
  return here().chat.is_forum ? all.filter((one) => topicOf(one) === state.topic) : all
}

export const isOwn = ({ from }: Pick<Message, 'from'>): boolean => from?.id === state.userId

let lastId = 0
const newId = () => ++lastId

export const openMenu = (at: Menu['at'], testid: string, label: string, items: readonly MenuItem[]) =>
  update({ menu: { id: newId(), at, testid, label, items } })

export const openDialog = (view: () => VNode) =>
  update({ dialogs: [...state.dialogs, { id: newId(), view }] })

/** Closes the topmost dialog. The browser gives the focus back to where it was. */
export const closeDialog = () => [...document.querySelectorAll('dialog')].at(-1)?.close()

export function toast(text: string, tone: 'info' | 'error' = 'info'): void {
  const one = { id: newId(), text, tone }
  update({ toasts: [...state.toasts, one] })
  setTimeout(() => update({ toasts: state.toasts.filter((other) => other !== one) }), 4000 + text.length * 40)
}

/** Shows a refusal of the sandbox. @returns undefined after a refusal */
export async function told<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    toast(t('notDone', { reason: error.message }), 'error')
    return undefined
  }
}

export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text).catch(() => {})
  toast(t('copied'))
}
