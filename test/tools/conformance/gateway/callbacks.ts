// Sends callbacks ("Payload shape: not shown") in many forms, with the task's id in different places.

import type { Personality } from './personality.ts'
import { stateWord, type Task } from './tasks.ts'

type Fields = Readonly<Record<string, unknown>>

function named(way: Personality['callbackId'], id: string | number): Fields {
  if (way === 'nested') return { event: 'task', data: { task_id: id } }
  if (way === 'deep') return { type: 'update', payload: { task: { id }, kind: 'result' } }
  if (way === 'beside a vendor id') return { id: 'vendor-7f3a', object: 'generation', taskId: id }
  return { [way]: id }
}

export const callbackFields = ({ id, state, personality, urls }: Task): Fields => ({
  ...named(personality.callbackId, id),
  status: stateWord(personality.states, state),
  ...(state === 'completed' ? { urls } : {}),
})

/** Encodes `{a: {b: 1}}` as `a[b]=1`, the usual form of nested fields. */
function formOf(fields: Fields): URLSearchParams {
  const form = new URLSearchParams()
  const add = (name: string, value: unknown) => {
    if (typeof value !== 'object' || value === null) form.append(name, String(value))
    else for (const [key, inner] of Object.entries(value)) add(`${name}[${key}]`, inner)
  }
  for (const [name, value] of Object.entries(fields)) add(name, value)
  return form
}

function requestOf(form: Personality['callbackForm'], address: string, fields: Fields): Request | undefined {
  const post = (type: string, body: string) =>
    new Request(address, { method: 'POST', headers: { 'content-type': type }, body })
  switch (form) {
    case 'json':
      return post('application/json', JSON.stringify(fields))
    case 'array':
      return post('application/json', JSON.stringify([fields]))
    case 'text':
      return post('text/plain', JSON.stringify(fields))
    case 'form':
      return post('application/x-www-form-urlencoded', formOf(fields).toString())
    case 'get':
      return new Request(`${address}${address.includes('?') ? '&' : '?'}${formOf(fields)}`)
    case 'none':
      return undefined
  }
}

/** @returns the status of the answer, or undefined if nothing was sent or no answer came */
export async function sendCallback(task: Task, address: string): Promise<number | undefined> {
  const request = requestOf(task.personality.callbackForm, address, callbackFields(task))
  if (!request) return undefined
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(5000) })
    await answer.body?.cancel()
    return answer.status
  } catch {
    return undefined
  }
}
