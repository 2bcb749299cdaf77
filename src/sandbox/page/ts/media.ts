// The media of a message: photo, video, audio, voice or file. Several media make an album. Pictures open over the window; sound
// and video play in the browser's own players.

import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { fileUrl, type Message } from './api.ts'
import { clockTime, fileSize, t } from './i18n.ts'
import { type IconName, icon, iconButton } from './icons.ts'
import { closeDialog, openDialog } from './state.ts'
import { Modal } from './windows.ts'

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

interface Media {
  readonly kind: 'photo' | 'video' | 'voice' | 'audio' | 'document'
  readonly file: File
  readonly message: Message
  readonly url: string
}

export function mediaOf(message: Message): Media | undefined {
  const { photo, video, voice, audio, document } = message
  const files = { photo: photo?.toSorted((a, b) => b.width - a.width)[0], video, voice, audio, document }
  for (const kind of ['photo', 'video', 'voice', 'audio', 'document'] as const) {
    const file = files[kind]
    if (file) return { kind, file, message, url: fileUrl(file.file_id) }
  }
  return undefined
}

/** Whether it is shown as a picture or a video, not as a line. */
export const isVisual = ({ kind }: Media) => kind === 'photo' || kind === 'video'

const extensions: Readonly<Record<string, string>> = { mpeg: 'mp3', jpeg: 'jpg' }
const usual = { photo: 'jpg', video: 'mp4', voice: 'ogg', audio: 'mp3', document: 'bin' }

/** The name under which a file is saved: its own, or for example `Ann - Song.mp3` or `photo_17.jpg`. */
export function fileName({ kind, file, message }: Media): string {
  if (file.file_name) return file.file_name
  const [, subtype = usual[kind]] = /\/([a-z0-9]+)$/.exec(file.mime_type ?? '') ?? []
  const title = [file.performer, file.title].filter(Boolean).join(' - ')
  const name = title.replace(/[\\/:*?"<>|]+/g, '_') || `${kind}_${message.message_id}`
  return `${name}.${extensions[subtype] ?? subtype}`
}

/** The fragment makes browsers paint the first frame of a video that has no thumbnail. */
const firstFrame = ({ url }: Media) => `${url}#t=0.001`
const photo = (url: string) => html`<img src=${url} alt=${t('photo')} data-testid="photo" />`

/** @param all the media of one message or album, at least one */
export function mediaBlock(all: readonly Media[]): VNode {
  const [first] = all
  if (first && all.length === 1) return single(first)
  const shape = first && isVisual(first) ? '' : 'list'
  return html`<div class="album ${shape}" data-testid="album">
    ${all.map((one) => (isVisual(one) ? tile(one) : single(one)))}</div>`
}

function single(media: Media): VNode {
  const { kind, url, file } = media
  const view = { photo: Visual, video: Visual, voice: player, audio: player, document: DocumentRow }[kind]
  return html`<${view} key=${url} media=${media} file=${file} />`
}

interface Props {
  readonly media: Media
  readonly file: File
}

/** Gives the frame its proportions before the file is loaded, so that nothing moves when the file appears. */
function Visual({ media, file: { width = 0, height = 0, thumbnail } }: Props) {
  const { url, kind } = media
  const scale = Math.min(420 / width, 420 / height, Math.max(1, 280 / width))
  const style = width && height ? { width: `${width * scale}px`, aspectRatio: `${width} / ${height}` } : {}
  const picture = () =>
    html`<button aria-label=${t('photo')} data-testid="open-photo" onClick=${() => openLightbox(media)}>${photo(url)}</button>`
  const video = () =>
    html`<video src=${thumbnail ? url : firstFrame(media)} poster=${thumbnail && fileUrl(thumbnail.file_id)}
      data-testid="video" aria-label=${t('video')} preload="metadata" controls playsinline />`
  return html`<div class="frame" style=${style}>${kind === 'photo' ? picture() : video()}</div>`
}

function tile(media: Media): VNode {
  const { kind, url, file } = media
  const video =
    () => html`<video src=${firstFrame(media)} preload="metadata" tabindex="-1" aria-hidden="true" />
    <span class="tile-mark">▶ ${clockTime(file.duration ?? 0)}</span>`
  return html`<button class="tile" data-testid="album-tile" aria-label=${t(kind === 'photo' ? 'photo' : 'video')} key=${url}
    data-file=${file.file_id} onClick=${() => openLightbox(media)}>${kind === 'photo' ? photo(url) : video()}</button>`
}

function player({ media: { kind, url }, file: { performer, title, file_name } }: Props) {
  const words = [performer, title ?? file_name].filter(Boolean).join(' — ')
  return html`<div class="column player" data-testid="${kind}-player">${kind === 'audio' && html`<b>${words}</b>`}
    <audio src=${url} data-testid=${kind} aria-label=${words || t('voice')} controls preload="metadata" />
  </div>`
}

const isPicture = ({ mime_type: mime = '' }: File) => /^image\/(?!svg)/.test(mime)
/** In bytes; a larger picture is not shown as its own thumbnail. */
const largestThumb = 5_000_000

function DocumentRow({ media, file }: Props) {
  const { thumbnail, file_size: size = 0, file_id } = file
  const name = fileName(media)
  const own = isPicture(file) && size <= largestThumb ? file_id : undefined
  const sign = fileSign(thumbnail?.file_id ?? own)
  const isViewable = isPicture(file) || file.mime_type?.startsWith('video/')
  const opener = () =>
    html`<button aria-label="${t('openLinkButton')}: ${name}" data-testid="document-open" onClick=${() => openLightbox(media)}>${sign}</button>`
  return html`<div class="line file-row" data-testid="document">${isViewable ? opener() : sign}
    ${twoLines(name, fileSize(size))}${download(media)}</div>`
}

function download(media: Media): VNode {
  const label = `${t('download')}: ${fileName(media)}`
  return html`<a class="icon-button" href=${media.url} download=${fileName(media)} aria-label=${label} title=${label}
    data-testid="download">${icon('download')}</a>`
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
