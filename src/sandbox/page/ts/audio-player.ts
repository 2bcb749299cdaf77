// The player of audio and voice messages: play, seek, time. Only one plays at a time.

import { fill, h, icon } from './dom.ts'
import { clockTime, fileSize } from './format.ts'
import { t } from './i18n.ts'
import { drawWave } from './wave.ts'

let playing

/** @param {object} media what `mediaKey` describes */
export function audioPlayer(media, url) {
  const isVoice = media.kind === 'voice'
  const audio = h('audio', { src: url, preload: 'metadata', testid: media.kind })
  const play = h('button.player-button', { testid: `${media.kind}-play`, label: t('play') }, icon('play'))
  const seek = h('input.player-seek', { type: 'range', min: '0', max: '1000', value: '0' })
  seek.setAttribute('aria-label', t('position'))
  seek.dataset.testid = `${media.kind}-seek`
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
  connect({ audio, play, seek, time, element, wave, known: media.duration })
  return element
}

function titleOf(media) {
  const title = media.title || media.name || t('attachAudio')
  return media.performer ? `${media.performer} — ${title}` : title
}

const downloadLink = (media, url) =>
  h(
    'a.icon-button',
    {
      href: url,
      download: media.name || 'audio',
      label: t('download'),
      title: t('download'),
      testid: 'download',
    },
    icon('download'),
  )

/** Files without a length in their head have an endless duration until they have been read; the message knows it. */
const lengthOf = (audio, known) => (Number.isFinite(audio.duration) ? audio.duration : known || 0)

function connect({ audio, play, seek, time, element, wave, known }) {
  const draw = () => {
    const length = lengthOf(audio, known)
    const part = length > 0 ? Math.min(1, audio.currentTime / length) : 0
    if (document.activeElement !== seek || !audio.paused) seek.value = String(Math.round(part * 1000))
    seek.setAttribute('aria-valuetext', `${clockTime(audio.currentTime)} / ${clockTime(length)}`)
    element.style.setProperty('--part', String(part))
    time.textContent =
      audio.paused && part === 0
        ? clockTime(length)
        : `${clockTime(audio.currentTime)} / ${clockTime(length)}`
    if (wave) drawWave(wave, part)
  }
  const frame = () => {
    draw()
    if (!audio.paused) requestAnimationFrame(frame)
  }
  const turn = () => {
    fill(play, icon(audio.paused ? 'play' : 'pause'))
    play.setAttribute('aria-label', audio.paused ? t('play') : t('pause'))
    frame()
  }
  play.addEventListener('click', () => {
    if (!audio.paused) return audio.pause()
    if (playing !== audio) playing?.pause()
    playing = audio
    return audio.play().catch(() => element.classList.add('broken-player'))
  })
  seek.addEventListener('input', () => {
    audio.currentTime = (Number(seek.value) / 1000) * lengthOf(audio, known)
    draw()
  })
  for (const name of ['play', 'pause']) audio.addEventListener(name, turn)
  for (const name of ['loadedmetadata', 'seeked', 'ended']) audio.addEventListener(name, draw)
  audio.addEventListener('ended', () => {
    audio.currentTime = 0
  })
  draw()
}
