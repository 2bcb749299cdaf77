// What a message contains: its text with Telegram's entities, and its media. Offsets are UTF-16 code units, as in JavaScript strings. Entities are
// nested or apart; kinds that the page does not know, and unsafe links, stay text. Several media make an album. Pictures open over the window;
// sound and video play in the browser's own players.

import { html } from 'htm/preact'
import type { ComponentChildren, VNode } from 'preact'
import { useState } from 'preact/hooks'
import { fileUrl, type Message, type MessageEntity } from './api.ts'
import { clockTime, fileSize, t } from './i18n.ts'
import { type IconName, icon, iconButton } from './icons.ts'
import { followLink, safeUrl, send } from './session.ts'
import { closeDialog, copyText, openDialog } from './state.ts'
import { Modal } from './windows.ts'

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

/** The union of the fields that Telegram's kinds of files have. */
interface File {
  readonly file_id: string
  readonly width?: number
  readonly height?: number
  readonly duration?: number
  readonly file_name?: string
  readonly title?: string
  readonly performer?: string
  readonly mime_type?: string
  readonly file_size?: number
  readonly thumbnail?: { readonly file_id: string }
}

const kinds = ['photo', 'video', 'video_note', 'voice', 'audio', 'document'] as const

interface Media {
  readonly kind: (typeof kinds)[number]
  readonly file: File
  readonly message: Message
  readonly url: string
}

export function mediaOf(message: Message): Media | undefined {
  const photo = message.photo?.toSorted((a, b) => b.width - a.width)[0]
  const kind = kinds.find((one) => message[one])
  const file: File | undefined = kind === 'photo' ? photo : kind && message[kind]
  return kind && file && { kind, file, message, url: fileUrl(file.file_id) }
}

/** Whether it is shown as a picture or a video, not as a line. */
export const isVisual = ({ kind }: Media) => ['photo', 'video', 'video_note'].includes(kind)

/** The name under which a file is saved: its own, or for example `Ann - Song.mp3` or `photo_17.jpg`. */
export function fileName({ kind, file, message }: Media): string {
  if (file.file_name) return file.file_name
  const usual = { photo: 'jpg', video: 'mp4', video_note: 'mp4', voice: 'ogg', audio: 'mp3', document: 'bin' }
  const [, subtype = usual[kind]] = /\/([a-z0-9]+)$/.exec(file.mime_type ?? '') ?? []
  const title = [file.performer, file.title].filter(Boolean).join(' - ')
  const name = title.replace(/[\\/:*?"<>|]+/g, '_') || `${kind}_${message.message_id}`
  return `${name}.${subtype.replace('mpeg', 'mp3')}`
}

const photo = (url: string) => html`<img src=${url} alt=${t('photo')} data-testid="photo" />`
/** The fragment makes browsers paint the first frame of a video that has no thumbnail. */
const firstFrame = ({ url }: Media) => `${url}#t=0.001`

/** @param all the media of one message or album, at least one */
export function mediaBlock(all: readonly Media[]): ComponentChildren {
  if (all.length === 1) return all.map(single)
  return html`<div class="album ${all.every(isVisual) ? '' : 'list'}" data-testid="album">
    ${all.map((one) => (isVisual(one) ? tile(one) : single(one)))}</div>`
}

function single(media: Media): VNode {
  if (isVisual(media)) return visual(media)
  return media.kind === 'document' ? documentRow(media) : player(media)
}

/** Gives the frame its proportions before the file is loaded, so that nothing moves when the file appears. */
function visual(media: Media): VNode {
  const { url, kind, file } = media
  const { width = 0, height = 0, thumbnail } = file
  const scale = Math.min(420 / width, 420 / height, Math.max(1, 280 / width))
  const style = width && height ? { width: `${width * scale}px`, aspectRatio: `${width} / ${height}` } : {}
  const shown =
    kind === 'photo'
      ? html`<button aria-label=${t('photo')} data-testid="open-photo" onClick=${() => openLightbox(media)}>${photo(url)}</button>`
      : html`<video src=${thumbnail ? url : firstFrame(media)} poster=${thumbnail && fileUrl(thumbnail.file_id)}
          data-testid="video" aria-label=${t('video')} preload="metadata" controls playsinline />`
  return html`<div key=${url} class="frame" style=${style}>${shown}</div>`
}

function tile(media: Media): VNode {
  const { kind, url, file } = media
  const shown =
    kind === 'photo'
      ? photo(url)
      : html`<video src=${firstFrame(media)} preload="metadata" tabindex="-1" aria-hidden="true" />
          <span class="tile-mark">▶ ${clockTime(file.duration ?? 0)}</span>`
  return html`<button class="tile" data-testid="album-tile" aria-label=${t(kind === 'photo' ? 'photo' : 'video')} key=${url}
    data-file=${file.file_id} onClick=${() => openLightbox(media)}>${shown}</button>`
}

function player({ kind, url, file: { performer, title, file_name } }: Media): VNode {
  const words = [performer, title ?? file_name].filter(Boolean).join(' — ')
  return html`<div key=${url} class="column player" data-testid="${kind}-player">${kind === 'audio' && html`<b>${words}</b>`}
    <audio src=${url} data-testid=${kind} aria-label=${words || t('voice')} controls preload="metadata" />
  </div>`
}

const isPicture = ({ mime_type: mime = '' }: File) => /^image\/(?!svg)/.test(mime)
/** In bytes; a larger picture is not shown as its own thumbnail. */
const largestThumb = 5_000_000

function documentRow(media: Media): VNode {
  const { url, file } = media
  const { thumbnail, file_size: size = 0, file_id, mime_type: mime = '' } = file
  const name = fileName(media)
  const own = isPicture(file) && size <= largestThumb ? file_id : undefined
  const sign = fileSign(thumbnail?.file_id ?? own)
  const opener = () =>
    html`<button aria-label="${t('openLinkButton')}: ${name}" data-testid="document-open" onClick=${() => openLightbox(media)}>${sign}</button>`
  const label = `${t('download')}: ${name}`
  return html`<div key=${url} class="line file-row" data-testid="document">
    ${isPicture(file) || mime.startsWith('video/') ? opener() : sign}${twoLines(name, fileSize(size))}
    <a class="icon-button" href=${url} download=${name} aria-label=${label} title=${label} data-testid="download">${icon('download')}</a></div>`
}

/** @param thumb the file id of a thumbnail, which takes the place of the icon */
export const fileSign = (thumb: string | undefined, mark: IconName = 'file') =>
  html`<span class="file-sign">${thumb ? html`<img src=${fileUrl(thumb)} alt="" loading="lazy" data-testid="document-thumb" />` : icon(mark)}</span>`

/** A name above a note, each on one line. */
export const twoLines = (name: string, note = '') =>
  html`<span class="two-lines grow"><b title=${name}>${name}</b>${note && html`<small>${note}</small>`}</span>`

/** A photo or a video over the whole window. */
function openLightbox({ kind, url, file }: Media): void {
  const isImage = kind === 'photo' || isPicture(file)
  const view = isImage
    ? html`<img src=${url} alt=${t('photo')} />`
    : html`<video src=${url} aria-label=${t('video')} controls autoplay playsinline />`
  openDialog(
    () => html`<${Modal} class="lightbox" data-testid="lightbox" aria-label=${t(isImage ? 'photo' : 'video')}>
      ${view}${iconButton('close', t('close'), 'lightbox-close', { onClick: closeDialog })}</${Modal}>`,
  )
}
