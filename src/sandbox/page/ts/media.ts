// What a message shows or plays: photo, video, animation, audio, voice, file; several of them make an album.

import { fileUrl } from './api.ts'
import { audioPlayer } from './audio-player.ts'
import { fill, h, icon } from './dom.ts'
import { clockTime, fileSize } from './format.ts'
import { t } from './i18n.ts'
import { openLightbox } from './lightbox.ts'

const largest = (photo) =>
  photo.reduce((best, one) => (one.width * one.height > best.width * best.height ? one : best))

/**
 * What the media of a message is, in one shape; its JSON is the key by which a row knows that it has changed.
 * @returns {{ kind: string, visual: boolean, id: string, [key: string]: object } | null}
 */
export function mediaKey(message) {
  const spoiler = Boolean(message.has_media_spoiler)
  if (message.photo) return describe('photo', largest(message.photo), true, spoiler)
  // Telegram repeats an animation as a document for old clients.
  if (message.animation) return describe('animation', message.animation, true, spoiler)
  if (message.video) return describe('video', message.video, true, spoiler)
  if (message.video_note) return describe('video_note', message.video_note, true, spoiler)
  if (message.voice) return describe('voice', message.voice, false, false)
  if (message.audio) return describe('audio', message.audio, false, false)
  if (message.document) return describe('document', message.document, false, false)
  return null
}

function describe(kind, file, visual, spoiler) {
  return {
    kind,
    visual,
    spoiler,
    id: file.file_id,
    width: file.width ?? file.length ?? 0,
    height: file.height ?? file.length ?? 0,
    duration: file.duration ?? 0,
    name: file.file_name ?? '',
    title: file.title ?? '',
    performer: file.performer ?? '',
    mime: file.mime_type ?? '',
    size: file.file_size ?? Number.NaN,
    thumb: file.thumbnail?.file_id ?? '',
  }
}

const builders = {
  photo: (media, all) => visualFrame(media, all, photoImage(media)),
  animation: (media, all) => visualFrame(media, all, animationNode(media)),
  video: (media) => visualFrame(media, null, videoNode(media)),
  video_note: (media) => visualFrame(media, null, videoNode(media)),
  voice: (media) => audioPlayer(media, fileUrl(media.id)),
  audio: (media) => audioPlayer(media, fileUrl(media.id)),
  document: (media) => documentRow(media),
}

export function mediaNode(messages) {
  const all = messages.map(mediaKey).filter(Boolean)
  if (all.length === 1) return builders[all[0].kind](all[0], all)
  const tiles = all.map((media) => (media.visual ? albumTile(media, all) : builders[media.kind](media, all)))
  const shape = all[0].visual ? `grid count-${Math.min(all.length, 10)}` : 'list'
  return h('div', { class: `album ${shape}`, testid: 'album' }, tiles)
}

const box = { width: 420, height: 420, least: 200 }

/** Keeps the proportions before the media has arrived, so that nothing jumps when it does. */
function frameStyle({ width, height }) {
  const w = width || 320
  const h = height || 240
  const scale = Math.min(box.width / w, box.height / h)
  const shown = Math.max(Math.min(w * scale, Math.max(w, 280)), Math.min(box.least, box.width))
  return { width: `${Math.round(shown)}px`, 'aspect-ratio': `${w} / ${h}` }
}

function visualFrame(media, all, inside) {
  const frame = h(`div.frame.${media.kind}`, { style: frameStyle(media) }, inside)
  if (!media.width || !media.height) learnSize(frame)
  if (all) inside.addEventListener('click', () => openLightbox(all, all.indexOf(media)))
  return media.spoiler ? veiled(frame) : frame
}

/** A file that came without its size shows it once it is read; the events do not bubble, so they are captured. */
function learnSize(frame) {
  const learn = ({ target }) => {
    const size = {
      width: target.videoWidth ?? target.naturalWidth,
      height: target.videoHeight ?? target.naturalHeight,
    }
    if (!size.width || !size.height) return
    for (const [name, value] of Object.entries(frameStyle(size))) frame.style.setProperty(name, value)
  }
  for (const name of ['load', 'loadedmetadata']) frame.addEventListener(name, learn, true)
}

function photoImage(media) {
  const image = h('img', { src: fileUrl(media.id), alt: t('photo'), testid: 'photo', loading: 'lazy' })
  const button = h('button.open-media', { label: t('photo'), testid: 'open-photo' }, image)
  image.addEventListener('error', () => fill(button, h('span.broken', {}, t('unavailable'))))
  return button
}

function animationNode(media) {
  if (media.mime === 'image/gif') return photoImage(media)
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  const video = h('video', {
    testid: 'animation',
    loop: true,
    playsinline: true,
    label: 'GIF',
    controls: still,
  })
  video.muted = true
  video.autoplay = !still
  video.src = fileUrl(media.id)
  return video
}

function videoNode(media) {
  const video = h('video', {
    testid: 'video',
    playsinline: true,
    preload: 'metadata',
    label: t('video'),
    poster: media.thumb && fileUrl(media.thumb),
  })
  // The fragment makes browsers paint the first frame of a video that has no picture of its own.
  video.src = media.thumb ? fileUrl(media.id) : `${fileUrl(media.id)}#t=0.001`
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
    video.play().catch(() => {})
  })
  video.addEventListener('play', started)
  const holder = h('div.video-holder', {}, video, play, length)
  video.addEventListener('error', () =>
    fill(holder, h('span.broken', { testid: 'broken' }, t('unavailable'))),
  )
  return holder
}

function albumTile(media, all) {
  const picture =
    media.kind === 'photo'
      ? h('img', { src: fileUrl(media.id), alt: t('photo'), testid: 'photo' })
      : h('video', {
          src: `${fileUrl(media.id)}#t=0.001`,
          preload: 'metadata',
          tabindex: '-1',
          'aria-hidden': 'true',
        })
  const onclick = () => openLightbox(all, all.indexOf(media))
  const mark =
    media.kind === 'photo' ? null : h('span.tile-mark', {}, icon('play'), clockTime(media.duration))
  const label = media.kind === 'photo' ? t('photo') : t('video')
  const tile = h('button.tile', { testid: 'album-tile', label, onclick }, picture, mark)
  return media.spoiler ? veiled(tile) : tile
}

function veiled(inside) {
  const veil = h('button.veil', {
    label: t('spoiler'),
    testid: 'media-spoiler',
    onclick: () => veil.remove(),
  })
  return h('div.veiled', {}, inside, veil)
}

function documentRow(media) {
  const url = fileUrl(media.id)
  const name = media.name || t('attachFile')
  const watchable = /^(image\/(?!svg)|video\/)/.test(media.mime)
  const extension = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1] ?? ''
  const sign = [icon(watchable ? 'play' : 'file'), !watchable && extension && h('small', {}, extension)]
  return h(
    'div.file-row',
    { testid: 'document' },
    watchable
      ? h(
          'button.file-sign',
          { label: t('play'), testid: 'document-open', onclick: () => openLightbox([media], 0) },
          sign,
        )
      : h('span.file-sign', {}, sign),
    h('span.file-words', {}, h('b', { title: name }, name), h('small', {}, fileSize(media.size))),
    h(
      'a.icon-button',
      {
        href: url,
        download: name,
        label: `${t('download')}: ${name}`,
        title: t('download'),
        testid: 'download',
      },
      icon('download'),
    ),
  )
}
