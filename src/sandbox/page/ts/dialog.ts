// Windows over the page: dialogs, which are the browser's own <dialog> and keep the focus inside, and short notices.

import { type Child, fill, h, iconButton } from './dom.ts'
import { t } from './i18n.ts'

interface DialogOptions {
  readonly title: string
  readonly testid: string
  readonly body: Child
  readonly actions?: Child
  readonly wide?: boolean
  onclose?(): void
}

interface Dialog {
  close(): void
  setActions(...actions: Child[]): void
}

export function openDialog({ title, testid, body, actions, wide = false, onclose }: DialogOptions): Dialog {
  const buttons = h('div.dialog-actions', {}, actions)
  const element: HTMLDialogElement = h(
    wide ? 'dialog.dialog.wide' : 'dialog.dialog',
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
  return { close: () => element.close(), setActions: (...all) => fill(buttons, all) }
}

/** Shows an answer of the bot with `show_alert`, until the user closes it. */
export function alertDialog(text: string): void {
  const ok = h('button.button.primary', { testid: 'alert-ok', onclick: () => dialog.close() }, 'OK')
  const dialog = openDialog({
    title: t('message'),
    testid: 'alert',
    body: h('p.pre-wrap', {}, text),
    actions: ok,
  })
  ok.focus()
}

/** Shows the whole address before it is opened, since the text of a button or link may suggest another one. */
export function confirmLink(url: string): void {
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
const toastMsPerCharacter = 60

export function toast(text: string, tone: 'info' | 'error' = 'info'): void {
  const element = h(`div.toast.${tone}`, { testid: `toast-${tone}` }, text)
  const box = document.getElementById('toasts')
  if (!box) return
  box.append(element)
  // Opening the popover again moves it above a dialog that was opened in between.
  if (box.matches(':popover-open')) box.hidePopover()
  box.showPopover()
  setTimeout(() => element.remove(), Math.max(toastMs, text.length * toastMsPerCharacter))
}

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    copyBySelection(text)
  }
  toast(t('copied'))
}

/** Copies where the browser does not let the page use the clipboard API. */
function copyBySelection(text: string): void {
  const area = h('textarea', { 'aria-hidden': 'true' })
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}
