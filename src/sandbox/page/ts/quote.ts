// A message in a line: who wrote it and what it says in short, for reply bars, quotes and the chat list.

import { fileUrl } from './api.ts'
import { h } from './dom.ts'
import { t } from './i18n.ts'

export const fullName = (person) =>
  [person?.first_name ?? person?.title ?? '', person?.last_name ?? ''].join(' ').trim()

export const senderName = (message) => fullName(message.from ?? message.sender_chat ?? message.chat)

const kinds = [
  ['photo', () => t('photo')],
  ['animation', () => 'GIF'],
  ['video', () => t('video')],
  ['video_note', () => t('video')],
  ['voice', () => t('voice')],
  ['audio', (audio) => audio.title ?? audio.file_name ?? t('attachAudio')],
  ['document', (document) => document.file_name ?? t('attachFile')],
  ['sticker', (sticker) => sticker.emoji ?? '🙂'],
  ['invoice', (invoice) => `${t('invoice')}: ${invoice.title}`],
  ['contact', () => t('contact')],
  ['location', () => t('location')],
]

export function summary(message) {
  const words = message.text ?? message.caption
  if (words) return words.replace(/\s+/g, ' ')
  const kind = kinds.find(([name]) => message[name])
  return kind ? kind[1](message[kind[0]]) : t('message')
}

/** A small picture of the message, where there is one. */
export function thumbnail(message) {
  const smallest = message.photo?.[0] ?? message.video?.thumbnail ?? message.animation?.thumbnail
  return smallest && h('img.quote-thumb', { src: fileUrl(smallest.file_id), alt: '' })
}

/** The quote on top of a reply; a press shows the message itself. */
export function replyQuote(message, context) {
  const original = context.find(message.reply_to_message.message_id) ?? message.reply_to_message
  const onclick = () => context.actions.jumpTo(original.message_id)
  return h(
    'button.quote',
    { testid: 'reply-quote', onclick },
    thumbnail(original),
    h(
      'span.quote-words',
      {},
      h('b', {}, senderName(original)),
      h('span.quote-line', {}, message.quote?.text ?? summary(original)),
    ),
  )
}
