// The player of audio and voice messages: play, seek, time. Starting a player pauses the one that is playing.

import { fill, h, icon } from './dom.ts'
import { fileName } from './file-name.ts'
import { clockTime, fileSize } from './format.ts'
import { t } from './i18n.ts'
import type { MediaFacts } from './media-facts.ts'
import { drawWave } from './wave.ts'

let playing: HTMLAudioElement | undefined

export function audioPlayer(media: MediaFacts, url: string): HTMLElement {
  const isVoice = media.kind === 'voice'
  const audio = h('audio', { src: url, preload: 'metadata', testid: media.kind })
  const play = h('button.player-button', { testid: `${media.kind}-play`, label: t('play') }, icon('play'))
  const seek = h('input.player-seek', {
    type: 'range',
    min: '0',
    max: '1000',
    value: '0',
    label: t('position'),
    testid: `${media.kind}-seek`,
  })
  const time = h('span.player-time')
  const wave = isVoice ? h('canvas.wave', { 'aria-hidden': 'true', 'data-url': url }) : null
  const element = h(
    `div.player.${media.kind}`,
    { testid: `${media.kind}-player` },
    audio,
    play,
    h(
      'div.player-body',
      {},
      !isVoice && h('span.player-title', {}, titleOf(media)),
      h('div.player-track', {}, wave, seek),
      h('span.player-line', {}, time, !isVoice && h('span', {}, fileSize(media.size))),
    ),
    !isVoice && downloadLink(media, url),
  )
  connect({ audio, play, seek, time, element, wave, knownSeconds: media.duration })
  return element
}

function titleOf(media: MediaFacts): string {
  const title = media.title || media.name || t('attachAudio')
  return media.performer ? `${media.performer} — ${title}` : title
}

const downloadLink = (media: MediaFacts, url: string) =>
  h(
    'a.icon-button',
    {
      href: url,
      download: fileName(media),
      label: t('download'),
      title: t('download'),
      testid: 'download',
    },
    icon('download'),
  )

interface Parts {
  readonly audio: HTMLAudioElement
  readonly play: HTMLButtonElement
  readonly seek: HTMLInputElement
  readonly time: HTMLElement
  readonly element: HTMLElement
  readonly wave: HTMLCanvasElement | null
  /** The length that the message states, or 0. */
  readonly knownSeconds: number
}

/** A file without a length in its header has an infinite duration until it has been read to the end. */
const lengthOf = ({ audio, knownSeconds }: Parts) =>
  Number.isFinite(audio.duration) ? audio.duration : knownSeconds

function draw(parts: Parts): void {
  const { audio, seek, time, element, wave } = parts
  const length = lengthOf(parts)
  const part = length > 0 ? Math.min(1, audio.currentTime / length) : 0
  const progress = `${clockTime(audio.currentTime)} / ${clockTime(length)}`
  if (document.activeElement !== seek || !audio.paused) seek.value = String(Math.round(part * 1000))
  seek.setAttribute('aria-valuetext', progress)
  element.style.setProperty('--part', String(part))
  time.textContent = audio.paused && part === 0 ? clockTime(length) : progress
  if (wave) drawWave(wave, part)
}

function connect(parts: Parts): void {
  const { audio, play, seek, element } = parts
  const drawWhilePlaying = () => {
    draw(parts)
    if (!audio.paused) requestAnimationFrame(drawWhilePlaying)
  }
  const turn = () => {
    fill(play, icon(audio.paused ? 'play' : 'pause'))
    play.setAttribute('aria-label', audio.paused ? t('play') : t('pause'))
    drawWhilePlaying()
  }
  play.addEventListener('click', () => {
    if (!audio.paused) return audio.pause()
    if (playing !== audio) playing?.pause()
    playing = audio
    return audio.play().catch(() => element.classList.add('broken-player'))
  })
  seek.addEventListener('input', () => {
    audio.currentTime = (Number(seek.value) / 1000) * lengthOf(parts)
    draw(parts)
  })
  for (const name of ['play', 'pause']) audio.addEventListener(name, turn)
  for (const name of ['loadedmetadata', 'seeked', 'ended']) audio.addEventListener(name, () => draw(parts))
  audio.addEventListener('ended', () => {
    audio.currentTime = 0
  })
  draw(parts)
}
