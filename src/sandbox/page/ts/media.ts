// The media of a message: photo, video, animation, audio, voice or file. Several media make an album.

import { fileUrl } from './api.ts'
import { audioPlayer } from './audio-player.ts'
import { fill, h, icon } from './dom.ts'
import { fileName } from './file-name.ts'
import { clockTime, fileSize } from './format.ts'
import { t } from './i18n.ts'
import { openLightbox } from './lightbox.ts'
import { isModel, type MediaFacts } from './media-facts.ts'

/** @param all the media of one message or album, at least one */
export function mediaNode(all: readonly MediaFacts[]): HTMLElement {
  const [first] = all
  if (first && all.length === 1) return singleNode(first)
  const tiles = all.map((media) => (media.visual ? albumTile(media, all) : singleNode(media)))
  const shape = first?.visual ? `grid count-${Math.min(all.length, 10)}` : 'list'
  return h('div', { class: `album ${shape}`, testid: 'album' }, tiles)
}

function singleNode(media: MediaFacts): HTMLElement {
  switch (media.kind) {
    case 'photo':
      return visualFrame(media, photoButton(media), { opens: true })
    case 'animation':
      return visualFrame(media, animationNode(media), { opens: true })
    case 'video':
    case 'video_note':
      return visualFrame(media, videoNode(media), { opens: false })
    case 'voice':
    case 'audio':
      return audioPlayer(media, fileUrl(media.id))
    case 'document':
      return documentRow(media)
  }
}

interface Size {
  readonly width: number
  readonly height: number
}

const largestPx = 420
const leastWidthPx = 200
const unknownSize: Size = { width: 320, height: 240 }

/** Gives the frame its proportions before the file is loaded, so that nothing moves when the file appears. */
function frameStyle(size: Size): Record<string, string> {
  const width = size.width || unknownSize.width
  const height = size.height || unknownSize.height
  const scale = Math.min(largestPx / width, largestPx / height)
  const shown = Math.max(Math.min(width * scale, Math.max(width, 280)), leastWidthPx)
  return { width: `${Math.round(shown)}px`, 'aspect-ratio': `${width} / ${height}` }
}

function visualFrame(media: MediaFacts, inside: HTMLElement, { opens }: { opens: boolean }): HTMLElement {
  const frame = h(`div.frame.${media.kind}`, { style: frameStyle(media) }, inside)
  if (!media.width || !media.height) learnSize(frame)
  if (opens) inside.addEventListener('click', () => openLightbox([media], media))
  return media.spoiler ? veiled(frame) : frame
}

/** Takes the size from the loaded file when the message lacks it. The events do not bubble, so they are captured. */
function learnSize(frame: HTMLElement): void {
  const learn = ({ target }: Event) => {
    const size = loadedSize(target)
    if (!size?.width || !size.height) return
    for (const [name, value] of Object.entries(frameStyle(size))) frame.style.setProperty(name, value)
  }
  for (const name of ['load', 'loadedmetadata']) frame.addEventListener(name, learn, true)
}

function loadedSize(target: EventTarget | null): Size | undefined {
  if (target instanceof HTMLVideoElement) return { width: target.videoWidth, height: target.videoHeight }
  if (target instanceof HTMLImageElement) return { width: target.naturalWidth, height: target.naturalHeight }
  return undefined
}

function photoButton(media: MediaFacts): HTMLElement {
  const image = h('img', { src: fileUrl(media.id), alt: t('photo'), testid: 'photo', loading: 'lazy' })
  const button = h('button.open-media', { label: t('photo'), testid: 'open-photo' }, image)
  image.addEventListener('error', () => fill(button, h('span.broken', {}, t('unavailable'))))
  return button
}

function animationNode(media: MediaFacts): HTMLElement {
  if (media.mime === 'image/gif') return photoButton(media)
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  const video = h('video', {
    testid: 'animation',
    loop: true,
    playsinline: true,
    label: 'GIF',
    controls: isStill,
  })
  video.muted = true
  video.autoplay = !isStill
  video.src = fileUrl(media.id)
  return video
}

/** The fragment makes browsers paint the first frame of a video that has no thumbnail. */
const firstFrame = '#t=0.001'

function videoNode(media: MediaFacts): HTMLElement {
  const video = h('video', {
    testid: 'video',
    playsinline: true,
    preload: 'metadata',
    label: t('video'),
    poster: media.thumb && fileUrl(media.thumb),
  })
  video.src = media.thumb ? fileUrl(media.id) : `${fileUrl(media.id)}${firstFrame}`
  const play = h('button.play-over', { testid: 'video-play', label: t('play') }, icon('play'))
  const length = h('span.length', {}, media.duration ? clockTime(media.duration) : '')
  const started = () => {
    video.controls = true
    play.remove()
    length.remove()
  }
  play.addEventListener('click', () => {
    started()
    video.focus()
    // A video that cannot be played reports that by its error event, too.
    video.play().catch(() => {})
  })
  video.addEventListener('play', started)
  const holder = h('div.video-holder', {}, video, play, length)
  video.addEventListener('error', () =>
    fill(holder, h('span.broken', { testid: 'broken' }, t('unavailable'))),
  )
  return holder
}

function albumTile(media: MediaFacts, all: readonly MediaFacts[]): HTMLElement {
  const isPhoto = media.kind === 'photo'
  const url = fileUrl(media.id)
  const picture = isPhoto
    ? h('img', { src: url, alt: t('photo'), testid: 'photo' })
    : h('video', {
        src: `${url}${firstFrame}`,
        preload: 'metadata',
        tabindex: '-1',
        'aria-hidden': 'true',
      })
  const mark = !isPhoto && h('span.tile-mark', {}, icon('play'), clockTime(media.duration))
  const label = isPhoto ? t('photo') : t('video')
  const onclick = () => openLightbox(all, media)
  const file = { 'data-file': media.id }
  const tile = h('button.tile', { testid: 'album-tile', label, onclick, ...file }, picture, mark)
  return media.spoiler ? veiled(tile) : tile
}

function veiled(inside: HTMLElement): HTMLElement {
  const veil = h('button.veil', { label: t('spoiler'), testid: 'media-spoiler' })
  veil.addEventListener('click', () => veil.remove())
  return h('div.veiled', {}, inside, veil)
}

/** In bytes; a larger picture is not shown as its own thumbnail. */
const largestThumbBytes = 5_000_000

function thumbnailUrl({ thumb, mime, size, id }: MediaFacts): string | undefined {
  if (thumb) return fileUrl(thumb)
  return /^image\/(?!svg)/.test(mime) && size <= largestThumbBytes ? fileUrl(id) : undefined
}

function kindSign(name: string): HTMLElement {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]
  return h('span.file-sign', {}, icon('file'), extension && h('small', {}, extension))
}

function thumbnailImage(picture: string, name: string): HTMLImageElement {
  const image = h('img', { src: picture, alt: '', loading: 'lazy', testid: 'document-thumb' })
  // Replaces a picture that cannot be drawn, because its content is not what its type says.
  image.addEventListener('error', () => image.closest('.file-sign')?.replaceWith(kindSign(name)))
  return image
}

/** A button that opens the document, if the page can show it; otherwise its thumbnail, or its extension. */
function documentSign(media: MediaFacts, name: string): HTMLElement {
  const picture = thumbnailUrl(media)
  const image = picture && thumbnailImage(picture, name)
  const isViewable = /^(image\/(?!svg)|video\/)/.test(media.mime) || isModel(media)
  if (!isViewable) return image ? h('span.file-sign', {}, image) : kindSign(name)
  const label = `${t('openLinkButton')}: ${name}`
  const onclick = () => openLightbox([media], media)
  return h(
    'button.file-sign',
    { label, testid: 'document-open', onclick },
    image ?? icon(isModel(media) ? 'cube' : 'play'),
  )
}

function documentRow(media: MediaFacts): HTMLElement {
  const name = fileName(media)
  const label = `${t('download')}: ${name}`
  return h(
    'div.file-row',
    { testid: 'document' },
    documentSign(media, name),
    h('span.file-words', {}, h('b', { title: name }, name), h('small', {}, fileSize(media.size))),
    h(
      'a.icon-button',
      { href: fileUrl(media.id), download: name, label, title: t('download'), testid: 'download' },
      icon('download'),
    ),
  )
}
