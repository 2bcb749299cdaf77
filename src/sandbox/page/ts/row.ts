// One row of the conversation: a message, or an album of several, with its menu.

import { html } from 'htm/preact'
import type { ComponentChildren, VNode } from 'preact'
import { fullName, inlineRows, type Message, type On, request, wordsOf } from './api.ts'
import { fullDate, money, t, timeOfDay } from './i18n.ts'
import { hueOf, iconButton } from './icons.ts'
import { inlineKeyboard, invoiceCard } from './keyboards.ts'
import { fileName, isVisual, mediaBlock, mediaOf } from './media.ts'
import { focusInput, jumpTo } from './session.ts'
import {
  copyText,
  here,
  isOwn,
  type Menu,
  type MenuItem,
  openMenu,
  setText,
  state,
  told,
  update,
} from './state.ts'
import { textNodes } from './text.ts'

/** One message or the messages of an album, oldest first. */
export type Group = readonly [Message, ...Message[]]

/** A message, or a quoted one. */
type Content = Partial<Omit<Message, 'reply_to_message'>> & Pick<Message, 'chat' | 'message_id'>

export const senderName = ({ from, sender_chat, chat }: Content): string =>
  fullName(from ?? sender_chat ?? chat)

/** A message in one line, for quotes and the chat list. */
export function summary(message: Partial<Message>): string {
  const { photo, video, voice, audio, document, invoice } = message
  const words = wordsOf(message).replace(/[^\S\u00a0]+/g, ' ')
  if (words) return words
  if (photo) return t('photo')
  if (video) return t('video')
  if (voice) return t('voice')
  if (audio) return audio.title ?? audio.file_name ?? t('attachAudio')
  if (document) return document.file_name ?? t('attachFile')
  if (invoice) return `${t('invoice')}: ${invoice.title}`
  return t('message')
}

/** The file id of a small picture of the message, if it has one. */
export const thumbnailOf = ({ photo, video, document }: Partial<Message>): string | undefined =>
  (photo?.[0] ?? video?.thumbnail ?? document?.thumbnail)?.file_id

/** A title above the summary of a message. */
export const quoted = (message: Partial<Message>, title: string, words = summary(message)): VNode =>
  html`<span class="two-lines quote-words"><b>${title}</b><span>${words}</span></span>`

/** The text of a message about the chat itself; '' for a message that a user or the bot has written. */
function serviceText(message: Message): string {
  const { successful_payment: payment, refunded_payment: refund, forum_topic_created: topic } = message
  if (payment) return `✅ ${t('paidService', { amount: money(payment.total_amount, payment.currency) })}`
  if (refund) return `↩️ ${t('refundedService', { amount: money(refund.total_amount, refund.currency) })}`
  return topic ? t('topicCreated', { name: topic.name }) : ''
}

/** @param isJoined whether the row above is by the same sender */
export function row(key: string | number, group: Group, isJoined: boolean): VNode {
  const [first] = group
  const last = group.at(-1) ?? first
  const service = serviceText(first)
  const side = service ? 'service' : isOwn(first) ? 'out' : 'in'
  const classes = `row ${side} ${isJoined ? 'joined' : ''}`
  const ids = group.map((one) => one.message_id).join(' ')
  const keyboard = inlineRows(last).length > 0 && inlineKeyboard(last)
  return html`<article key=${key} class=${classes} data-message-id=${first.message_id} data-ids=${ids}
    data-testid="message-${first.message_id}" aria-label="${senderName(first)}, ${timeOfDay(first.date)}">
    ${service ? html`<div class="pill" data-testid="service">${service}</div>` : html`<div class="stack">${bubble(group, isJoined)}${keyboard}</div>`}
  </article>`
}

type Click = On<Element, MouseEvent>

function bubble(group: Group, isJoined: boolean): VNode {
  const [first] = group
  const last = group.at(-1) ?? first
  const worded = group.find(wordsOf) ?? first
  const media = group.flatMap((one) => mediaOf(one) ?? [])
  const words = wordsOf(worded)
  const isBare = !words && media.length > 0 && media.every(({ kind }) => kind === 'photo')
  const classes = `bubble ${media[0] && isVisual(media[0]) ? 'with-media' : ''} ${isBare ? 'bare' : ''}`
  const onClick = (event: Click) => isPlainClick(event) && openActions(event, group)
  const onContextMenu = (event: Click) => {
    // The browser has its own menus for a link and a video.
    if (isOn(event, 'a, video')) return
    event.preventDefault()
    // Browsers close a menu when the mouse button is released beside it, and some send `contextmenu` while it is still pressed.
    if (event.buttons === 0) openActions(event, group)
    else addEventListener('mouseup', () => openActions(event, group), { once: true })
  }
  const more = {
    'aria-haspopup': 'menu',
    onClick: (event: Click) => openActions(event, group, event.currentTarget),
  }
  const edited = worded.edit_date && html`<span class="edited" data-testid="edited">${t('edited')}</span>`
  return html`<div class=${classes} data-testid="bubble" onClick=${onClick} onContextMenu=${onContextMenu}>
    ${senderLine(first, isJoined)}${replyQuote(first)}${media.length > 0 && mediaBlock(media)}
    <div class="body">${otherContent(last)}
      ${words && html`<div class="text" data-testid="text" dir="auto">${textNodes(words, worded.entities ?? worded.caption_entities)}</div>`}
      <span class="meta" title=${fullDate(last.date)}>${edited} <time>${timeOfDay(last.date)}</time></span></div>
    ${last.reactions?.map((one) => html`<span class="reaction" data-testid="reaction">${one.type === 'emoji' ? one.emoji : '⭐'}</span>`)}
    ${iconButton('more', t('messageMenu'), 'message-menu', more)}
  </div>`
}

function senderLine(message: Message, isJoined: boolean): ComponentChildren {
  const via =
    message.via_bot &&
    html`<div class="muted" data-testid="via">${t('via', { name: `@${message.via_bot.username}` })}</div>`
  if (here().isPrivate || isOwn(message) || isJoined) return via
  return html`<b class="sender-name" style=${hueOf(message.from?.id ?? 0)}>${senderName(message)}</b>${via}`
}

/** The quote at the top of a reply shows the original as it is now; if the page does not have it, as it was when it was answered. */
function replyQuote({ reply_to_message: replied, quote }: Message): ComponentChildren {
  const original: Content | undefined = replied && (state.messages.get(replied.message_id) ?? replied)
  if (!original) return ''
  return html`<button class="line quote" data-testid="reply-quote" onClick=${() => jumpTo(original.message_id)}>
    ${quoted(original, senderName(original), quote?.text)}</button>`
}

/** The content of a message that is neither text nor media. */
function otherContent(message: Message): ComponentChildren {
  if (message.invoice) return invoiceCard(message, message.invoice)
  if (mediaOf(message) || wordsOf(message)) return ''
  return html`<em class="muted" data-testid="unsupported">${t('unsupported')}</em>`
}

const isOn = ({ target }: Event, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null

/** Whether the click hit no element that handles clicks itself, and did not end a selection of text. */
function isPlainClick(event: Click): boolean {
  const selected = getSelection()
  const isSelecting = selected && !selected.isCollapsed && event.currentTarget.contains(selected.anchorNode)
  return !isOn(event, 'a, button, video, audio, code, pre, [role=button]') && !isSelecting
}

/** The clicked element chooses a message of an album. */
function openActions(
  { target, clientX: x, clientY: y }: Click,
  group: Group,
  at: Menu['at'] = { x, y },
): void {
  const tile = target instanceof Element ? target.closest<HTMLElement>('[data-file]') : null
  const clicked = tile && group.find((one) => mediaOf(one)?.file.file_id === tile.dataset.file)
  const items = [...itemsFor(clicked ?? group.at(-1) ?? group[0], getSelection()?.toString().trim() ?? '')]
  openMenu(at, 'message-actions', t('messageMenu'), items)
}

function* itemsFor(message: Message, selected: string): Generator<MenuItem> {
  const words = wordsOf(message)
  const media = mediaOf(message)
  yield { label: t('reply'), sign: 'reply', testid: 'menu-reply', onclick: () => reply(message) }
  // A selection may contain text that is not of the message.
  if (selected && words.includes(selected)) {
    const note = selected.slice(0, 60)
    yield {
      label: t('quote'),
      note,
      sign: 'quote',
      testid: 'menu-quote',
      onclick: () => reply(message, selected),
    }
  }
  if (isOwn(message) && message.text)
    yield { label: t('edit'), sign: 'edit', testid: 'menu-edit', onclick: () => edit(message) }
  if (words) yield { label: t('copy'), sign: 'copy', testid: 'menu-copy', onclick: () => copyText(words) }
  if (media) {
    const facts = { href: media.url, download: fileName(media) }
    const onclick = () => Object.assign(document.createElement('a'), facts).click()
    yield { label: t('download'), sign: 'download', testid: 'menu-save', onclick }
  }
  if (isOwn(message))
    yield { label: t('delete'), sign: 'trash', testid: 'menu-delete', onclick: () => remove(message) }
}

function reply(message: Message, quote?: string): void {
  update({ context: { kind: 'reply', message, ...(quote && { quote }) } })
  focusInput()
}

/** Puts the text of an own message into the input. */
function edit(message: Message): void {
  update({ context: { kind: 'edit', message } })
  setText(message.text ?? '')
  focusInput()
}

const remove = ({ message_id }: Message) =>
  told(request('POST /api/chats/:chatId/deletions', { from: state.userId, message_id }, state.chatId))
