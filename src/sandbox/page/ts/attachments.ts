// Files that the user sends: chosen, dropped or pasted, previewed, given a caption, and sent as albums where they fit together.

import { html } from 'htm/preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { FileToSend, On } from './api.ts'
import { fileSign, twoLines } from './content.ts'
import { fileSize, plural, t, type WordKey } from './i18n.ts'
import type { IconName } from './icons.ts'
import { send } from './session.ts'
import { closeDialog, openDialog, openMenu, toast } from './state.ts'
import { action, dialog, primary } from './windows.ts'

const largestBytes = 20 * 1024 * 1024
const largestAlbum = 10

const signs = {
  photo: 'image',
  video: 'video',
  video_note: 'video',
  audio: 'music',
  voice: 'mic',
  document: 'file',
} as const
type Kind = keyof typeof signs

function kindOf({ type }: File): Kind {
  if (/^image\/(png|jpe?g|webp)$/.test(type)) return 'photo'
  if (type === 'audio/ogg') return 'voice'
  return (['video', 'audio'] as const).find((one) => type.startsWith(`${one}/`)) ?? 'document'
}

type Choice = readonly [name: string, label: WordKey, sign: IconName, accept: string, kind?: Kind]
/** What the menu offers: media, each of the kind of its type, or files of one kind. */
const choices: readonly Choice[] = [
  ['media', 'attachMedia', 'image', 'image/*,video/*,audio/*'],
  ['note', 'attachNote', 'video', 'video/mp4', 'video_note'],
  ['document', 'attachFile', 'file', '', 'document'],
]

export function openAttachMenu({ currentTarget: at }: On): void {
  const items = choices.map(([name, label, sign]) => ({
    label: t(label),
    sign,
    testid: `attach-${name}`,
    onclick: () => document.querySelector<HTMLElement>(`[data-testid=file-${name}]`)?.click(),
  }))
  openMenu(at, 'attach-menu', t('attach'), items)
}

type TakeReply = () => number | undefined

/** The inputs are part of the page, so that tests and assistive tools reach them. */
export const pickers = (takeReply: TakeReply) =>
  choices.map(([name, , , accept, kind]) => {
    const onChange = ({ currentTarget: input }: On<HTMLInputElement>) => {
      openSendDialog([...(input.files ?? [])], kind, takeReply)
      input.value = ''
    }
    return html`<input type="file" multiple hidden accept=${accept} data-testid="file-${name}" onChange=${onChange} />`
  })

interface Item {
  readonly file: File
  readonly kind: Kind
}

/** An album has files of one family; a voice or video message is never in one. */
const familyOf = ({ kind }: Item) => (kind === 'photo' ? 'video' : kind)
const isAlone = ({ kind }: Item) => kind === 'voice' || kind === 'video_note'

/** Groups neighbouring files of one family, which are sent as an album. */
function inAlbums(items: readonly Item[]): Item[][] {
  const groups: Item[][] = []
  for (const one of items) {
    const last = groups.at(-1)
    const fits = last?.[0] && familyOf(last[0]) === familyOf(one) && !isAlone(one)
    if (fits && last.length < largestAlbum) last.push(one)
    else groups.push([one])
  }
  return groups
}

/** @param kind the kind that the user has chosen; undefined takes it from the type of each file */
export function openSendDialog(files: readonly File[], kind: Kind | undefined, takeReply: TakeReply): void {
  const isLarge = ({ size }: File) => size > largestBytes
  for (const { name } of files.filter(isLarge))
    toast(t('tooLarge', { name, size: fileSize(largestBytes) }), 'error')
  const items = files.filter((one) => !isLarge(one)).map((file) => ({ file, kind: kind ?? kindOf(file) }))
  if (items.length > 0) openDialog(() => html`<${SendDialog} items=${items} takeReply=${takeReply} />`)
}

/** The caption is that of the first file. */
async function sendItems(items: readonly Item[], caption: string, takeReply: TakeReply): Promise<void> {
  for (const group of inAlbums(items)) {
    // Telegram's ids of albums are long numbers.
    const album = group.length > 1 ? String(crypto.getRandomValues(new BigUint64Array(1))[0]) : undefined
    for (const one of group) {
      const words = one === items[0] && caption ? { caption } : {}
      await send({ ...words, file: await fileToSend(one), album, reply_to: takeReply() })
    }
  }
}

interface Sending {
  readonly items: readonly Item[]
  readonly takeReply: TakeReply
}

function SendDialog({ items, takeReply }: Sending) {
  const [caption, setCaption] = useState('')
  const submit = () => {
    closeDialog()
    void sendItems(items, caption.trim(), takeReply)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    submit()
  }
  const actions = [
    action(t('cancel'), 'attach-cancel', closeDialog),
    action(t('send'), 'send-files', submit, { class: primary.class }),
  ]
  const onInput = ({ currentTarget }: On<HTMLTextAreaElement>) => setCaption(currentTarget.value)
  const content = html`<div class="column previews">${items.map((item) => html`<${Preview} item=${item} />`)}</div>
    <textarea class="field" rows="2" maxlength="1024" placeholder=${t('addCaption')} aria-label=${t('addCaption')} autofocus
      data-testid="caption" value=${caption} onKeyDown=${onKeyDown} onInput=${onInput} />`
  return dialog(plural('sendFiles', items.length), 'attach-dialog', content, actions)
}

function Preview({ item: { file, kind } }: { readonly item: Item }) {
  const url = useMemo(() => URL.createObjectURL(file), [file])
  useEffect(() => () => URL.revokeObjectURL(url), [url])
  if (kind === 'photo') return html`<img src=${url} alt=${file.name} />`
  if (kind.startsWith('video')) return html`<video src=${url} controls aria-label=${file.name} />`
  return html`<div class="line">${fileSign(undefined, signs[kind])}${twoLines(file.name, fileSize(file.size))}</div>`
}

async function fileToSend({ file, kind }: Item): Promise<FileToSend> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  const mime = file.type || 'application/octet-stream'
  return { kind, name: file.name || kind, mime, base64, ...(await statedFacts(file, kind)) }
}

/** What a Telegram app states about sound and video; nothing for a file that the browser cannot play. */
async function statedFacts(file: File, kind: Kind): Promise<Partial<FileToSend>> {
  if (kind === 'photo' || kind === 'document') return {}
  const video = document.createElement('video')
  const url = URL.createObjectURL(file)
  await new Promise((resolve) => {
    for (const name of ['loadedmetadata', 'error']) video.addEventListener(name, resolve)
    video.src = url
  })
  URL.revokeObjectURL(url)
  const { duration, videoWidth: width, videoHeight: height } = video
  const size = width > 0 ? { width, height } : {}
  return { ...size, duration: Number.isFinite(duration) ? Math.round(duration) : undefined }
}
