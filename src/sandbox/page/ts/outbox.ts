// Messages that could not be sent because the sandbox was not reached. They wait after the last message of the chat, in the order of
// sending, and are sent when it is reached again, also after a reload.

import { Unreachable } from './api.ts'
import { h, icon, iconButton } from './dom.ts'
import { t } from './i18n.ts'
import { type Outgoing, readWaiting, writeWaiting } from './outbox-store.ts'
import { reported } from './reported.ts'

const retryMs = 2000

export interface Outbox {
  readonly element: HTMLElement
  /** Resolves when the message has been sent or waits. Rejects when the sandbox refuses it; the refusal has then been shown. */
  send(message: Outgoing): Promise<void>
  /** Sends the waiting messages. */
  flush(): Promise<void>
  stop(): void
}

/** The waiting messages by chat and user. They outlive a reload, and the session, which ends when another chat is opened. */
const waitingIn = readWaiting()

function queueOf(place: string): Outgoing[] {
  const queue = waitingIn.get(place) ?? []
  waitingIn.set(place, queue)
  return queue
}

export function createOutbox(place: string, deliver: (message: Outgoing) => Promise<void>): Outbox {
  const queue = queueOf(place)
  const element = h('div.outbox', { testid: 'outbox' })
  let timer: number | undefined
  let isFlushing = false

  const draw = () => element.replaceChildren(...queue.map((one) => waitingRow(one, () => drop(one))))
  const drop = (message: Outgoing) => {
    const at = queue.indexOf(message)
    if (at >= 0) queue.splice(at, 1)
    writeWaiting(waitingIn)
    draw()
  }
  const retryLater = () => {
    clearTimeout(timer)
    timer = setTimeout(flush, retryMs)
  }
  const hold = (message: Outgoing) => {
    queue.push(message)
    writeWaiting(waitingIn)
    draw()
    retryLater()
  }
  /** @returns false when the sandbox was not reached @throws ApiError when it refuses; the refusal has then been shown */
  const attempt = async (message: Outgoing): Promise<boolean> => {
    const outcome = await deliver(message).catch((error: unknown) => {
      if (error instanceof Unreachable) return error
      return reported(Promise.reject(error))
    })
    return !(outcome instanceof Unreachable)
  }
  async function flush(): Promise<void> {
    if (isFlushing) return
    isFlushing = true
    for (let next = queue[0]; next; next = queue[0]) {
      // A refused message is not sent again.
      if (!(await attempt(next).catch(() => true))) break
      drop(next)
    }
    isFlushing = false
    if (queue.length > 0) retryLater()
  }
  draw()

  return {
    element,
    flush,
    async send(message) {
      if (queue.length > 0 || !(await attempt(message))) hold(message)
    },
    stop: () => clearTimeout(timer),
  }
}

const wordsOf = ({ text, caption, file }: Outgoing): string => text || caption || file?.name || ''

function waitingRow(message: Outgoing, cancel: () => void): HTMLElement {
  return h(
    'div.row.out.waiting',
    { testid: 'waiting', label: t('waiting') },
    h(
      'div.stack',
      {},
      h(
        'div.bubble',
        { title: t('waiting') },
        h('span.text', { dir: 'auto' }, wordsOf(message)),
        h('span.meta', {}, icon('clock')),
        iconButton('close', t('cancelSending'), 'waiting-cancel', cancel),
      ),
    ),
  )
}
