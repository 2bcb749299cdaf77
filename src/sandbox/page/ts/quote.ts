// A message in one line, with its sender and a summary, for reply bars, quotes and the chat list.

import { fileUrl, type Message } from './api.ts'
import type { MessageContext } from './context.ts'
import { type Child, h } from './dom.ts'
import { t } from './i18n.ts'

interface Named {
  readonly first_name?: string | undefined
  readonly last_name?: string | undefined
  readonly title?: string | undefined
}

export const fullName = ({ first_name, last_name, title }: Named): string =>
  [first_name ?? title ?? '', last_name ?? ''].join(' ').trim()

/** The fields of a message that contain its content; a quoted message has them, too. */
type Content = Partial<Omit<Message, 'reply_to_message'>>
type Summed = Content & { readonly chat: Message['chat'] }

export const senderName = ({ from, sender_chat, chat }: Summed): string =>
  fullName(from ?? sender_chat ?? chat)

export function summary(message: Content): string {
  const words = message.text ?? message.caption
  return words ? words.replace(/[^\S\u00a0]+/g, ' ') : contentName(message)
}

function contentName(message: Content): string {
  const { audio, document, sticker, invoice } = message
  if (message.photo) return t('photo')
  if (message.animation) return 'GIF'
  if (message.video ?? message.video_note) return t('video')
  if (message.voice) return t('voice')
  if (audio) return audio.title ?? audio.file_name ?? t('attachAudio')
  if (document) return document.file_name ?? t('attachFile')
  if (sticker) return sticker.emoji ?? '🙂'
  if (invoice) return `${t('invoice')}: ${invoice.title}`
  if (message.contact) return t('contact')
  return message.location ? t('location') : t('message')
}

/** The file id of a small picture of the message, if it has one. */
export const thumbnailOf = ({ photo, video, animation, document }: Content): string | undefined =>
  (photo?.[0] ?? video?.thumbnail ?? animation?.thumbnail ?? document?.thumbnail)?.file_id

export function thumbnail(message: Summed): Child {
  const file = thumbnailOf(message)
  return file && h('img.quote-thumb', { src: fileUrl(file), alt: '' })
}

/** The message that this one answers, as it is now; if the page does not have it, as it was when it was answered. */
export function originalOf({ reply_to_message: replied }: Message, context: MessageContext) {
  const original: (Summed & { message_id: number }) | undefined =
    replied && (context.find(replied.message_id) ?? replied)
  return original
}

/** The quote at the top of a reply. A click shows the original message. */
export function replyQuote(
  original: Summed & { readonly message_id: number },
  part: string | undefined,
  context: MessageContext,
): HTMLElement {
  const onclick = () => context.actions.jumpTo(original.message_id)
  return h(
    'button.quote',
    { testid: 'reply-quote', onclick },
    thumbnail(original),
    h(
      'span.quote-words',
      {},
      h('b', {}, senderName(original)),
      h('span.quote-line', {}, part ?? summary(original)),
    ),
  )
}
