// A chosen file in the form in which it is sent: its bytes, and for sound and video the facts that a Telegram app states about them.

import type { FileToSend } from './api.ts'
import { h } from './dom.ts'

export type FileKind = 'photo' | 'video' | 'audio' | 'voice' | 'document'

export async function fileToSend(file: File, kind: FileKind): Promise<FileToSend> {
  const [base64, facts] = await Promise.all([base64Of(file), statedFacts(file, kind)])
  return { kind, name: file.name || kind, mime: file.type || 'application/octet-stream', base64, ...facts }
}

const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onerror = () => reject(reader.error)
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '')
    reader.readAsDataURL(file)
  })

type StatedFacts = Pick<FileToSend, 'width' | 'height' | 'duration'>

/** The stated facts; empty for a file that the browser cannot play. */
async function statedFacts(file: File, kind: FileKind): Promise<StatedFacts> {
  if (kind === 'photo' || kind === 'document') return {}
  const media = h(kind === 'video' ? 'video' : 'audio', { preload: 'metadata' })
  const url = URL.createObjectURL(file)
  try {
    await loaded(media, url)
    const duration = Number.isFinite(media.duration) ? Math.round(media.duration) : undefined
    if (!(media instanceof HTMLVideoElement) || media.videoWidth === 0) return { duration }
    return { duration, width: media.videoWidth, height: media.videoHeight }
  } finally {
    URL.revokeObjectURL(url)
  }
}

const loaded = (media: HTMLMediaElement, url: string): Promise<void> =>
  new Promise((resolve) => {
    for (const name of ['loadedmetadata', 'error']) media.addEventListener(name, () => resolve())
    media.src = url
  })
