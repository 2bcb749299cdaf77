// One row of the conversation: a message, or an album of several. A row is made of slots that are rebuilt only when
// what they show has changed, so that an edited keyboard neither stops a playing video nor loses the focus.

import { fill, h, iconButton } from './dom.ts'
import { renderText } from './entities.ts'
import { fullDate, timeOfDay } from './format.ts'
import { t } from './i18n.ts'
import { inlineKeyboard } from './inline-keyboard.ts'
import { invoiceCard } from './invoice.ts'
import { mediaKey, mediaNode } from './media.ts'
import { otherContent } from './other-content.ts'
import { replyQuote, senderName } from './quote.ts'
import { serviceText } from './service.ts'

/**
 * @typedef {object} RowContext
 * @property {object} actions what a press in a message can do
 * @property {(message: object) => boolean} isOwn
 * @property {boolean} showsSenders
 * @property {(id: number) => object} find a message of this chat
 */

/** @param {RowContext} context */
export function createRow(context) {
  const element = h('article.row')
  const slots = new Map()
  let shown = []

  /** Rebuilds one slot if its key has changed; an empty key empties it. */
  const put = (slot, key, build) => {
    const now = JSON.stringify(key ?? null)
    if (slots.get(slot.className) === now) return
    slots.set(slot.className, now)
    fill(slot, key === undefined || key === null ? null : build())
  }

  const parts = bubbleParts(() => shown.at(-1), context)

  return {
    element,
    get messages() {
      return shown
    },
    update(messages) {
      shown = messages
      const service = serviceText(messages[0], context)
      describe(element, messages, context, Boolean(service))
      if (service) return showService(element, service)
      if (!element.contains(parts.stack)) fill(element, parts.stack)
      fillParts(parts, put, messages, context)
    },
  }
}

const showService = (element, text) => fill(element, h('div.service', { testid: 'service' }, text))

function describe(element, messages, context, isService) {
  const [first] = messages
  element.dataset.messageId = String(first.message_id)
  element.dataset.testid = `message-${first.message_id}`
  element.classList.toggle('service-row', isService)
  element.classList.toggle('out', !isService && context.isOwn(first))
  element.classList.toggle('in', !isService && !context.isOwn(first))
  element.setAttribute('aria-label', `${senderName(first)}, ${timeOfDay(first.date)}`)
}

function bubbleParts(message, context) {
  const names = ['sender', 'quote', 'media', 'text', 'reactions', 'foot']
  const slots = Object.fromEntries(names.map((name) => [name, h(`div.slot-${name}`)]))
  const openMenu = (at) => context.actions.messageMenu(message(), at, selectedIn(slots.text))
  const more = iconButton('more', t('messageMenu'), 'message-menu', () => openMenu(more), {
    'aria-haspopup': 'menu',
  })
  const bubble = h('div.bubble', { testid: 'bubble' }, Object.values(slots), more)
  bubble.addEventListener('click', (event) => {
    if (isPlainPress(event, bubble)) openMenu({ x: event.clientX, y: event.clientY })
  })
  bubble.addEventListener('contextmenu', (event) => {
    if (event.target.closest('a, video, img')) return
    event.preventDefault()
    openMenu({ x: event.clientX, y: event.clientY })
  })
  const keyboard = h('div.slot-keyboard')
  return { ...slots, bubble, keyboard, stack: h('div.stack', {}, bubble, keyboard) }
}

/** What a person has marked in these words, to be quoted. */
function selectedIn(words) {
  const selected = getSelection()
  const isInside = words.contains(selected?.anchorNode) && words.contains(selected?.focusNode)
  return isInside ? selected.toString().trim() : ''
}

/** A press that is not on something of its own, and not the end of a selection of text. */
function isPlainPress(event, bubble) {
  const busy = event.target.closest('a, button, video, audio, input, img, code, pre, .spoiler, [role=button]')
  const selected = getSelection()
  const selecting = selected && !selected.isCollapsed && bubble.contains(selected.anchorNode)
  return !busy && !selecting
}

function fillParts(parts, put, messages, context) {
  const [first] = messages
  const last = messages.at(-1)
  const worded = messages.find((one) => one.text ?? one.caption) ?? first
  const text = worded.text ?? worded.caption
  const entities = worded.entities ?? worded.caption_entities
  const media = messages.map(mediaKey)
  const { invoice } = last
  const other = otherContent(first)
  const hasMedia = media.some(Boolean)

  put(parts.sender, context.showsSenders && !context.isOwn(first) ? [first.from] : null, () =>
    h(
      'span.sender-name',
      { style: { '--hue': String((Math.abs(first.from?.id ?? 0) * 47) % 360) } },
      senderName(first),
    ),
  )
  put(parts.quote, replyKey(first), () => replyQuote(first, context))
  put(parts.media, hasMedia ? media : null, () => mediaNode(messages, context))
  const body = text || invoice || other ? [text, entities, invoice, other?.key] : null
  put(parts.text, body, () => [
    invoice && invoiceCard(last, invoice, context),
    other?.build(context),
    text && h('div.text', { testid: 'text', dir: 'auto' }, renderText(text, entities, context.actions)),
  ])
  put(parts.foot, [last.date, worded.edit_date], () => foot(last, worded.edit_date))
  put(parts.reactions, last.reactions?.length ? last.reactions : null, () => reactions(last.reactions))
  putKeyboard(parts, put, last, context)

  parts.bubble.classList.toggle('bare', hasMedia && !text && !invoice && !other && Boolean(media[0]?.visual))
  parts.bubble.classList.toggle('with-media', Boolean(media[0]?.visual))
  parts.bubble.classList.toggle('caption-first', Boolean(worded.show_caption_above_media))
}

/** The focus stays at the same place of the keyboard when a press changes it, as it often does. */
function putKeyboard(parts, put, message, context) {
  const rows = message.reply_markup?.inline_keyboard
  const focused = [...parts.keyboard.querySelectorAll('button')].indexOf(document.activeElement)
  put(parts.keyboard, rows?.length ? [message.message_id, rows] : null, () =>
    inlineKeyboard(message, context),
  )
  if (focused < 0 || parts.keyboard.contains(document.activeElement)) return
  const buttons = parts.keyboard.querySelectorAll('button')
  buttons[Math.min(focused, buttons.length - 1)]?.focus({ preventScroll: true })
}

const replyKey = (message) =>
  message.reply_to_message
    ? [message.reply_to_message.message_id, message.reply_to_message.edit_date, message.quote]
    : null

function foot(message, editDate) {
  return h(
    'span.meta',
    { title: fullDate(message.date) },
    editDate && h('span.edited', { testid: 'edited' }, t('edited')),
    h('time', { datetime: new Date(message.date * 1000).toISOString() }, timeOfDay(message.date)),
  )
}

const reactions = (all) =>
  all.map((one) =>
    h('span.reaction', { testid: 'reaction' }, one.emoji ?? (one.type === 'paid' ? '⭐' : '❔')),
  )
