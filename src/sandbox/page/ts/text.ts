// Texts with Telegram's entities. Offsets are UTF-16 code units, as in JavaScript strings. Entities may nest. Overlapping ones, which
// Telegram splits itself, are cut where the outer one ends. Kinds that the page does not know, and unsafe links, stay text.

import { html } from 'htm/preact'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { MessageEntity } from './api.ts'
import { t } from './i18n.ts'
import { icon, iconButton } from './icons.ts'
import { followLink, safeUrl, send } from './session.ts'
import { copyText } from './state.ts'

/** The page adds one kind of its own: text that has just come into a draft. */
type Entity = MessageEntity | { type: 'fresh'; offset: number; length: number }

const outerFirst = (a: Entity, b: Entity) => a.offset - b.offset || b.length - a.length

export const textNodes = (text: string, entities: readonly Entity[] = []): ComponentChildren[] =>
  nodesIn(text, 0, text.length, entities.toSorted(outerFirst))

const isBlock = ({ type }: Entity) => /^pre$|blockquote$/.test(type)

function nodesIn(text: string, from: number, to: number, entities: readonly Entity[]): ComponentChildren[] {
  const nodes: ComponentChildren[] = []
  let at = from
  let rest = entities
  for (let [entity] = rest; entity; [entity] = rest) {
    rest = rest.slice(1)
    const start = Math.max(entity.offset, at)
    const end = Math.min(entity.offset + entity.length, to)
    if (end <= start) continue
    if (start > at) nodes.push(text.slice(at, start))
    const inner = rest.filter((one) => one.offset < end)
    nodes.push(entityNode(entity, text.slice(start, end), nodesIn(text, start, end, inner)))
    rest = rest.flatMap((one) => after(one, end)).sort(outerFirst)
    // A block element ends its line itself; the line break after it would be an empty line.
    at = isBlock(entity) && text[end] === '\n' ? end + 1 : end
  }
  if (at < to) nodes.push(text.slice(at, to))
  return nodes
}

/** The part of an entity that is after `end`. */
function after(entity: Entity, end: number): Entity[] {
  const over = entity.offset + entity.length - end
  if (entity.offset >= end) return [entity]
  return over > 0 ? [{ ...entity, offset: end, length: over }] : []
}

const tagOf = (type: string) =>
  ({ bold: 'strong', italic: 'em', underline: 'u', strikethrough: 's', blockquote: 'blockquote' })[type] ??
  'span'
const marks = ['mention', 'text_mention', 'hashtag', 'cashtag', 'custom_emoji']

function entityNode(entity: Entity, text: string, inside: ComponentChildren): ComponentChildren {
  const { type } = entity
  const copy = () => getSelection()?.isCollapsed !== false && copyText(text)
  switch (type) {
    case 'code':
      return html`<code title=${t('copyCode')} data-testid="code" onClick=${copy}>${inside}</code>`
    case 'pre':
      return html`<figure class="code-block" data-testid="code-block"><figcaption class="line muted">
        <span class="grow">${entity.language}</span>${iconButton('copy', t('copyCode'), 'code-copy', { onClick: copy })}
      </figcaption><pre tabindex="0"><code>${inside}</code></pre></figure>`
    case 'spoiler':
      return html`<${Spoiler}>${inside}</${Spoiler}>`
    case 'expandable_blockquote':
      return html`<${Expandable}>${inside}</${Expandable}>`
    case 'bot_command':
      return html`<button class="mention" data-testid="command-link" onClick=${() => send({ text })}>${text}</button>`
    case 'url':
      return link(text, inside, false)
    case 'email':
      return link(`mailto:${text}`, inside, false)
    case 'phone_number':
      return link(`tel:${text}`, inside, false)
    case 'text_link':
      return link(entity.url, inside, true)
    case 'fresh':
      return html`<span class="fresh">${inside}</span>`
    default:
      return html`<${tagOf(type)} class=${marks.includes(type) ? 'mention' : undefined}>${inside}</>`
  }
}

function link(url: string, inside: ComponentChildren, isDisguised: boolean): ComponentChildren {
  const href = safeUrl(url)?.href
  if (!href) return html`<span>${inside}</span>`
  const onClick = (event: Event) => followLink(href, isDisguised) && event.preventDefault()
  return html`<a href=${href} title=${href} target="_blank" rel="noopener noreferrer" data-testid="link" onClick=${onClick}>
    ${inside}</a>`
}

interface Inside {
  readonly children?: ComponentChildren
}

function Spoiler({ children }: Inside) {
  const [isShown, setShown] = useState(false)
  if (isShown) return html`<span class="tinted">${children}</span>`
  // Listens in the capture phase, so that the click which uncovers the text does not also click a link or command under it.
  const uncover = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
    setShown(true)
  }
  const onKeyDown = (event: KeyboardEvent) => [' ', 'Enter'].includes(event.key) && uncover(event)
  return html`<span class="spoiler" role="button" tabindex="0" aria-label=${t('spoiler')} data-testid="spoiler"
    onClickCapture=${uncover} onKeyDown=${onKeyDown}><span aria-hidden="true">${children}</span></span>`
}

function Expandable({ children }: Inside) {
  const [isOpen, setOpen] = useState(false)
  const [isCut, setCut] = useState(true)
  const ref = useRef<HTMLDivElement>(null)
  // The drawn quote is measured, since its height depends on the width. A quote that is completely visible has no toggle.
  useLayoutEffect(() => {
    const element = ref.current
    if (!element || isOpen) return
    const watcher = new ResizeObserver(() => setCut(element.scrollHeight > element.clientHeight + 1))
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [isOpen])
  // As in Telegram, a click anywhere in the quote opens it, except on something that takes clicks itself.
  const onClick = (event: Event) => {
    const isOther = event.target instanceof Element && event.target.closest('a, button, code, .spoiler')
    if (!isCut || isOpen || isOther || !getSelection()?.isCollapsed) return
    event.stopPropagation()
    setOpen(true)
  }
  return html`<blockquote class="expandable ${isOpen ? 'open' : ''}">
    <div ref=${ref} class="quote-text" onClick=${onClick}>${children}</div>
    <button class="quote-toggle" data-testid="quote-toggle" hidden=${!isCut} aria-expanded=${isOpen}
      aria-label=${t(isOpen ? 'showLess' : 'showMore')} onClick=${() => setOpen(!isOpen)}>${icon('chevron')}</button>
  </blockquote>`
}
