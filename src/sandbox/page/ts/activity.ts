// The chat action of the bot ("is typing"), which Telegram shows for five seconds.

import { type Child, fill, h } from './dom.ts'
import { t, type WordKey } from './i18n.ts'

const actionMs = 5000

const words: Readonly<Record<string, WordKey>> = {
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

export interface Activity {
  show(action: string): void
  stop(): void
}

/** @param idle what the line shows when there is no action */
export function createActivity(line: HTMLElement, idle: () => Child): Activity {
  let timer: number | undefined
  const stop = () => {
    clearTimeout(timer)
    line.classList.remove('active')
    fill(line, idle())
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
