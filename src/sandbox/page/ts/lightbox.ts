// A photo, a video or a 3D model over the whole window. The arrow keys move through an album.

import { fileUrl } from './api.ts'
import { fill, h, icon, iconButton } from './dom.ts'
import { fileName } from './file-name.ts'
import { t } from './i18n.ts'
import { isModel, type MediaFacts } from './media-facts.ts'
import { modelView } from './model-view.ts'

export function openLightbox(all: readonly MediaFacts[], first: MediaFacts): void {
  let at = all.indexOf(first)
  const stage = h('div.lightbox-stage', { testid: 'lightbox-stage' })
  const save = h(
    'a.icon-button',
    { label: t('download'), title: t('download'), testid: 'lightbox-download' },
    icon('download'),
  )

  const show = (index: number) => {
    at = (index + all.length) % all.length
    const media = all[at] ?? first
    const url = fileUrl(media.id)
    save.href = url
    save.download = fileName(media)
    fill(stage, view(media, url))
  }
  const step = (by: number, label: string) =>
    all.length > 1 &&
    iconButton('back', label, 'lightbox-back', () => show(at + by), { 'data-step': String(by) })

  const element: HTMLDialogElement = h(
    'dialog.lightbox',
    { testid: 'lightbox', label: t('photo') },
    stage,
    h(
      'div.lightbox-tools',
      {},
      save,
      iconButton('close', t('close'), 'lightbox-close', () => element.close()),
    ),
    step(-1, t('previous')),
    step(1, t('next')),
  )
  element.addEventListener('keydown', (event) => {
    // Videos and models handle the arrow keys themselves.
    if (event.target instanceof HTMLVideoElement || event.target instanceof HTMLCanvasElement) return
    if (event.key === 'ArrowLeft') show(at - 1)
    if (event.key === 'ArrowRight') show(at + 1)
  })
  element.addEventListener('click', (event) => event.target === stage && element.close())
  element.addEventListener('close', () => element.remove())
  document.body.append(element)
  show(at)
  element.showModal()
  stage.querySelector('canvas')?.focus()
}

function view(media: MediaFacts, url: string): HTMLElement {
  if (isModel(media)) return modelView(url)
  const isImage = media.kind === 'photo' || media.mime.startsWith('image/')
  if (isImage) return h('img', { src: url, alt: t('photo') })
  return h('video', { src: url, controls: true, autoplay: true, playsinline: true, label: t('video') })
}
