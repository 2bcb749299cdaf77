// How a callback could say the same: the document shows neither its method nor its body.

import { z } from 'zod'
import type { Fault } from '../faults.ts'

export interface Call {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

type Shape = Extract<Fault, { kind: 'shape' }>['shape']

const news = z.looseObject({ id: z.string().optional(), status: z.string() })
const vendorId = 'e3b0c442-98fc-4c14-9afb-f4c8996fb924'

export const jsonCall = (url: string, payload: unknown): Call => ({
  url,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(payload),
})

export function shapedCall(url: string, payload: unknown, shape: Shape): Call {
  const { id = '', ...rest } = news.parse(payload)
  const fields = new URLSearchParams({ task_id: id, status: rest.status }).toString()
  switch (shape) {
    case 'nested':
      return jsonCall(url, { id: vendorId, event: 'task.changed', data: { task: { id, ...rest } } })
    case 'beside':
      return jsonCall(url, { ...rest, id: vendorId, taskId: id })
    case 'array':
      return jsonCall(url, [{ id, ...rest }])
    case 'form':
      return { ...jsonCall(url, payload), headers: formHeaders, body: fields }
    case 'query':
      return { url: `${url}?${fields}`, method: 'GET' }
  }
}

const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' }
