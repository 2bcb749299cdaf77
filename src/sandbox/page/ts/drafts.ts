// What the bot is writing just now: a bubble after the last message that grows, thinks, and can be stopped. The bubble
// stays while its words change, so that neither the focus on Stop nor an opened quote is lost.

import { fill, h, icon } from './dom.ts'
import { renderText } from './entities.ts'
import { t } from './i18n.ts'

/** As long as Telegram shows a draft that does not change. */
const shownMs = 30_000

/** Words that were not there a moment ago, drawn as an entity of our own. */
function fresh(before, text) {
  let offset = 0
  while (offset < before.length && before[offset] === text[offset]) offset += 1
  return { type: 'fresh', offset, length: text.length - offset }
}

const inOrder = (body, selector) => [...body.querySelectorAll(selector)]

/** Draws anew, and leaves quotes as open and code as far to the side as a person has put them. */
function redraw(body, nodes) {
  const opened = inOrder(body, '.expandable').map((one) => one.classList.contains('open'))
  const aside = inOrder(body, 'pre').map((one) => one.scrollLeft)
  fill(body, nodes)
  for (const [at, one] of inOrder(body, '.expandable').entries()) {
    if (opened[at]) one.querySelector('.quote-toggle').click()
  }
  for (const [at, one] of inOrder(body, 'pre').entries()) one.scrollLeft = aside[at] ?? 0
}

const ellipsis = () => h('span.typing-end', { 'aria-hidden': 'true' }, '…')

function createBubble(actions, stop) {
  let text = ''
  const body = h('div.text', { dir: 'auto' })
  const button = h(
    'button.stop-draft',
    { testid: 'stop-draft', label: t('stopDraft'), onclick: () => stop() },
    icon('stop'),
    h('span', {}, t('stop')),
  )
  const bubble = h('div.bubble', {}, body)
  const element = h(
    'div.row.in.draft',
    { testid: 'draft', label: t('botDraft') },
    h('div.stack', {}, bubble, button),
  )
  return {
    element,
    show(draft) {
      const entities = [...draft.entities, fresh(text, draft.text)]
      text = draft.text
      button.hidden = !draft.can_stop
      redraw(
        body,
        text ? [renderText(text, entities, actions), ellipsis()] : h('span.thinking', {}, t('thinking')),
      )
    },
  }
}

/**
 * @param {HTMLElement} tail the place after the last message
 * @param {object} actions what a press in the words can do
 * @param {(draft: object) => void} stop
 */
export function createDrafts(tail, actions, stop) {
  const bubbles = new Map()
  const timers = new Map()
  const end = (id) => {
    clearTimeout(timers.get(id))
    bubbles.get(id)?.element.remove()
    bubbles.delete(id)
  }
  const show = (draft) => {
    const id = draft.draft_id
    if (!bubbles.has(id)) {
      const bubble = createBubble(actions, () => stop({ draft_id: id }))
      bubbles.set(id, bubble)
      tail.append(bubble.element)
    }
    bubbles.get(id).show(draft)
    clearTimeout(timers.get(id))
    timers.set(
      id,
      setTimeout(() => end(id), shownMs),
    )
  }
  const clear = () => {
    for (const id of [...bubbles.keys()]) end(id)
  }
  return {
    show,
    end,
    clear,
    /** Shows what is being written now, whatever was shown before. */
    reset(drafts) {
      for (const id of [...bubbles.keys()]) if (!drafts.some((one) => one.draft_id === id)) end(id)
      for (const draft of drafts) show(draft)
    },
  }
}
