// The messages of the open chat as rows, each a message or an album with its menu, and the drafts of the bot at the end. The box is a reversed
// column, so that the browser itself keeps the newest message in view when messages come, pictures load or a keyboard opens.

import { html } from 'htm/preact'
import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type Draft, fullName, type Message, type On, wordsOf } from './api.ts'
import { isVisual, mediaBlock, mediaOf, textNodes } from './content.ts'
import { dayOf, money, t, timeOfDay } from './i18n.ts'
import { inlineKeyboard, invoiceCard } from './keyboards.ts'
import { focusInput, jumpTo } from './session.ts'
import { act, copyText, here, isOwn, state, update } from './state.ts'
import { hueOf, type MenuItem, openMenu } from './ui.ts'

export function Conversation() {
  const box = useRef<HTMLDivElement>(null)
  const newest = state.messages.at(-1)
  // The user's own new message is always scrolled into view.
  useEffect(() => {
    if (newest && isOwn(newest)) box.current?.scrollTo(0, 0)
  }, [newest?.message_id])
  return html`<div ref=${box} class="scroll" data-testid="scroll" tabindex="-1"><div class="scroll-content">
    <div role="log" aria-label=${t('messages')} data-testid="messages">${rows()}</div>${state.drafts.map(draftRow)}</div></div>`
}

/** One message or the messages of an album, oldest first. */
type Group = readonly [Message, ...Message[]]

/** The messages of an album share one row. */
const keyOf = (message: Message) => message.media_group_id ?? message.message_id

function rows(): VNode[] {
  const albums = [...Map.groupBy(state.messages, keyOf).values()]
  const groups = albums.flatMap(([first, ...others]): Group[] => (first ? [[first, ...others]] : []))
  return groups.map((group, at) => row(group, groups[at - 1]?.[0]))
}

function row(group: Group, above: Message | undefined): VNode {
  const [first] = group
  const day = dayOf(first)
  const isNewDay = !above || dayOf(above) !== day
  const isJoined = !isNewDay && above.from?.id === first.from?.id
  const last = group.at(-1) ?? first
  const service = serviceText(first)
  const side = service ? 'service' : isOwn(first) ? 'out' : 'in'
  const content = service
    ? html`<div class="day"><span class="pill" data-testid="service">${service}</span></div>`
    : html`<div class="stack">${bubble(group, isJoined)}${inlineKeyboard(last)}</div>`
  return html`<article key=${keyOf(first)} class="row ${side}"
    data-ids=${group.map((one) => one.message_id).join(' ')} data-testid="message-${first.message_id}"
    aria-label="${senderName(first)}, ${timeOfDay(first)}">
    ${isNewDay && html`<div class="day"><span class="pill" data-testid="day">${day}</span></div>`}${content}</article>`
}

/** A message that the bot is still writing. */
function draftRow({ text, entities, can_stop: canStop, draft_id }: Draft) {
  const body = { from: state.userId, draft_id }
  const stop = () => act('POST /api/chats/:chatId/stop', body)
  const words = text ? [...textNodes(text, entities), '…'] : html`<span class="muted">${t('thinking')}</span>`
  return html`<div class="row in draft" key=${draft_id} data-testid="draft"><div class="stack">
    <div class="bubble"><div class="text" dir="auto">${words}</div></div>
    ${canStop && html`<button class="button" data-testid="stop-draft" onClick=${stop}>${t('stop')}</button>`}
  </div></div>`
}

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
  if (audio) return audio.title ?? audio.file_name ?? t('message')
  if (document) return document.file_name ?? t('file')
  return invoice?.title ?? t('message')
}

/** A title above the summary of a message. */
export const quoted = (message: Partial<Message>, title: string, words = summary(message)): VNode =>
  html`<span class="two-lines grow quote-words"><b>${title}</b><span>${words}</span></span>`

/** The text of a message about the chat itself; '' for a message that a user or the bot has written. */
function serviceText(message: Message): string {
  const { successful_payment: payment, refunded_payment: refund, forum_topic_created: topic } = message
  if (payment) return `✅ ${t('paidService', { amount: money(payment.total_amount, payment.currency) })}`
  if (refund) return `↩️ ${t('refundedService', { amount: money(refund.total_amount, refund.currency) })}`
  return topic?.name ?? ''
}

type Click = On<Element, MouseEvent>

function bubble(group: Group, isJoined: boolean): VNode {
  const [first] = group
  const last = group.at(-1) ?? first
  const worded = group.find(wordsOf) ?? first
  const words = wordsOf(worded)
  const media = group.flatMap((one) => mediaOf(one) ?? [])
  const classes = `bubble ${media[0] && isVisual(media[0]) ? 'with-media' : ''}`
  const onClick = (event: Click) => isPlainClick(event) && openActions(event, group)
  const onContextMenu = (event: Click) => {
    event.preventDefault()
    openActions(event, group)
  }
  return html`<div class=${classes} data-message-id=${first.message_id} onClick=${onClick} onContextMenu=${onContextMenu}>
    ${senderLine(first, isJoined)}${replyQuote(first)}${media.length > 0 && mediaBlock(media)}${otherContent(first)}
    <div class="body">${words && html`<div class="text" data-testid="text" dir="auto">${textNodes(words, worded.entities ?? worded.caption_entities)}</div>`}
      <button class="meta" title=${t('messageMenu')} data-testid="message-menu">
        ${worded.edit_date && html`<span data-testid="edited">${t('edited')}</span> `}${timeOfDay(last)}</button></div>
    ${last.reactions?.map((one) => html`<span class="pill" data-testid="reaction">${one.type === 'emoji' ? one.emoji : '⭐'}</span>`)}
  </div>`
}

function senderLine(message: Message, isJoined: boolean): ComponentChildren {
  const name = message.via_bot && `@${message.via_bot.username}`
  const via = name && html`<div class="muted" data-testid="via">${t('via', { name })}</div>`
  if (here().isPrivate || isOwn(message) || isJoined) return via
  return html`<b class="sender-name" style=${hueOf(message.from?.id ?? 0)}>${senderName(message)}</b>${via}`
}

/** The quote at the top of a reply shows the original as it is now; if the page does not have it, as it was when it was answered. */
function replyQuote({ reply_to_message: replied, quote }: Message): ComponentChildren {
  const original: Content | undefined =
    replied && (state.messages.find((one) => one.message_id === replied.message_id) ?? replied)
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

/** Whether the click hit no element that handles clicks itself, and did not end a selection of text. */
const isPlainClick = ({ target }: Click): boolean =>
  target instanceof Element &&
  !target.closest('a, button:not(.meta), video, audio, code, pre') &&
  getSelection()?.isCollapsed !== false

/** The clicked element chooses a message of an album. */
function openActions(event: Click, group: Group): void {
  const { target } = event
  const tile = target instanceof Element ? target.closest<HTMLElement>('[data-file]') : null
  const clicked = tile && group.find((one) => mediaOf(one)?.file.file_id === tile.dataset.file)
  const items = [...itemsFor(clicked ?? group.at(-1) ?? group[0])]
  openMenu(event, 'message-actions', t('messageMenu'), items)
}

function* itemsFor(message: Message): Generator<MenuItem> {
  const words = wordsOf(message)
  const media = mediaOf(message)
  const reply = () => {
    update({ context: message })
    focusInput()
  }
  yield { label: t('reply'), sign: 'reply', testid: 'menu-reply', onclick: reply }
  if (words) yield { label: t('copy'), sign: 'copy', testid: 'menu-copy', onclick: () => copyText(words) }
  if (media) {
    const facts = { href: media.url, download: media.name }
    const onclick = () => Object.assign(document.createElement('a'), facts).click()
    yield { label: t('download'), sign: 'download', testid: 'menu-save', onclick }
  }
}
