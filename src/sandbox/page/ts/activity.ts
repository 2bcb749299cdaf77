// What the bot is doing just now: its chat action, which Telegram shows for five seconds.

import { fill, h } from './dom.ts'
import { t } from './i18n.ts'

const actionMs = 5000

const words = {
  typing: 'actTyping',
  upload_photo: 'actPhoto',
  record_video: 'actRecordVideo',
  upload_video: 'actVideo',
  record_voice: 'actRecordVoice',
  upload_voice: 'actVoice',
  upload_audio: 'actAudio',
  upload_document: 'actDocument',
  record_video_note: 'actRecordVideo',
  upload_video_note: 'actVideo',
}

/** @param {HTMLElement} line where the action is said; `quiet` is what stands there otherwise */
export function createAction(line, quiet) {
  let timer
  const stop = () => {
    clearTimeout(timer)
    line.classList.remove('active')
    fill(line, quiet())
  }
  stop()
  return {
    stop,
    show(action) {
      clearTimeout(timer)
      line.classList.add('active')
      fill(
        line,
        h('span.dots', { 'aria-hidden': 'true' }, h('i'), h('i'), h('i')),
        t(words[action] ?? 'actOther'),
      )
      timer = setTimeout(stop, actionMs)
    },
  }
}
