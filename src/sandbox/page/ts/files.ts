// Files that the user sends: chosen or pasted, previewed, given a caption, and sent as albums where they fit together.

import { html } from 'htm/preact'
import type { FileToSend } from './api.ts'
import { fileSign } from './content.ts'
import { fileSize, t } from './i18n.ts'
import { send, takeReply } from './session.ts'
import { openForm, twoLines } from './ui.ts'

type Kind = NonNullable<FileToSend['kind']>

interface Item {
  readonly file: File
  readonly url: string
  readonly kind: Kind
}

/** The kind that Telegram's apps give to a file of this type. */
function kindOf({ type }: File): Kind {
  if (/^image\/(png|jpe?g|webp)$/.test(type)) return 'photo'
  if (type === 'audio/ogg') return 'voice'
  return (['video', 'audio'] as const).find((one) => type.startsWith(`${one}/`)) ?? 'document'
}

export function openFiles(files: readonly File[]): void {
  if (files.length === 0) return
  const items = files.map((file) => ({ file, kind: kindOf(file), url: URL.createObjectURL(file) }))
  const content = () => html`${items.map(preview)}
    <input class="field" name="caption" maxlength="1024" placeholder=${t('addCaption')} aria-label=${t('addCaption')}
      autocomplete="off" autofocus data-testid="caption" />
    <label class="line"><input type="checkbox" name="plain" data-testid="send-plain" />${t('asFile')}</label>`
  const submit = (data: FormData) => {
    const chosen = data.has('plain') ? items.map((one) => ({ ...one, kind: 'document' as const })) : items
    void sendItems(chosen, String(data.get('caption')).trim())
    return true
  }
  openForm({ title: t('send'), testid: 'files-dialog', label: t('send'), content, submit })
}

function preview({ file, kind, url }: Item) {
  if (kind === 'photo') return html`<img src=${url} alt=${file.name} />`
  if (kind === 'video') return html`<video src=${url} controls aria-label=${file.name} />`
  return html`<div class="line">${fileSign(undefined)}${twoLines(file.name, fileSize(file.size))}</div>`
}

/** The files of an album have one key: at most ten files of one family, never a voice message. */
function albumOf({ kind }: Item, at: number): string {
  if (kind === 'voice') return `alone ${at}`
  return `${kind === 'photo' ? 'video' : kind} ${Math.floor(at / 10)}`
}

/** The caption is that of the first file. */
async function sendItems(items: readonly Item[], caption: string): Promise<void> {
  for (const group of Map.groupBy(items, albumOf).values()) {
    // Telegram's ids of albums are long numbers.
    const album = group.length > 1 ? String(crypto.getRandomValues(new BigUint64Array(1))[0]) : undefined
    for (const one of group) {
      await send({
        ...(one === items[0] && caption && { caption }),
        file: await fileToSend(one),
        album,
        ...takeReply(),
      })
    }
  }
}

async function fileToSend(item: Item): Promise<FileToSend> {
  const { file, kind } = item
  const reader = new FileReader()
  reader.readAsDataURL(file)
  await new Promise((resolve) => reader.addEventListener('loadend', resolve))
  const [, base64 = ''] = String(reader.result).split(',')
  const mime = file.type || 'application/octet-stream'
  return { kind, name: file.name || kind, mime, base64, ...(await statedFacts(item)) }
}

/** What a Telegram app states about sound and video; nothing for a file that the browser cannot play. */
async function statedFacts({ kind, url }: Item): Promise<Partial<FileToSend>> {
  if (kind === 'photo' || kind === 'document') return {}
  const video = document.createElement('video')
  await new Promise((resolve) => {
    for (const name of ['loadedmetadata', 'error']) video.addEventListener(name, resolve)
    video.src = url
  })
  const { duration, videoWidth: width, videoHeight: height } = video
  const size = width > 0 ? { width, height } : {}
  return { ...size, duration: Number.isFinite(duration) ? Math.round(duration) : undefined }
}
