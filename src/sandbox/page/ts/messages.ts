// The messages of the open topic as rows in sections of days, each a message or an album with its menu, and the drafts of the bot at the end. The
// box is a reversed column, so that the browser itself keeps the newest message in view when messages come, pictures load or a keyboard opens.

import { html } from 'htm/preact'
import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import {
  type Draft,
  fullName,
  ignoreRefusal,
  inlineRows,
  type Message,
  type On,
  request,
  wordsOf,
} from './api.ts'
import { fileName, isVisual, mediaBlock, mediaOf, textNodes } from './content.ts'
import { dayName, fullDate, money, t, timeOfDay } from './i18n.ts'
import { hueOf, iconButton } from './icons.ts'
import { inlineKeyboard, invoiceCard } from './keyboards.ts'
import { focusInput, jumpTo } from './session.ts'
import {
  copyText,
  here,
  isOwn,
  type Menu,
  type MenuItem,
  openMenu,
  setText,
  shownMessages,
  state,
  told,
  update,
} from './state.ts'

const nearEndPx = 80

export const conversation = () => html`<${Conversation} key=${state.topic ?? 0} />`

function Conversation() {
  const box = useRef<HTMLDivElement>(null)
  const [isAtEnd, setAtEnd] = useState(true)
  const newest = shownMessages().at(-1)
  // The user's own new message is always scrolled into view.
  useEffect(() => {
    if (newest && isOwn(newest)) box.current?.scrollTo(0, 0)
  }, [newest?.message_id])
  const onScroll = ({ currentTarget }: On) => setAtEnd(currentTarget.scrollTop > -nearEndPx)
  return html`<div class="conversation">
    <div ref=${box} class="scroll" data-testid="scroll" tabindex="-1" onScroll=${onScroll}>
      <div class="scroll-content"><div role="log" aria-label=${t('messages')} data-testid="messages">${days()}</div>
        ${state.drafts.map(draftRow)}</div>
    </div>
    ${iconButton('down', t('jumpDown'), 'to-bottom', { hidden: isAtEnd, onClick: () => box.current?.scrollTo(0, 0) })}
  </div>`
}

/** One message or the messages of an album, oldest first. */
type Group = readonly [Message, ...Message[]]

/** The messages of an album share one row. */
const keyOf = (message: Message) => message.media_group_id ?? message.message_id

/** Whether two rows are drawn close together: one sender wrote both within a few minutes. */
const joins = (above: Group | undefined, below: Group): boolean =>
  above?.[0].from?.id === below[0].from?.id && below[0].date - Number(above?.[0].date) < 300

function days() {
  const groups = [...Map.groupBy(shownMessages(), keyOf).values()].flatMap(([first, ...others]): Group[] =>
    first ? [[first, ...others]] : [],
  )
  const rows = groups.map((group, at) => ({
    day: dayName(group[0].date),
    view: row(group, joins(groups[at - 1], group)),
  }))
  const byDay = [...Map.groupBy(rows, ({ day }) => day)]
  return byDay.map(
    ([day, inDay]) => html`<section key=${day}>
      <div class="day"><span class="pill" data-testid="day">${day}</span></div>${inDay.map(({ view }) => view)}</section>`,
  )
}

/** A message that the bot is still writing. */
function draftRow({ text, entities, can_stop: canStop, draft_id }: Draft) {
  const body = { from: state.userId, draft_id }
  // A draft that has just ended cannot be stopped, which is of no interest to the user.
  const stop = () => request('POST /api/chats/:chatId/stop', body, state.chatId).catch(ignoreRefusal)
  const words = text ? [...textNodes(text, entities), '…'] : html`<span class="muted">${t('thinking')}</span>`
  return html`<div class="row in draft" key=${draft_id} data-testid="draft" aria-label=${t('botDraft')}><div class="stack">
    <div class="bubble"><div class="text" dir="auto">${words}</div></div>
    <button class="key stop" data-testid="stop-draft" aria-label=${t('stopDraft')} hidden=${!canStop} onClick=${stop}>
      ${t('stop')}</button>
  </div></div>`
}

/** A message, or a quoted one. */
type Content = Partial<Omit<Message, 'reply_to_message'>> & Pick<Message, 'chat' | 'message_id'>

export const senderName = ({ from, sender_chat, chat }: Content): string =>
  fullName(from ?? sender_chat ?? chat)

/** A message in one line, for quotes and the chat list. */
export function summary(message: Partial<Message>): string {
  const { photo, video, video_note: note, voice, audio, document, invoice } = message
  const words = wordsOf(message).replace(/[^\S\u00a0]+/g, ' ')
  if (words) return words
  if (photo) return t('photo')
  if (video ?? note) return t('video')
  if (voice) return t('voice')
  if (audio) return audio.title ?? audio.file_name ?? t('attachAudio')
  if (document) return document.file_name ?? t('attachFile')
  return invoice ? `${t('invoice')}: ${invoice.title}` : t('message')
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
function row(group: Group, isJoined: boolean): VNode {
  const [first] = group
  const last = group.at(-1) ?? first
  const service = serviceText(first)
  const side = service ? 'service' : isOwn(first) ? 'out' : 'in'
  const ids = group.map((one) => one.message_id).join(' ')
  const keyboard = inlineRows(last).length > 0 && inlineKeyboard(last)
  const shown = service
    ? html`<div class="pill" data-testid="service">${service}</div>`
    : html`<div class="stack">${bubble(group, isJoined)}${keyboard}</div>`
  return html`<article key=${keyOf(first)} class="row ${side} ${isJoined ? 'joined' : ''}" data-ids=${ids}
    data-message-id=${first.message_id} data-testid="message-${first.message_id}"
    aria-label="${senderName(first)}, ${timeOfDay(first.date)}">${shown}</article>`
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
  const name = message.via_bot && `@${message.via_bot.username}`
  const via = name && html`<div class="muted" data-testid="via">${t('via', { name })}</div>`
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
  return !isOn(event, 'a, button, video, audio, code, pre') && !isSelecting
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
  const reply = (quote?: string) => {
    update({ context: { kind: 'reply', message, ...(quote && { quote }) } })
    focusInput()
  }
  yield { label: t('reply'), sign: 'reply', testid: 'menu-reply', onclick: () => reply() }
  // A selection may contain text that is not of the message.
  if (selected && words.includes(selected)) {
    const note = selected.slice(0, 60)
    yield { label: t('quote'), note, sign: 'quote', testid: 'menu-quote', onclick: () => reply(selected) }
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

/** Puts the text of an own message into the input. */
function edit(message: Message): void {
  update({ context: { kind: 'edit', message } })
  setText(message.text ?? '')
  focusInput()
}

const remove = ({ message_id }: Message) =>
  told(request('POST /api/chats/:chatId/deletions', { from: state.userId, message_id }, state.chatId))
