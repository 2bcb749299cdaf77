// Messages without text or media: service messages about the chat, and the rarer contents. A kind that the page does not know is shown by
// its name, so that no message looks empty.

import { fileUrl, type Message } from './api.ts'
import { h } from './dom.ts'
import { money } from './format.ts'
import { t } from './i18n.ts'
import { fullName } from './quote.ts'

/** @returns undefined for a message that a user or the bot has written */
export function serviceText(message: Message): string | undefined {
  const { successful_payment: payment, refunded_payment: refund } = message
  if (payment) return `✅ ${t('paidService', { amount: money(payment.total_amount, payment.currency) })}`
  if (refund) return `↩️ ${t('refundedService', { amount: money(refund.total_amount, refund.currency) })}`
  if (message.new_chat_members)
    return message.new_chat_members.map((one) => t('joined', { name: fullName(one) })).join(', ')
  if (message.left_chat_member) return t('left', { name: fullName(message.left_chat_member) })
  if (message.pinned_message) return `📌 ${t('pinned')}`
  if (message.forum_topic_created) return t('topicCreated', { name: message.forum_topic_created.name })
  return undefined
}

const shownElsewhere = [
  'text',
  'caption',
  'invoice',
  'photo',
  'video',
  'animation',
  'audio',
  'voice',
  'document',
  'video_note',
] as const satisfies readonly (keyof Message)[]

interface OtherContent {
  /** Equal keys mean that the content has not changed. */
  readonly key: unknown
  build(): HTMLElement
}

/** @returns undefined for a message whose content is drawn elsewhere */
export function otherContent(message: Message): OtherContent | undefined {
  if (shownElsewhere.some((name) => message[name] !== undefined)) return undefined
  const { dice, contact, location, sticker, poll } = message
  if (dice) return { key: dice, build: () => h('div.big-emoji', {}, `${dice.emoji} ${dice.value}`) }
  if (contact) return { key: contact, build: () => contactCard(contact) }
  if (location) return { key: location, build: () => locationCard(location) }
  if (sticker) return { key: sticker, build: () => stickerImage(sticker) }
  if (poll) return { key: poll, build: () => pollCard(poll) }
  return { key: 'unsupported', build: () => h('em.unsupported', { testid: 'unsupported' }, t('unsupported')) }
}

type Content<K extends keyof Message> = NonNullable<Message[K]>

const contactCard = (contact: Content<'contact'>) =>
  h('div.card', {}, h('b', {}, fullName(contact)), h('span', { dir: 'ltr' }, contact.phone_number))

const locationCard = ({ latitude, longitude }: Content<'location'>) =>
  h('div.card', {}, h('b', {}, t('location')), `${latitude}, ${longitude}`)

const stickerImage = (sticker: Content<'sticker'>) =>
  h('img.sticker', { src: fileUrl(sticker.file_id), alt: sticker.emoji ?? '' })

function pollCard(poll: Content<'poll'>): HTMLElement {
  const options = poll.options.map((one) => h('li', {}, one.text))
  return h('div.card', {}, h('b', {}, poll.question), h('ul', {}, options))
}
