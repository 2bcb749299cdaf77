// What the Bot API has refused the bot since the page was opened: a person in Telegram never sees it, an engineer
// wants to. A counter at the edge, and the list behind it.

import { openDialog } from './dialog.ts'
import { fill, h, icon } from './dom.ts'
import { timeOfDay } from './format.ts'
import { t } from './i18n.ts'

const kept = 50

export function createRefusals() {
  let all = []
  const element = h('button.side-button.quiet', {
    testid: 'refusals',
    hidden: true,
    onclick: () => openList(all),
  })
  return {
    element,
    add({ method, description }) {
      all = [...all, { method, description, at: Date.now() / 1000 }].slice(-kept)
    },
    draw() {
      element.hidden = all.length === 0
      fill(element, icon('ban'), t('refusals', { n: all.length }))
    },
  }
}

function openList(all) {
  const rows = all
    .toReversed()
    .map(({ method, description, at }) =>
      h('li', {}, h('time', {}, timeOfDay(at)), h('b', {}, method), h('span', {}, description)),
    )
  openDialog({
    title: t('refusalsTitle'),
    testid: 'refusals-dialog',
    wide: true,
    body: [h('p.muted', {}, t('refusalsText')), h('ul.refusal-list', { testid: 'refusal-list' }, rows)],
  })
}
