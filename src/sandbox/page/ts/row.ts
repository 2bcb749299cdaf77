// One row of the conversation: a message, or an album of several. A row consists of slots. A slot is rebuilt only when its content has
// changed, so that an edited keyboard neither stops a playing video nor loses the focus.

import type { Message } from './api.ts'
import type { MessageContext } from './context.ts'
import { type Child, fill, focusedAt, h, iconButton } from './dom.ts'
import { renderText } from './entities.ts'
import { fullDate, timeOfDay } from './format.ts'
import { t } from './i18n.ts'
import { inlineKeyboard, inlineRows } from './inline-keyboard.ts'
import { invoiceCard } from './invoice.ts'
import { mediaNode } from './media.ts'
import { mediaFacts } from './media-facts.ts'
import type { MenuPlace } from './menu.ts'
import { otherContent, serviceText } from './other-content.ts'
import { originalOf, replyQuote, senderName, summary, thumbnailOf } from './quote.ts'

export interface Row {
  readonly element: HTMLElement
  /** @param messages one message or the messages of an album, oldest first */
  update(messages: Group): void
}

export type Group = readonly [Message, ...Message[]]

export function createRow(context: MessageContext): Row {
  const element = h('article.row')
  let shown: Group | undefined
  const parts = createParts()
  listenForMenu(parts, (at, target) => {
    if (shown) context.actions.messageMenu(messageAt(target, shown), at, selectedIn(parts.text))
  })
  const put = createSlots()

  return {
    element,
    update(messages) {
      const [first] = messages
      shown = messages
      const service = serviceText(first)
      describe(element, first, context, service !== undefined)
      if (service !== undefined) return fill(element, h('div.service', { testid: 'service' }, service))
      if (!element.contains(parts.stack)) fill(element, parts.stack)
      return fillParts(parts, put, messages, context)
    },
  }
}

/** Rebuilds a slot if its key has changed. An undefined or null key empties it. */
type Put = (slot: HTMLElement, key: unknown, build: () => Child) => void

function createSlots(): Put {
  const keys = new Map<HTMLElement, string>()
  return (slot, key, build) => {
    const now = JSON.stringify(key ?? null)
    if (keys.get(slot) === now) return
    keys.set(slot, now)
    fill(slot, key === undefined || key === null ? null : build())
  }
}

function describe(element: HTMLElement, first: Message, context: MessageContext, isService: boolean): void {
  element.dataset.messageId = String(first.message_id)
  element.dataset.testid = `message-${first.message_id}`
  element.classList.toggle('service-row', isService)
  element.classList.toggle('out', !isService && context.isOwn(first))
  element.classList.toggle('in', !isService && !context.isOwn(first))
  element.setAttribute('aria-label', `${senderName(first)}, ${timeOfDay(first.date)}`)
}

type Parts = ReturnType<typeof createParts>

function createParts() {
  const slots = {
    sender: h('div.slot-sender'),
    quote: h('div.slot-quote'),
    media: h('div.slot-media'),
    text: h('div.slot-text'),
    reactions: h('div.slot-reactions'),
    foot: h('div.slot-foot'),
  }
  const bubble = h('div.bubble', { testid: 'bubble' }, Object.values(slots))
  const keyboard = h('div.slot-keyboard')
  return { ...slots, bubble, keyboard, stack: h('div.stack', {}, bubble, keyboard) }
}

/** The message of an album whose tile contains the target; otherwise the last message. */
function messageAt(target: EventTarget | null, group: Group): Message {
  const tile = target instanceof Element ? target.closest<HTMLElement>('[data-file]') : null
  const owner = tile && group.find((one) => mediaFacts(one)?.id === tile.dataset.file)
  return owner ?? group.at(-1) ?? group[0]
}

function listenForMenu(
  { bubble }: Parts,
  openMenu: (at: MenuPlace, target: EventTarget | null) => void,
): void {
  const more: HTMLButtonElement = iconButton(
    'more',
    t('messageMenu'),
    'message-menu',
    () => openMenu(more, null),
    {
      'aria-haspopup': 'menu',
    },
  )
  bubble.append(more)
  bubble.addEventListener('click', (event) => {
    if (isPlainClick(event, bubble)) openMenu({ x: event.clientX, y: event.clientY }, event.target)
  })
  bubble.addEventListener('contextmenu', (event) => {
    // The browser has its own menus for a link and a playing video.
    if (isOn(event, 'a, video[controls]')) return
    event.preventDefault()
    onceReleased(event, () => openMenu({ x: event.clientX, y: event.clientY }, event.target))
  })
}

/**
 * Opens the menu after the mouse button is released: browsers close a menu when the button is released beside it, and some send
 * `contextmenu` while the button is still pressed.
 */
function onceReleased({ buttons }: MouseEvent, open: () => void): void {
  if (buttons === 0) open()
  else addEventListener('mouseup', open, { once: true })
}

const isOn = ({ target }: Event, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null

/** Whether the click hit no element that handles clicks itself, and did not end a selection of text. */
function isPlainClick(event: Event, bubble: HTMLElement): boolean {
  const selected = getSelection()
  const isSelecting = selected && !selected.isCollapsed && bubble.contains(selected.anchorNode)
  return (
    !isOn(event, 'a, button, video, audio, input, img, code, pre, .spoiler, [role=button]') && !isSelecting
  )
}

/** The text that is selected within the element, or ''. */
function selectedIn(element: HTMLElement): string {
  const selected = getSelection()
  if (!selected || !element.contains(selected.anchorNode) || !element.contains(selected.focusNode)) return ''
  return selected.toString().trim()
}

function fillParts(parts: Parts, put: Put, messages: Group, context: MessageContext): void {
  const [first] = messages
  const last = messages.at(-1) ?? first
  const worded = messages.find((one) => one.text ?? one.caption) ?? first
  const text = worded.text ?? worded.caption
  const entities = worded.entities ?? worded.caption_entities
  const media = messages.map(mediaFacts).filter((one) => one !== null)
  const isVisual = media[0]?.visual === true
  const { invoice, receipt_message_id: receipt } = last
  const other = otherContent(first)
  const { quote } = first
  const original = originalOf(first, context)

  const showsSender = context.showsSenders && !context.isOwn(first)
  const via = first.via_bot?.username
  put(parts.sender, showsSender || via ? [showsSender && first.from, via] : null, () => [
    showsSender && senderNode(first),
    via && h('span.via', { testid: 'via' }, t('via', { name: `@${via}` })),
  ])
  put(
    parts.quote,
    original && [original.message_id, senderName(original), summary(original), thumbnailOf(original), quote],
    () => original && replyQuote(original, quote?.text, context),
  )
  put(parts.media, media.length > 0 ? media : null, () => mediaNode(media))
  put(parts.text, text || invoice || other ? [text, entities, invoice, receipt, other?.key] : null, () => [
    invoice && invoiceCard(last, invoice, context),
    other?.build(),
    text && h('div.text', { testid: 'text', dir: 'auto' }, renderText(text, entities, context.actions)),
  ])
  put(parts.foot, [last.date, worded.edit_date], () => footNode(last, worded.edit_date))
  put(parts.reactions, last.reactions?.length ? last.reactions : null, () => reactionNodes(last))
  putKeyboard(parts, put, last, context)

  parts.bubble.classList.toggle('bare', isVisual && !text && !invoice && !other)
  parts.bubble.classList.toggle('with-media', isVisual)
  parts.bubble.classList.toggle('caption-first', Boolean(worded.show_caption_above_media))
}

/** A tap often changes the keyboard; the focus then stays at the same place in it. */
function putKeyboard({ keyboard }: Parts, put: Put, message: Message, context: MessageContext): void {
  const rows = inlineRows(message)
  const focused = focusedAt([...keyboard.querySelectorAll('button')])
  const key = [message.message_id, rows, message.receipt_message_id]
  put(keyboard, rows.length > 0 ? key : null, () => inlineKeyboard(message, context))
  if (focused < 0 || keyboard.contains(document.activeElement)) return
  const buttons = keyboard.querySelectorAll('button')
  buttons[Math.min(focused, buttons.length - 1)]?.focus({ preventScroll: true })
}

function senderNode(message: Message): HTMLElement {
  const hue = (Math.abs(message.from?.id ?? 0) * 47) % 360
  return h('span.sender-name', { style: { '--hue': String(hue) } }, senderName(message))
}

function footNode({ date }: Message, editDate: number | undefined): HTMLElement {
  return h(
    'span.meta',
    { title: fullDate(date) },
    editDate && h('span.edited', { testid: 'edited' }, t('edited')),
    h('time', { datetime: new Date(date * 1000).toISOString() }, timeOfDay(date)),
  )
}

const reactionNodes = ({ reactions = [] }: Message) =>
  reactions.map((one) => {
    const words = one.type === 'emoji' ? one.emoji : one.type === 'paid' ? '⭐' : '❔'
    return h('span.reaction', { testid: 'reaction' }, words)
  })
