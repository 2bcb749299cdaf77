// Files on their way into the chat: chosen, dropped or pasted, looked at, given a caption, sent one message each.

import { openDialog, toast } from './dialog.ts'
import { h, icon } from './dom.ts'
import { fileSize } from './format.ts'
import { plural, t } from './i18n.ts'

const largestBytes = 20 * 1024 * 1024

/** In Telegram's own words: what each kind of message takes. */
export const kinds = [
  { kind: 'photo', icon: 'image', label: 'attachPhoto', accept: 'image/*' },
  { kind: 'video', icon: 'video', label: 'attachVideo', accept: 'video/*' },
  { kind: 'audio', icon: 'music', label: 'attachAudio', accept: 'audio/*' },
  { kind: 'voice', icon: 'mic', label: 'attachVoice', accept: 'audio/*' },
  { kind: 'document', icon: 'file', label: 'attachFile', accept: '' },
]

function kindOf(file) {
  if (/^image\/(png|jpe?g|webp)$/.test(file.type)) return 'photo'
  if (file.type.startsWith('video/')) return 'video'
  return file.type.startsWith('audio/') ? 'audio' : 'document'
}

/** Opens the browser's own file window; the input stays in the page, where a test or a keyboard can reach it. */
export function createPicker(onFiles) {
  const inputs = kinds.map(({ kind, accept }) => {
    const input = h('input', { type: 'file', multiple: true, accept, hidden: true, testid: `file-${kind}` })
    input.addEventListener('change', () => {
      const files = [...input.files]
      input.value = ''
      if (files.length > 0) onFiles(files, kind)
    })
    return [kind, input]
  })
  const byKind = Object.fromEntries(inputs)
  return { element: h('div', { hidden: true }, Object.values(byKind)), pick: (kind) => byKind[kind].click() }
}

/**
 * @param {File[]} files
 * @param {string | undefined} kind as chosen by the user; undefined goes by each file's type
 * @param {(file: object, caption: string | undefined) => Promise<void>} send
 */
export function openSendDialog(files, kind, send) {
  const small = files.filter((file) => file.size <= largestBytes)
  for (const file of files) {
    if (file.size > largestBytes)
      toast(t('tooLarge', { name: file.name, size: fileSize(largestBytes) }), 'error')
  }
  if (small.length === 0) return
  const urls = []
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
    for (const [index, file] of small.entries()) {
      await send(await readFile(file, kind ?? kindOf(file)), index === 0 ? caption.value.trim() : undefined)
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
        small.map((file) => preview(file, kind ?? kindOf(file), urls)),
      ),
      caption,
    ],
    actions: [
      h('button.button', { testid: 'attach-cancel', onclick: () => dialog.close() }, t('cancel')),
      button,
    ],
    onclose() {
      for (const url of urls) URL.revokeObjectURL(url)
    },
  })
  caption.focus()
}

function preview(file, kind, urls) {
  const url = URL.createObjectURL(file)
  urls.push(url)
  if (kind === 'photo') return h('img', { src: url, alt: file.name })
  if (kind === 'video') return h('video', { src: url, controls: true, label: file.name })
  const sign = kinds.find((one) => one.kind === kind)?.icon ?? 'file'
  return h(
    'div.file-row',
    {},
    h('span.file-sign', {}, icon(sign)),
    h('span.file-words', {}, h('b', {}, file.name), h('small', {}, fileSize(file.size))),
  )
}

const readFile = (file, kind) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onerror = () => reject(reader.error)
    reader.onload = () => {
      const base64 = String(reader.result).split(',')[1] ?? ''
      resolve({ kind, name: file.name || kind, mime: file.type || 'application/octet-stream', base64 })
    }
    reader.readAsDataURL(file)
  })

/** @param {HTMLElement} area @param {(files: File[]) => void} onFiles */
export function acceptDrops(area, onFiles) {
  const veil = h('div.drop-veil', { hidden: true, testid: 'drop-veil' }, icon('attach'), t('dropHere'))
  area.append(veil)
  const hasFiles = (event) => event.dataTransfer?.types.includes('Files')
  const show = (on) => {
    veil.hidden = !on
  }
  area.addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    show(true)
  })
  area.addEventListener('dragleave', (event) => {
    if (!area.contains(event.relatedTarget)) show(false)
  })
  area.addEventListener('drop', (event) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    show(false)
    onFiles([...event.dataTransfer.files])
  })
}
