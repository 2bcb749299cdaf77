// Windows over the page: dialogs (the browser's own <dialog>, which keeps the focus inside) and passing toasts.

import { fill, h, iconButton } from './dom.ts'
import { t } from './i18n.ts'

/**
 * @param {{ title: string, testid: string, body: object, actions?: object[], wide?: boolean, onclose?: () => void }} options
 * @returns {{ element: HTMLDialogElement, close(): void, setActions(...actions: object[]): void }}
 */
export function openDialog({ title, testid, body, actions = [], wide = false, onclose }) {
  const buttons = h('div.dialog-actions', {}, actions)
  const element = h(
    `dialog.dialog${wide ? '.wide' : ''}`,
    { testid, label: title },
    h(
      'div.dialog-head',
      {},
      h('h2', {}, title),
      iconButton('close', t('close'), `${testid}-close`, () => element.close()),
    ),
    h('div.dialog-body', {}, body),
    buttons,
  )
  element.addEventListener('click', (event) => event.target === element && element.close())
  element.addEventListener('close', () => {
    element.remove()
    onclose?.()
  })
  document.body.append(element)
  element.showModal()
  return { element, close: () => element.close(), setActions: (...all) => fill(buttons, all) }
}

/** What a bot shows with `show_alert`: it stays until it is closed. */
export function alertDialog(text) {
  const ok = h('button.button.primary', { testid: 'alert-ok', onclick: () => dialog.close() }, 'OK')
  const dialog = openDialog({
    title: t('message'),
    testid: 'alert',
    body: h('p.pre-wrap', {}, text),
    actions: [ok],
  })
  ok.focus()
}

/** @param {string} url the whole address is shown: a button's words may promise another */
export function confirmLink(url) {
  const open = () => {
    window.open(url, '_blank', 'noopener,noreferrer')
    dialog.close()
  }
  const dialog = openDialog({
    title: t('openLink'),
    testid: 'link-dialog',
    body: h('p.link-address', {}, url),
    actions: [
      h('button.button', { testid: 'link-cancel', onclick: () => dialog.close() }, t('cancel')),
      h('button.button.primary', { testid: 'link-open', onclick: open }, t('openLinkButton')),
    ],
  })
}

const toastMs = 4000

/** @param {'info' | 'error'} [tone] */
export function toast(text, tone = 'info') {
  const element = h(`div.toast.${tone}`, { testid: `toast-${tone}` }, text)
  const box = document.getElementById('toasts')
  box.append(element)
  // An open dialog lies above everything else, so the toasts climb into it.
  if (box.matches(':popover-open')) box.hidePopover()
  box.showPopover()
  setTimeout(() => element.remove(), Math.max(toastMs, text.length * 60))
}

export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    copyOldWay(text)
  }
  toast(t('copied'))
}

/** The clipboard of today needs https or localhost; a sandbox may be opened by the machine's name. */
function copyOldWay(text) {
  const area = h('textarea', { 'aria-hidden': 'true' })
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}
