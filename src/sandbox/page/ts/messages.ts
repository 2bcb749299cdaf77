// The messages of the open topic as rows in sections of days, with the drafts of the bot at the end. The box is a reversed column, so that the
// browser itself keeps the newest message in view when messages come, pictures load or a keyboard opens.

import { html } from 'htm/preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Draft, ignoreRefusal, type Message, type On, request } from './api.ts'
import { dayName, t } from './i18n.ts'
import { iconButton } from './icons.ts'
import { type Group, row } from './row.ts'
import { isOwn, shownMessages, state } from './state.ts'
import { textNodes } from './text.ts'

const nearEndPx = 80

export const conversation = () => html`<${Conversation} key=${state.topic ?? 0} />`

function Conversation() {
  const box = useRef<HTMLDivElement>(null)
  const [isAtEnd, setAtEnd] = useState(true)
  const newest = shownMessages().at(-1)
  // The user's own new message is always scrolled into view.
  useEffect(() => {
    if (newest && isOwn(newest)) box.current?.scrollTo(0, 0)
  }, [newest?.message_id])
  const onScroll = ({ currentTarget }: On) => setAtEnd(currentTarget.scrollTop > -nearEndPx)
  return html`<div class="conversation">
    <div ref=${box} class="scroll" data-testid="scroll" tabindex="-1" onScroll=${onScroll}>
      <div class="scroll-content"><div role="log" aria-label=${t('messages')} data-testid="messages">${days()}</div>
        ${state.drafts.map(draftRow)}</div>
    </div>
    ${iconButton('down', t('jumpDown'), 'to-bottom', { hidden: isAtEnd, onClick: () => box.current?.scrollTo(0, 0) })}
  </div>`
}

/** The messages of an album share one row. */
const keyOf = (message: Message) => message.media_group_id ?? message.message_id

/** Whether two rows are drawn close together: one sender wrote both within a few minutes. */
const joins = (above: Group | undefined, below: Group | undefined): boolean =>
  above?.[0].from?.id === below?.[0].from?.id && Number(below?.[0].date) - Number(above?.[0].date) < 300

function days() {
  const byKey = Map.groupBy(shownMessages(), keyOf)
  const groups = [...byKey.values()].flatMap(([first, ...others]): Group[] =>
    first ? [[first, ...others]] : [],
  )
  const rows = groups.map((group, at) => ({
    day: dayName(group[0].date),
    view: row(keyOf(group[0]), group, joins(groups[at - 1], group)),
  }))
  const byDay = [...Map.groupBy(rows, ({ day }) => day)]
  return byDay.map(
    ([day, inDay]) => html`<section key=${day}>
      <div class="day"><span class="pill" data-testid="day">${day}</span></div>${inDay.map(({ view }) => view)}</section>`,
  )
}

/** A message that the bot is still writing. */
function draftRow({ text, entities, can_stop: canStop, draft_id }: Draft) {
  const body = { from: state.userId, draft_id }
  // A draft that has just ended cannot be stopped, which is of no interest to the user.
  const stop = () => request('POST /api/chats/:chatId/stop', body, state.chatId).catch(ignoreRefusal)
  const words = text ? [...textNodes(text, entities), '…'] : html`<span class="muted">${t('thinking')}</span>`
  return html`<div class="row in draft" key=${draft_id} data-testid="draft" aria-label=${t('botDraft')}><div class="stack">
    <div class="bubble"><div class="text" dir="auto">${words}</div></div>
    <button class="key stop" data-testid="stop-draft" aria-label=${t('stopDraft')} hidden=${!canStop} onClick=${stop}>
      ${t('stop')}</button>
  </div></div>`
}
