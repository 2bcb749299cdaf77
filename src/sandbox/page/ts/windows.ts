// Windows over the page: dialogs, which are the browser's own <dialog> and keep the focus inside, menus and short notices.

import { html } from 'htm/preact'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { On } from './api.ts'
import { t } from './i18n.ts'
import { icon, iconButton } from './icons.ts'
import { closeDialog, type MenuItem, type Menu as MenuState, openDialog, state, update } from './state.ts'

/** @param actions the buttons below the content */
export const dialog = (
  title: string,
  testid: string,
  content: ComponentChildren,
  actions: ComponentChildren = '',
) =>
  html`<${Modal} class="dialog" data-testid=${testid} aria-label=${title}>
    <div class="line"><h2 class="grow">${title}</h2>
      ${iconButton('close', t('close'), `${testid}-close`, { onClick: closeDialog })}</div>
    <div class="column">${content}</div>
    ${actions && html`<div class="line dialog-actions">${actions}</div>`}
  </${Modal}>`

/** A button of a dialog. */
export const action = (label: string, testid: string, onClick: () => unknown, others: object = {}) =>
  html`<button class="button" data-testid=${testid} onClick=${onClick} ...${others}>${label}</button>`
export const primary = { class: 'button primary', autofocus: true }

/** A dialog without content of its own. A click beside its content closes it. */
export function Modal({ children, ...others }: { readonly children?: ComponentChildren }) {
  const ref = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => ref.current?.showModal(), [])
  const onClick = ({ target }: Event) => target === ref.current && closeDialog()
  return html`<dialog ref=${ref} onClick=${onClick} ...${others}>${children}</dialog>`
}

/** The open dialogs, the topmost last. Each is removed after the browser has closed it. */
export const dialogs = () =>
  state.dialogs.map(({ id, view }) => {
    const remove = () => update({ dialogs: state.dialogs.filter((one) => one.id !== id) })
    return html`<div key=${id} onCloseCapture=${remove}>${view()}</div>`
  })

/** Shows an answer of the bot with `show_alert`, until the user closes it. */
export function openAlert(text: string): void {
  const content = html`<p class="pre-wrap">${text}</p>`
  openDialog(() => dialog(t('message'), 'alert', content, action('OK', 'alert-ok', closeDialog, primary)))
}

/** Shows the whole address before it is opened, since the text of a button or link may suggest another one. */
export function confirmLink(url: string): void {
  const open = () => {
    window.open(url, '_blank', 'noopener,noreferrer')
    closeDialog()
  }
  const content = html`<p class="pre-wrap"><code>${url}</code></p>`
  const actions = () => [
    action(t('cancel'), 'link-cancel', closeDialog),
    action(t('openLinkButton'), 'link-open', open, primary),
  ]
  openDialog(() => dialog(t('openLink'), 'link-dialog', content, actions()))
}

const marginPx = 8

/** A small menu beside a button or a point: the arrow keys move, Escape closes, and the browser gives the focus back. */
export function Menu({ menu }: { readonly menu: MenuState }) {
  const { at, items, testid, label } = menu
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    element.showPopover()
    const box = at instanceof Element ? at.getBoundingClientRect() : { left: at.x, top: at.y, bottom: at.y }
    const { offsetWidth: width, offsetHeight: height } = element
    const isBelow = box.bottom + height + 2 * marginPx <= innerHeight
    const top = isBelow ? box.bottom + marginPx : Math.max(marginPx, box.top - height - marginPx)
    const left = Math.max(marginPx, Math.min(box.left, innerWidth - width - marginPx))
    element.style.translate = `${left}px ${top}px`
    element.querySelector('button')?.focus()
  }, [])
  const row = ({ label, testid, sign, note, checked, onclick }: MenuItem) => {
    const onClick = () => {
      ref.current?.hidePopover()
      onclick()
    }
    return html`<button class="line item" data-testid=${testid} onClick=${onClick}
      role=${checked === undefined ? 'menuitem' : 'menuitemradio'} aria-checked=${checked}>
      ${typeof sign === 'string' ? icon(sign) : sign}<span class="grow">${label}${note && html`<br /><small>${note}</small>`}</span>
      ${checked && icon('check')}</button>`
  }
  // The event may come after another menu has been opened.
  const onToggle = ({ newState }: ToggleEvent) =>
    newState === 'closed' && state.menu === menu && update({ menu: undefined })
  return html`<div ref=${ref} class="menu" role="menu" popover="auto" data-testid=${testid} aria-label=${label}
    onToggle=${onToggle} onKeyDown=${moveFocus}>${items.map(row)}</div>`
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }

/** Moves the focus among the buttons of a list by the arrow keys. */
export function moveFocus(event: On<Element, KeyboardEvent>): void {
  const step = steps[event.key]
  if (!step) return
  event.preventDefault()
  const rows = [...event.currentTarget.querySelectorAll('button')]
  const focused = document.activeElement
  const at = focused instanceof HTMLButtonElement ? rows.indexOf(focused) : -1
  rows.at((at + step) % rows.length)?.focus()
}

/** Short notices. Opening their popover again moves it above a dialog that was opened in between. */
export function Toasts() {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    ref.current?.hidePopover()
    if (state.toasts.length > 0) ref.current?.showPopover()
  }, [state.toasts])
  return html`<div ref=${ref} class="toasts" role="status" aria-live="polite" popover="manual">${state.toasts.map(
    ({ id, text, tone }) =>
      html`<div key=${id} class="toast ${tone}" data-testid="toast-${tone}">${text}</div>`,
  )}</div>`
}
