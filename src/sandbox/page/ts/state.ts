// The state of the page: one value, which is replaced at each change. Every change draws the page again.

import type { VNode } from 'preact'
import {
  type Api,
  ApiError,
  type Bot,
  type BotCommand,
  type Chat,
  type Draft,
  type Message,
  request,
  type User,
} from './api.ts'
import { t } from './i18n.ts'

/** The part of the state that each opened chat begins with. */
export const newChat = {
  /** The messages of the open chat, oldest first. */
  messages: [] as readonly Message[],
  drafts: [] as readonly Draft[],
  commands: [] as readonly BotCommand[],
  /** The typed text. */
  text: '',
  /** The pressed button to which the bot has not answered. */
  busy: '',
  /** What the bot is doing, for example `typing`. */
  action: '',
  isLost: false,
  /** Whether the chats are shown in place of the open one on a phone. */
  isListOpen: false,
  /** The message that is being answered. */
  context: undefined as Message | undefined,
  /** The message whose forced reply the user has cancelled. */
  cancelledReply: undefined as number | undefined,
}

export let state = {
  ...newChat,
  users: [] as readonly User[],
  chats: [] as readonly Chat[],
  bot: undefined as Bot | undefined,
  /** The open user and chat; 0 before they are known. */
  userId: 0,
  chatId: 0,
  /** The component of the open window or menu. */
  overlay: undefined as (() => VNode) | undefined,
  /** The short notice. */
  toast: '',
}

let draw = () => {}

export function onUpdate(listener: () => void): void {
  draw = listener
}

export function update(change: Partial<typeof state>): void {
  state = { ...state, ...change }
  draw()
}

/** The open user and chat in the address and as a key: `user/chat`. */
export const place = () => `${state.userId}/${state.chatId}`

export function here() {
  const user = state.users.find(({ id }) => id === state.userId)
  const chat = state.chats.find(({ id }) => id === state.chatId)
  if (!user || !chat || !state.bot) throw new Error('no chat is open')
  return { user, chat, bot: state.bot, isPrivate: chat.type === 'private' }
}

export const isOwn = ({ from }: Pick<Message, 'from'>): boolean => from?.id === state.userId

/** Shows a short notice for a moment. */
export function toast(text: string): void {
  update({ toast: text })
  setTimeout(() => state.toast === text && update({ toast: '' }), 4000 + text.length * 40)
}

/** Does something in the open chat, and shows a refusal. @returns undefined after a refusal */
export async function act<K extends keyof Api>(call: K, body: Api[K]['body']) {
  try {
    return await request(call, body, state.chatId)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    toast(t('notDone', { reason: error.message }))
    return undefined
  }
}

export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text).catch(() => {})
  toast(t('copied'))
}
