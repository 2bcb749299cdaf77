// What is posted to a callback address, and when. The document does not show it, so it is the poll's answer.

import { models } from '../../catalog/index.ts'
import { polledView, type Task } from './task.ts'

const callbackPathOf = (task: Task) =>
  models.find(({ id, gatewayId }) => (gatewayId ?? id) === task.model)?.callbackPath

/** MODEL-VIDEO-DREAM tells of each change of the status, in its own words; the others only of the end. */
const tellsChanges = (task: Task): boolean => callbackPathOf(task) === 'callback_url'
/** MODEL-VIDEO-REEL and MODEL-VIDEO-WAN: "once per result". */
const tellsEachResult = (task: Task): boolean => callbackPathOf(task) === 'webhookURL'

export const viewsAtStart = (task: Task, cdn: string): unknown[] =>
  tellsChanges(task) ? [{ ...polledView(task, task.startsAt, cdn), status: 'dreaming' }] : []

/**
 * Where each result has its own call, its `data` holds just that result. A task that failed or was canceled is
 * told about once; but no callback of MODEL-VIDEO-DREAM says `canceled`, so it says nothing then.
 */
export function viewsAtEnd(task: Task, cdn: string): unknown[] {
  const view = polledView(task, task.endsAt, cdn)
  if (view.status === 'canceled' && tellsChanges(task)) return []
  return view.data && tellsEachResult(task) ? view.data.map((item) => ({ ...view, data: [item] })) : [view]
}
