// What a message contains: its text with Telegram's entities, and its media. Offsets are UTF-16 code units, as in JavaScript strings. Entities are
// nested or apart; kinds that the page does not know, and unsafe links, stay text. Several media make an album. Pictures open in a tab;
// sound and video play in the browser's own players.

import type { Audio, Document, Video } from 'grammy/types'
import { html } from 'htm/preact'
import type { ComponentChildren, VNode } from 'preact'
import { useState } from 'preact/hooks'
import { fileUrl, type Message, type MessageEntity } from './api.ts'
import { fileSize, t } from './i18n.ts'
import { followLink, safeUrl, send } from './session.ts'
import { copyText } from './state.ts'
import { icon, twoLines } from './ui.ts'

export function textNodes(
  text: string,
  entities: readonly MessageEntity[] = [],
  from = 0,
  to = text.length,
): ComponentChildren[] {
  const [first, ...rest] = entities.toSorted((a, b) => a.offset - b.offset || b.length - a.length)
  if (!first) return [text.slice(from, to)]
  const end = first.offset + first.length
  const within = rest.filter((one) => one.offset < end)
  const after = rest.filter((one) => one.offset >= end)
  const inside = textNodes(text, within, first.offset, end)
  // A block element ends its line itself; the line break after it would be an empty line.
  const isBlock = /^pre$|blockquote$/.test(first.type)
  const next = isBlock && text[end] === '\n' ? end + 1 : end
  const node = entityNode(first, text.slice(first.offset, end), inside)
  return [text.slice(from, first.offset), node, ...textNodes(text, after, next, to)]
}

const tags: Readonly<Record<string, string>> = {
  ...{ bold: 'strong', italic: 'em', underline: 'u', strikethrough: 's', blockquote: 'blockquote' },
}
const marks = ['mention', 'text_mention', 'hashtag', 'cashtag', 'custom_emoji']

function entityNode(entity: MessageEntity, text: string, inside: ComponentChildren): ComponentChildren {
  const { type } = entity
  const copy = () => getSelection()?.isCollapsed !== false && copyText(text)
  switch (type) {
    case 'code':
      return html`<code title=${t('copy')} data-testid="code" onClick=${copy}>${inside}</code>`
    case 'pre':
      return html`<pre tabindex="0" title=${t('copy')} data-testid="code-block" onClick=${copy}><small>${entity.language}</small>
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
      return html`<${tags[type] ?? 'span'} class=${marks.includes(type) ? 'mention' : undefined}>${inside}</>`
  }
}

function link(url: string, inside: ComponentChildren, isDisguised: boolean): ComponentChildren {
  const href = safeUrl(url)?.href
  if (!href) return html`<span>${inside}</span>`
  const onClick = (event: Event) => followLink(href, isDisguised) && event.preventDefault()
  return html`<a href=${href} title=${href} target="_blank" rel="noopener noreferrer" data-testid="link" onClick=${onClick}>
    ${inside}</a>`
}

type Inside = Readonly<{ children?: ComponentChildren }>

function Spoiler({ children }: Inside) {
  const [isShown, setShown] = useState(false)
  if (isShown) return html`<span>${children}</span>`
  return html`<button class="spoiler" aria-label=${t('spoiler')} data-testid="spoiler" onClick=${() => setShown(true)}>
    <span aria-hidden="true" inert>${children}</span></button>`
}

function Expandable({ children }: Inside) {
  const [isOpen, setOpen] = useState(false)
  return html`<blockquote class="expandable ${isOpen ? 'open' : ''}"><div class="quote-text">${children}</div>
    <button class="quote-toggle" data-testid="quote-toggle" aria-expanded=${isOpen}
      aria-label=${t('showMore')} onClick=${() => setOpen(!isOpen)}>${icon('chevron')}</button>
  </blockquote>`
}

/** The fields that Telegram's kinds of files have. */
type File = Pick<Video, 'file_id'> & Partial<Video & Audio & Document>

const kinds = ['photo', 'video', 'voice', 'audio', 'document'] as const
/** The endings of the files that come without a name. */
const endings: Readonly<Record<string, string>> = { photo: 'jpg', voice: 'ogg' }

interface Media {
  readonly kind: (typeof kinds)[number]
  readonly file: File
  /** The name under which it is saved. */
  readonly name: string
  readonly url: string
}

export function mediaOf(message: Message): Media | undefined {
  const photo = message.photo?.toSorted((a, b) => b.width - a.width)[0]
  const kind = kinds.find((one) => message[one])
  const file: File | undefined = kind === 'photo' ? photo : kind && message[kind]
  if (!kind || !file) return undefined
  const name = file.file_name ?? `${kind}_${message.message_id}.${endings[kind] ?? 'bin'}`
  return { kind, file, name, url: fileUrl(file.file_id) }
}

/** Whether it is shown as a picture or a video, not as a line. */
export const isVisual = ({ kind }: Media) => kind === 'photo' || kind === 'video'

/** @param all the media of one message or album, at least one */
export function mediaBlock(all: readonly Media[]): ComponentChildren {
  if (all.length === 1) return all.map(single)
  return html`<div class=${all.every(isVisual) ? 'album' : 'column'} data-testid="album">${all.map(single)}</div>`
}

function single(media: Media): VNode {
  if (isVisual(media)) return visual(media)
  return media.kind === 'document' ? documentRow(media) : player(media)
}

/** Gives the frame its proportions before the file is loaded, so that nothing moves when the file appears. */
function visual({ kind, url, file: { file_id, width, height } }: Media): VNode {
  const style = width && height ? { '--ratio': `${width / height}` } : {}
  const photo = () =>
    html`<a href=${url} target="_blank"><img src=${url} alt=${t('photo')} data-testid="photo" /></a>`
  // The fragment makes browsers paint the first frame.
  const video = () =>
    html`<video src=${`${url}#t=0.001`} data-testid="video" aria-label=${t('video')} preload="metadata" controls playsinline />`
  return html`<div key=${url} class="frame" style=${style} data-file=${file_id}>${kind === 'photo' ? photo() : video()}</div>`
}

function player({ kind, url, file: { performer, title, file_name } }: Media): VNode {
  const words = [performer, title ?? file_name].filter(Boolean).join(' — ')
  return html`<div key=${url} class="column player" data-testid="${kind}-player">${kind === 'audio' && html`<b>${words}</b>`}
    <audio src=${url} data-testid=${kind} aria-label=${words || t('voice')} controls preload="metadata" /></div>`
}

function documentRow({ url, name, file }: Media): VNode {
  const { thumbnail, file_size: size = 0, file_id, mime_type: mime = '' } = file
  const isPicture = /^image\/(?!svg)/.test(mime)
  const sign = fileSign(thumbnail?.file_id ?? (isPicture ? file_id : undefined))
  const label = `${t('download')}: ${name}`
  return html`<div key=${url} class="line file-row" data-testid="document">
    ${sign}${twoLines(name, fileSize(size))}
    <a class="icon-button" href=${url} download=${name} aria-label=${label} title=${label} data-testid="download">${icon('download')}</a></div>`
}

/** @param thumb the file id of a thumbnail, which takes the place of the icon */
export const fileSign = (thumb: string | undefined) =>
  html`<span class="file-sign">${thumb ? html`<img src=${fileUrl(thumb)} alt="" loading="lazy" data-testid="document-thumb" />` : icon('file')}</span>`
