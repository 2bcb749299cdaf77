// One element for each kind of entity. Kinds that the page does not know, and unsafe links, stay text.

import type { MessageEntity } from './api.ts'
import type { TextActions } from './context.ts'
import { copyText } from './dialog.ts'
import { type Child, h, icon, iconButton, type Tag } from './dom.ts'
import { fullDate } from './format.ts'
import { t } from './i18n.ts'
import { safeUrl } from './links.ts'

/** The page adds one kind of its own: text that has just come into a draft. */
export type Entity = MessageEntity | { type: 'fresh'; offset: number; length: number }

const plain: Readonly<Record<string, Tag>> = {
  bold: 'strong',
  italic: 'em',
  underline: 'u',
  strikethrough: 's',
  mention: 'span.mention',
  text_mention: 'span.mention',
  hashtag: 'span.mention',
  cashtag: 'span.mention',
  custom_emoji: 'span.custom-emoji',
  fresh: 'span.fresh',
}

export const isBlock = ({ type }: Entity): boolean =>
  type === 'pre' || type === 'blockquote' || type === 'expandable_blockquote'

type Children = readonly (Node | string)[]

export function entityNode(entity: Entity, text: string, children: Children, actions: TextActions): Node {
  switch (entity.type) {
    case 'code':
      return codeNode(text, children)
    case 'pre':
      return preNode(entity.language, text, children)
    case 'spoiler':
      return spoilerNode(children)
    case 'blockquote':
      return h('blockquote', {}, children)
    case 'expandable_blockquote':
      return expandableNode(children)
    case 'bot_command':
      return commandNode(text, actions)
    case 'url':
      return linkNode(text, children, actions, false)
    case 'email':
      return linkNode(`mailto:${text}`, children, actions, false)
    case 'phone_number':
      return linkNode(`tel:${text}`, children, actions, false)
    case 'text_link':
      return linkNode(entity.url, children, actions, true)
    case 'date_time':
      return h('time', { title: fullDate(entity.unix_time) }, children)
    default:
      return h(plain[entity.type] ?? 'span', {}, children)
  }
}

function codeNode(text: string, children: Child): HTMLElement {
  const copy = () => getSelection()?.isCollapsed !== false && copyText(text)
  return h('code', { title: t('copyCode'), testid: 'code', onclick: copy }, children)
}

function preNode(language: string | undefined, text: string, children: Child): HTMLElement {
  return h(
    'figure.code-block',
    { testid: 'code-block' },
    h(
      'figcaption',
      {},
      h('span', {}, language ?? ''),
      iconButton('copy', t('copyCode'), 'code-copy', () => copyText(text)),
    ),
    h('pre', { tabindex: '0' }, h('code', {}, children)),
  )
}

function spoilerNode(children: Child): HTMLElement {
  const inside = h('span.spoiler-text', { 'aria-hidden': 'true' }, children)
  const element = h(
    'span.spoiler',
    { role: 'button', tabindex: '0', label: t('spoiler'), testid: 'spoiler' },
    inside,
  )
  const isShown = () => element.classList.contains('shown')
  const show = () => {
    element.classList.add('shown')
    for (const name of ['role', 'tabindex', 'aria-label']) element.removeAttribute(name)
    inside.removeAttribute('aria-hidden')
  }
  element.addEventListener('keydown', ({ key }) => {
    if (!isShown() && (key === 'Enter' || key === ' ')) show()
  })
  // Listens in the capture phase, so that the click which uncovers the text does not also click a link or command under it.
  const uncover = (event: Event) => {
    if (isShown()) return
    event.preventDefault()
    event.stopPropagation()
    show()
  }
  element.addEventListener('click', uncover, true)
  return element
}

function expandableNode(children: Child): HTMLElement {
  const toggle = h(
    'button.quote-toggle',
    { testid: 'quote-toggle', 'aria-expanded': 'false' },
    icon('chevron'),
  )
  const inside = h('div.quote-text', {}, children)
  const element = h('blockquote.expandable', {}, inside, toggle)
  const setOpen = (open: boolean) => {
    element.classList.toggle('open', open)
    toggle.setAttribute('aria-expanded', String(open))
    toggle.setAttribute('aria-label', open ? t('showLess') : t('showMore'))
  }
  toggle.addEventListener('click', () => setOpen(!element.classList.contains('open')))
  // As in Telegram, a click anywhere in the quote opens it, except on something that takes clicks itself.
  inside.addEventListener('click', (event) => {
    const isOther = isInside(event.target, 'a, button, code, .spoiler') || !getSelection()?.isCollapsed
    if (toggle.hidden || isOther || element.classList.contains('open')) return
    event.stopPropagation()
    setOpen(true)
  })
  setOpen(false)
  hideWhileWhole(toggle, element, inside)
  return element
}

const isInside = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null

/** Hides the toggle of a quote that is completely visible. It measures the drawn quote, since that depends on the width. */
function hideWhileWhole(toggle: HTMLElement, element: HTMLElement, inside: HTMLElement): void {
  const watcher = new ResizeObserver(() => {
    if (!element.classList.contains('open')) toggle.hidden = inside.scrollHeight <= inside.clientHeight + 1
  })
  watcher.observe(inside)
}

const commandNode = (text: string, actions: TextActions) =>
  h('button.text-button', { testid: 'command-link', onclick: () => actions.command(text) }, text)

function linkNode(url: string, children: Child, actions: TextActions, disguised: boolean): HTMLElement {
  const href = safeUrl(url)
  if (!href) return h('span', {}, children)
  const onclick = (event: Event) => {
    if (actions.link(href, disguised)) event.preventDefault()
  }
  return h(
    'a',
    { href, title: href, target: '_blank', rel: 'noopener noreferrer', testid: 'link', onclick },
    children,
  )
}
