// The messages of the open topic as rows in sections of days, with the drafts of the bot and the messages that wait at the end.

import { html } from 'htm/preact'
import { useMemo } from 'preact/hooks'
import { ignoreRefusal, type Message, request, type SentMessage } from './api.ts'
import { dayName, plural, t } from './i18n.ts'
import { icon, iconButton } from './icons.ts'
import { type Group, row } from './row.ts'
import { useFollowing } from './scroll.ts'
import { cancelWaiting } from './session.ts'
import { place, type State, shownMessages, state } from './state.ts'
import { textNodes } from './text.ts'

export function Conversation() {
  const waiting = state.waiting[place()] ?? []
  const { box, content, isAtEnd, missed, onScroll, toEnd } = useFollowing(waiting.length)
  const { messages, topic, busy } = state
  const list = useMemo(messageList, [messages, topic, busy])
  return html`<div class="conversation">
    <div ref=${box} class="scroll" data-testid="scroll" tabindex="-1" onScroll=${onScroll}>
      <div ref=${content} class="scroll-content">
        ${list}${state.drafts.map(draftRow)}${waiting.map(waitingRow)}
      </div>
    </div>
    <button class="line to-bottom" data-testid="to-bottom" aria-label=${t('jumpDown')} hidden=${isAtEnd} onClick=${toEnd}>
      ${missed > 0 && html`<span data-testid="new-messages">${plural('newMessages', missed)}</span>`}${icon('down')}</button>
  </div>`
}

/** The messages of an album share one row. */
const keyOf = (message: Message) => message.media_group_id ?? message.message_id

/** Whether two rows are drawn close together: one sender wrote both within a few minutes. */
const joins = (above: Group | undefined, below: Group | undefined): boolean =>
  above?.[0].from?.id === below?.[0].from?.id && Number(below?.[0].date) - Number(above?.[0].date) < 300

function messageList() {
  const byKey = Map.groupBy(shownMessages(), keyOf)
  const groups = [...byKey.values()].flatMap(([first, ...others]): Group[] =>
    first ? [[first, ...others]] : [],
  )
  const rows = groups.map((group, at) => {
    const isJoined = joins(groups[at - 1], group)
    return {
      day: dayName(group[0].date),
      view: row(keyOf(group[0]), group, isJoined, joins(group, groups[at + 1])),
    }
  })
  return html`<div role="log" aria-label=${t('messages')} data-testid="messages">${[
    ...Map.groupBy(rows, ({ day }) => day),
  ].map(
    ([
      day,
      inDay,
    ]) => html`<section key=${day}><div class="day"><span class="pill" data-testid="day">${day}</span></div>
    ${inDay.map(({ view }) => view)}</section>`,
  )}</div>`
}

/** A message that the bot is still writing. New text fades in. */
function draftRow({ text, entities, shown: offset, can_stop: canStop, draft_id }: State['drafts'][number]) {
  const fresh = { type: 'fresh' as const, offset, length: text.length - offset }
  // A draft that has just ended cannot be stopped, which is of no interest to the user.
  const stop = () =>
    request('POST /api/chats/:chatId/stop', { from: state.userId, draft_id }, state.chatId).catch(
      ignoreRefusal,
    )
  const words = text
    ? [...textNodes(text, [...entities, fresh]), '…']
    : html`<span class="muted">${t('thinking')}</span>`
  return html`<div class="row in draft" key=${draft_id} data-testid="draft" aria-label=${t('botDraft')}><div class="stack">
    <div class="bubble"><div class="text" dir="auto">${words}</div></div>
    <button class="key stop" data-testid="stop-draft" aria-label=${t('stopDraft')} hidden=${!canStop} onClick=${stop}>
      ${icon('stop')}<span>${t('stop')}</span></button>
  </div></div>`
}

const waitingRow = (message: SentMessage) =>
  html`<div class="row out" data-testid="waiting" aria-label=${t('waiting')}><div class="stack">
    <div class="line bubble" title=${t('waiting')}>${icon('clock')}
      <span class="text" dir="auto">${message.text || message.caption || message.file?.name}</span>
      <span>${iconButton('close', t('cancelSending'), 'waiting-cancel', { onClick: () => cancelWaiting(place(), message) })}</span>
    </div>
  </div></div>`
