// What the page is built of: icons, buttons, avatars, and the one window or menu over the page, which is the browser's own <dialog>: it keeps
// the focus inside, closes by Escape and gives the focus back. The shapes of the icons are lines on a grid of 24 by 24.

import { html } from 'htm/preact'
import type { ComponentChildren, VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { On } from './api.ts'
import { t } from './i18n.ts'
import { state, update } from './state.ts'

const shapes = {
  attach:
    'M20 11.5l-8.2 8.2a5 5 0 0 1-7.1-7.1l8.6-8.6a3.4 3.4 0 0 1 4.8 4.8l-8.5 8.5a1.7 1.7 0 0 1-2.4-2.4l7.6-7.6',
  back: 'M19 12H5M11 6l-6 6 6 6',
  chevron: 'M7 10l5 5 5-5',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h10v11H9zM6 15H5V4h10v2',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  file: 'M6 3h8l5 5v13H6zM14 3v5h5',
  menu: 'M4 7h16M4 12h16M4 17h16',
  plus: 'M12 5v14M5 12h14',
  reply: 'M10 6L4 12l6 6M4 12h9a7 7 0 0 1 7 7',
  send: 'M4 4l17 8-17 8 3-8zM7 12h8',
}

type IconName = keyof typeof shapes

export const icon = (name: IconName): VNode =>
  html`<svg viewBox="0 0 24 24" class="icon" aria-hidden="true"><path d=${shapes[name]} /></svg>`

/** @param others the other attributes of the button */
export const iconButton = (name: IconName, label: string, testid: string, others: object) =>
  html`<button type="button" class="icon-button" aria-label=${label} title=${label} data-testid=${testid} ...${others}>
    ${icon(name)}</button>`

/** The colour of a person or chat, as a style. It follows the id, so it is the same everywhere. */
export const hueOf = (id: number) => ({ '--hue': `${(Math.abs(id) * 47) % 360}` })

/** A round avatar with initials. */
export function avatar(name: string, id: number): VNode {
  const initials = name.split(/\s+/).map((word) => [...word][0] ?? '')
  return html`<span class="avatar" aria-hidden="true" style=${hueOf(id)}>
    ${initials.slice(0, 2).join('').toUpperCase()}</span>`
}

/** A name above a note, each on one line. */
export const twoLines = (name: string, note = '') =>
  html`<span class="two-lines grow"><b title=${name}>${name}</b>${note && html`<small>${note}</small>`}</span>`

const openOverlay = (overlay: () => VNode) => update({ overlay })

const showModal = (dialog: HTMLDialogElement | null) => dialog?.showModal()
const closeOver = (element: Element) => element.closest('dialog')?.close()

/** What lies over the page. A click beside its content closes it. */
function Overlay({ children, ...others }: { readonly children?: ComponentChildren }) {
  const onClick = ({ target, currentTarget }: On<HTMLDialogElement>) =>
    target === currentTarget && currentTarget.close()
  // The event comes after another one may have been opened in its place.
  const onClose = ({ currentTarget }: On) => currentTarget.isConnected && update({ overlay: undefined })
  return html`<dialog ref=${showModal} onClick=${onClick} onClose=${onClose} ...${others}>${children}</dialog>`
}

const closeButton = () =>
  iconButton('close', t('close'), 'close', {
    class: 'icon-button close',
    onClick: ({ currentTarget }: On) => closeOver(currentTarget),
  })

interface Form {
  readonly title: string
  readonly testid: string
  /** The label of the button. */
  readonly label: string
  content(): ComponentChildren
  /** The window closes when the result is truthy. */
  submit(data: FormData): unknown
}

/** Opens a window with one button, which Enter presses as well. */
export const openForm = (form: Form) => openOverlay(() => html`<${FormView} ...${form} />`)

function FormView({ title, testid, label, content, submit }: Form) {
  const [isBusy, setBusy] = useState(false)
  const onSubmit = async (event: On<HTMLFormElement>) => {
    event.preventDefault()
    const { currentTarget: form } = event
    setBusy(true)
    if (await submit(new FormData(form))) closeOver(form)
    else setBusy(false)
  }
  return html`<${Overlay} class="window" data-testid=${testid} aria-label=${title}>
    <form class="column" onSubmit=${onSubmit}><h2>${title}</h2>${content()}
      <button class="button primary" data-testid="${testid}-submit" disabled=${isBusy} aria-busy=${isBusy}>${label}</button>
      ${closeButton()}</form></${Overlay}>`
}

/** Shows an answer of the bot with `show_alert`, until the user closes it. */
export function openAlert(text: string): void {
  const content = () => html`<p class="pre-wrap">${text}</p>`
  openForm({ title: t('message'), testid: 'alert', label: 'OK', content, submit: () => true })
}

export interface MenuItem {
  readonly label: string
  readonly testid: string
  /** The name of an icon, or what is shown in its place. */
  readonly sign?: IconName | VNode
  readonly isCurrent?: boolean
  onclick(): unknown
}

/** Opens a menu beside the pointer, or below the element that was pressed by the keyboard. */
export function openMenu(
  event: On<Element, MouseEvent>,
  testid: string,
  label: string,
  items: readonly MenuItem[],
): void {
  const { left, bottom } = event.currentTarget.getBoundingClientRect()
  const style = {
    left: `min(${event.clientX || left}px, 100vw - 260px)`,
    top: `min(${event.clientY || bottom}px, 100dvh - 300px)`,
  }
  const row = ({ label, testid, sign, isCurrent, onclick }: MenuItem) => {
    const onClick = ({ currentTarget }: On) => {
      closeOver(currentTarget)
      onclick()
    }
    return html`<button class="line item" data-testid=${testid} aria-current=${isCurrent} onClick=${onClick}>
      ${typeof sign === 'string' ? icon(sign) : sign}<span class="grow">${label}</span></button>`
  }
  const view = () =>
    html`<${Overlay} class="menu" style=${style} data-testid=${testid} aria-label=${label}>
      ${items.map(row)}</${Overlay}>`
  openOverlay(view)
}

const showPopover = (element: HTMLElement | null) => element?.showPopover()

/** The short notice, above an open window. */
export const toastView = () =>
  html`<div role="status">${
    state.toast &&
    html`<div key=${state.toast} ref=${showPopover} popover="manual" class="toast" data-testid="toast">${state.toast}</div>`
  }</div>`
