// One node for each kind of entity. Links open only what a chat may open; everything else stays text.

import { copyText } from './dialog.ts'
import { h, icon, iconButton } from './dom.ts'
import { fullDate } from './format.ts'
import { t } from './i18n.ts'

const plain = {
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

const blocks = new Set(['pre', 'blockquote', 'expandable_blockquote'])
export const isBlock = (entity) => blocks.has(entity.type)

const special = {
  code: (_entity, text, children) => codeNode(text, children),
  pre: (entity, text, children) => preNode(entity.language, text, children),
  spoiler: (_entity, _text, children) => spoilerNode(children),
  blockquote: (_entity, _text, children) => h('blockquote', {}, children),
  expandable_blockquote: (_entity, _text, children) => expandableNode(children),
  bot_command: (_entity, text, _children, actions) => commandNode(text, actions),
  url: (_entity, text, children, actions) => linkNode(text, children, actions, false),
  email: (_entity, text, children, actions) => linkNode(`mailto:${text}`, children, actions, false),
  phone_number: (_entity, text, children, actions) => linkNode(`tel:${text}`, children, actions, false),
  text_link: (entity, _text, children, actions) => linkNode(entity.url, children, actions, true),
  date_time: (entity, _text, children) => h('time', { title: fullDate(entity.unix_time) }, children),
}

export function entityNode(entity, text, children, actions) {
  const make = special[entity.type]
  if (make) return make(entity, text, children, actions)
  return plain[entity.type] ? h(plain[entity.type], {}, children) : h('span', {}, children)
}

function codeNode(text, children) {
  const copy = () => getSelection()?.isCollapsed !== false && copyText(text)
  return h('code', { title: t('copyCode'), testid: 'code', onclick: copy }, children)
}

function preNode(language, text, children) {
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

function spoilerNode(children) {
  const inside = h('span.spoiler-text', { 'aria-hidden': 'true' }, children)
  const show = () => {
    if (element.classList.contains('shown')) return
    element.classList.add('shown')
    for (const name of ['role', 'tabindex', 'aria-label']) element.removeAttribute(name)
    inside.removeAttribute('aria-hidden')
  }
  const onkeydown = (event) => (event.key === 'Enter' || event.key === ' ') && show()
  const element = h(
    'span.spoiler',
    { role: 'button', tabindex: '0', label: t('spoiler'), testid: 'spoiler', onclick: show, onkeydown },
    inside,
  )
  // What lies under a spoiler (a link, a command) must not be pressed by the press that uncovers it.
  element.addEventListener(
    'click',
    (event) => {
      if (element.classList.contains('shown')) return
      event.preventDefault()
      event.stopPropagation()
      show()
    },
    true,
  )
  return element
}

function expandableNode(children) {
  const toggle = h('button.quote-toggle', { testid: 'quote-toggle', 'aria-expanded': 'false' })
  const setOpen = (open) => {
    element.classList.toggle('open', open)
    toggle.setAttribute('aria-expanded', String(open))
    toggle.setAttribute('aria-label', open ? t('showLess') : t('showMore'))
  }
  toggle.append(icon('chevron'))
  toggle.addEventListener('click', () => setOpen(!element.classList.contains('open')))
  // As in Telegram, the whole quote is the button that opens it.
  const press = (event) => {
    const hasOwn = event.target.closest('a, button, code, .spoiler') || !getSelection()?.isCollapsed
    if (toggle.hidden || hasOwn || element.classList.contains('open')) return
    event.stopPropagation()
    setOpen(true)
  }
  const inside = h('div.quote-text', { onclick: press }, children)
  const element = h('blockquote.expandable', {}, inside, toggle)
  setOpen(false)
  hideWhileWhole(toggle, element, inside)
  return element
}

/** A quote of a few lines hides nothing: there is nothing to expand. What counts is its size on the screen. */
function hideWhileWhole(toggle, element, inside) {
  const watcher = new ResizeObserver(() => {
    if (!element.classList.contains('open')) toggle.hidden = inside.scrollHeight <= inside.clientHeight + 1
  })
  watcher.observe(inside)
}

const commandNode = (text, actions) =>
  h('button.text-button', { testid: 'command-link', onclick: () => actions.command(text) }, text)

const openable = new Set(['http:', 'https:', 'mailto:', 'tel:', 'tg:'])

/** @returns {string | undefined} an address that is safe to open */
export function safeUrl(url) {
  const whole = /^[a-z][a-z0-9+.-]*:/i.test(url) && !/^[^/]+:\d/.test(url) ? url : `http://${url}`
  try {
    const parsed = new URL(whole)
    return openable.has(parsed.protocol) ? parsed.href : undefined
  } catch {
    return undefined
  }
}

/** @param {boolean} disguised the words differ from the address, so the address is shown before it is opened */
function linkNode(url, children, actions, disguised) {
  const href = safeUrl(url)
  if (!href) return h('span', {}, children)
  const onclick = (event) => {
    if (!actions.link(href, disguised)) return
    event.preventDefault()
  }
  const attributes = {
    href,
    title: href,
    target: '_blank',
    rel: 'noopener noreferrer',
    testid: 'link',
    onclick,
  }
  return h('a', attributes, children)
}
