// The refusals that the Bot API has sent to the bot since the page was opened: a button with their count, and their list in a dialog. Users
// of Telegram do not see refusals, but engineers need to.

import { openDialog } from './dialog.ts'
import { fill, h, icon } from './dom.ts'
import type { Refusal } from './events.ts'
import { timeOfDay } from './format.ts'
import { t } from './i18n.ts'

const kept = 50

interface Refusals {
  readonly element: HTMLElement
  add(refusal: Refusal): void
  /** Draws the count again, for example in another language. */
  draw(): void
}

interface Entry {
  readonly refusal: Refusal
  readonly unixSeconds: number
}

export function createRefusals(): Refusals {
  let entries: readonly Entry[] = []
  const element = h('button.side-button.quiet', {
    testid: 'refusals',
    hidden: true,
    onclick: () => openList(entries),
  })
  const draw = () => {
    element.hidden = entries.length === 0
    fill(element, icon('ban'), t('refusals', { n: entries.length }))
  }
  return {
    element,
    draw,
    add(refusal) {
      entries = [...entries, { refusal, unixSeconds: Date.now() / 1000 }].slice(-kept)
      draw()
    },
  }
}

function openList(entries: readonly Entry[]): void {
  const rows = entries
    .toReversed()
    .map(({ refusal: { method, description }, unixSeconds }) =>
      h('li', {}, h('time', {}, timeOfDay(unixSeconds)), h('b', {}, method), h('span', {}, description)),
    )
  openDialog({
    title: t('refusalsTitle'),
    testid: 'refusals-dialog',
    wide: true,
    body: [h('p.muted', {}, t('refusalsText')), h('ul.refusal-list', { testid: 'refusal-list' }, rows)],
  })
}
