// The drafts that the bot streams: a bubble after the last message, with a Stop button where the draft allows it. The bubble
// is kept while its text changes, so that neither the focus on Stop nor an opened quote is lost.

import type { Draft } from './api.ts'
import type { TextActions } from './context.ts'
import { type Child, fill, h, icon } from './dom.ts'
import { renderText } from './entities.ts'
import type { Entity } from './entity-nodes.ts'
import { t } from './i18n.ts'

/** Telegram shows an unchanged draft for this long. */
const shownMs = 30_000

/** The part of the text that is new, as an entity, so that it can fade in. */
function fresh(before: string, text: string): Entity {
  let offset = 0
  while (offset < before.length && before[offset] === text[offset]) offset += 1
  return { type: 'fresh', offset, length: text.length - offset }
}

/** Redraws the text, but keeps the open quotes open and the code scrolled to the side as it was. */
function redraw(body: HTMLElement, nodes: Child): void {
  const quotes = () => [...body.querySelectorAll('.expandable')]
  const blocks = () => [...body.querySelectorAll('pre')]
  const areOpen = quotes().map((one) => one.classList.contains('open'))
  const scrolled = blocks().map((one) => one.scrollLeft)
  fill(body, nodes)
  for (const [at, one] of quotes().entries()) {
    if (areOpen[at]) one.querySelector<HTMLElement>('.quote-toggle')?.click()
  }
  for (const [at, one] of blocks().entries()) one.scrollLeft = scrolled[at] ?? 0
}

const ellipsis = () => h('span.typing-end', { 'aria-hidden': 'true' }, '…')

interface Bubble {
  readonly element: HTMLElement
  show(draft: Draft): void
}

function createBubble(actions: TextActions, stop: () => void): Bubble {
  let text = ''
  const body = h('div.text', { dir: 'auto' })
  const button = h(
    'button.stop-draft',
    { testid: 'stop-draft', label: t('stopDraft'), onclick: stop },
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

export interface Drafts {
  show(draft: Draft): void
  end(draftId: number): void
  clear(): void
  /** Replaces everything that is shown. */
  reset(drafts: readonly Draft[]): void
}

/** @param tail the place after the last message */
export function createDrafts(
  tail: HTMLElement,
  actions: TextActions,
  stop: (draftId: number) => void,
): Drafts {
  const bubbles = new Map<number, Bubble>()
  const timers = new Map<number, number>()
  const end = (id: number) => {
    clearTimeout(timers.get(id))
    bubbles.get(id)?.element.remove()
    bubbles.delete(id)
  }
  const addBubble = (id: number): Bubble => {
    const bubble = createBubble(actions, () => stop(id))
    bubbles.set(id, bubble)
    tail.append(bubble.element)
    return bubble
  }
  const show = (draft: Draft) => {
    const id = draft.draft_id
    const bubble = bubbles.get(id) ?? addBubble(id)
    bubble.show(draft)
    clearTimeout(timers.get(id))
    const timer = setTimeout(() => end(id), shownMs)
    timers.set(id, timer)
  }
  return {
    show,
    end,
    clear() {
      for (const id of [...bubbles.keys()]) end(id)
    },
    reset(drafts) {
      for (const id of [...bubbles.keys()]) if (!drafts.some((one) => one.draft_id === id)) end(id)
      for (const draft of drafts) show(draft)
    },
  }
}
