// Texts with Telegram's entities. Offsets are UTF-16 code units, as in JavaScript strings. Entities are nested or apart. Kinds that the page
// does not know, and unsafe links, stay text.

import { html } from 'htm/preact'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { MessageEntity } from './api.ts'
import { t } from './i18n.ts'
import { icon } from './icons.ts'
import { followLink, safeUrl, send } from './session.ts'
import { copyText } from './state.ts'

export function textNodes(
  text: string,
  entities: readonly MessageEntity[] = [],
  from = 0,
  to = text.length,
): ComponentChildren[] {
  const [first, ...rest] = entities.toSorted((a, b) => a.offset - b.offset || b.length - a.length)
  if (!first) return [text.slice(from, to)]
  const end = first.offset + first.length
  const inside = textNodes(
    text,
    rest.filter((one) => one.offset < end),
    first.offset,
    end,
  )
  // A block element ends its line itself; the line break after it would be an empty line.
  const isBlock = /^pre$|blockquote$/.test(first.type)
  const next = isBlock && text[end] === '\n' ? end + 1 : end
  const after = textNodes(
    text,
    rest.filter((one) => one.offset >= end),
    next,
    to,
  )
  return [text.slice(from, first.offset), entityNode(first, text.slice(first.offset, end), inside), ...after]
}

const tagOf = (type: string) =>
  ({ bold: 'strong', italic: 'em', underline: 'u', strikethrough: 's', blockquote: 'blockquote' })[type] ??
  'span'
const marks = ['mention', 'text_mention', 'hashtag', 'cashtag', 'custom_emoji']

function entityNode(entity: MessageEntity, text: string, inside: ComponentChildren): ComponentChildren {
  const { type } = entity
  const copy = () => getSelection()?.isCollapsed !== false && copyText(text)
  switch (type) {
    case 'code':
      return html`<code title=${t('copyCode')} data-testid="code" onClick=${copy}>${inside}</code>`
    case 'pre':
      return html`<pre tabindex="0" title=${t('copyCode')} data-testid="code-block" onClick=${copy}><small>${entity.language}</small>
        <code>${inside}</code></pre>`
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
    case 'text_link':
      return link(entity.url, inside, true)
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
  return html`<button class="spoiler" aria-label=${t('spoiler')} data-testid="spoiler" onClick=${() => setShown(true)}>
    <span aria-hidden="true" inert>${children}</span></button>`
}

function Expandable({ children }: Inside) {
  const [isOpen, setOpen] = useState(false)
  return html`<blockquote class="expandable ${isOpen ? 'open' : ''}"><div class="quote-text">${children}</div>
    <button class="quote-toggle" data-testid="quote-toggle" aria-expanded=${isOpen}
      aria-label=${t(isOpen ? 'showLess' : 'showMore')} onClick=${() => setOpen(!isOpen)}>${icon('chevron')}</button>
  </blockquote>`
}
