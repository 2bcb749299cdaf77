// Files that the user sends: chosen, dropped or pasted, previewed, given a caption, and sent as albums where they fit together.

import type { FileToSend } from './api.ts'
import { openDialog, toast } from './dialog.ts'
import { h, type IconName, icon } from './dom.ts'
import { type FileKind, fileToSend } from './file-to-send.ts'
import { fileSize } from './format.ts'
import { plural, t, type WordKey } from './i18n.ts'

const largestBytes = 20 * 1024 * 1024

interface KindFacts {
  readonly kind: FileKind
  readonly icon: IconName
  readonly label: WordKey
  /** The file types that the browser's file dialog offers. */
  readonly accept: string
}

export const kinds: readonly KindFacts[] = [
  { kind: 'photo', icon: 'image', label: 'attachPhoto', accept: 'image/*' },
  { kind: 'video', icon: 'video', label: 'attachVideo', accept: 'video/*' },
  { kind: 'audio', icon: 'music', label: 'attachAudio', accept: 'audio/*' },
  { kind: 'voice', icon: 'mic', label: 'attachVoice', accept: 'audio/*' },
  { kind: 'document', icon: 'file', label: 'attachFile', accept: '' },
]

function kindOf(file: File): FileKind {
  if (/^image\/(png|jpe?g|webp)$/.test(file.type)) return 'photo'
  if (file.type.startsWith('video/')) return 'video'
  return file.type.startsWith('audio/') ? 'audio' : 'document'
}

interface Picker {
  readonly element: HTMLElement
  /** Opens the browser's file dialog. */
  pick(kind: FileKind): void
}

/** The inputs are part of the page, so that tests and assistive tools reach them. */
export function createPicker(onFiles: (files: readonly File[], kind: FileKind) => void): Picker {
  const inputs = new Map(
    kinds.map(({ kind, accept }) => {
      const input = h('input', { type: 'file', multiple: true, accept, hidden: true, testid: `file-${kind}` })
      input.addEventListener('change', () => {
        const files = [...(input.files ?? [])]
        input.value = ''
        if (files.length > 0) onFiles(files, kind)
      })
      return [kind, input]
    }),
  )
  return {
    element: h('div', { hidden: true }, [...inputs.values()]),
    pick: (kind) => inputs.get(kind)?.click(),
  }
}

const largestAlbum = 10
/** Kinds that can be in one album have the same family. */
const families: Readonly<Partial<Record<FileKind, string>>> = {
  photo: 'visual',
  video: 'visual',
  audio: 'audio',
  document: 'document',
}

interface Item {
  readonly file: File
  readonly kind: FileKind
  /** Undefined for a file outside an album. */
  readonly album: string | undefined
}

/** Telegram's ids of albums are long numbers. */
const newAlbumId = () => String(crypto.getRandomValues(new BigUint64Array(1))[0])

/** Makes an album of neighbouring files of one family. */
function withAlbums(files: readonly { file: File; kind: FileKind }[]): Item[] {
  const groups: { file: File; kind: FileKind }[][] = []
  for (const one of files) {
    const last = groups.at(-1)
    const family = families[one.kind]
    const fits = family !== undefined && last?.[0] && families[last[0].kind] === family
    if (fits && last.length < largestAlbum) last.push(one)
    else groups.push([one])
  }
  return groups.flatMap((group) => {
    const album = group.length > 1 ? newAlbumId() : undefined
    return group.map((one) => ({ ...one, album }))
  })
}

/** @param caption given only for the first of several files */
type SendFile = (file: FileToSend, caption: string | undefined, album: string | undefined) => Promise<void>

/** @param wanted the kind that the user has chosen; undefined takes it from the type of each file */
export function openSendDialog(files: readonly File[], wanted: FileKind | undefined, send: SendFile): void {
  const small = files.filter((file) => file.size <= largestBytes)
  for (const { name, size } of files) {
    if (size > largestBytes) toast(t('tooLarge', { name, size: fileSize(largestBytes) }), 'error')
  }
  if (small.length === 0) return
  const items = withAlbums(small.map((file) => ({ file, kind: wanted ?? kindOf(file) })))
  const previews = items.map(({ file, kind }) => createPreview(file, kind))
  const caption = h('textarea.field', {
    rows: '2',
    maxlength: '1024',
    placeholder: t('addCaption'),
    label: t('addCaption'),
    testid: 'caption',
  })
  const button = h('button.button.primary', { testid: 'send-files' }, t('send'))
  button.addEventListener('click', async () => {
    button.disabled = true
    dialog.close()
    for (const [index, { file, kind, album }] of items.entries()) {
      await send(await fileToSend(file, kind), index === 0 ? caption.value.trim() : undefined, album)
    }
  })
  caption.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    button.click()
  })
  const dialog = openDialog({
    title: plural('sendFiles', small.length),
    testid: 'attach-dialog',
    body: [
      h(
        'div.previews',
        {},
        previews.map((one) => one.element),
      ),
      caption,
    ],
    actions: [
      h('button.button', { testid: 'attach-cancel', onclick: () => dialog.close() }, t('cancel')),
      button,
    ],
    onclose() {
      for (const { url } of previews) URL.revokeObjectURL(url)
    },
  })
  caption.focus()
}

/** The URL must be revoked when the element is no longer shown. */
function createPreview(file: File, kind: FileKind): { element: HTMLElement; url: string } {
  const url = URL.createObjectURL(file)
  if (kind === 'photo') return { url, element: h('img', { src: url, alt: file.name }) }
  if (kind === 'video') return { url, element: h('video', { src: url, controls: true, label: file.name }) }
  const sign = kinds.find((one) => one.kind === kind)?.icon ?? 'file'
  const element = h(
    'div.file-row',
    {},
    h('span.file-sign', {}, icon(sign)),
    h('span.file-words', {}, h('b', {}, file.name), h('small', {}, fileSize(file.size))),
  )
  return { url, element }
}

export function acceptDrops(area: HTMLElement, onFiles: (files: readonly File[]) => void): void {
  const veil = h('div.drop-veil', { hidden: true, testid: 'drop-veil' }, icon('attach'), t('dropHere'))
  area.append(veil)
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files')
  area.addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    veil.hidden = false
  })
  area.addEventListener('dragleave', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && area.contains(relatedTarget))) veil.hidden = true
  })
  area.addEventListener('drop', (event) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    veil.hidden = true
    onFiles([...(event.dataTransfer?.files ?? [])])
  })
}
