// One HTTP request to the Bot API. Its answers are short JSON texts, so they are collected from undici's `dispatch`, which costs less than
// `request` with its stream for each answer.

import { Readable } from 'node:stream'
import type { ApiClientOptions } from 'grammy'
import type { Dispatcher } from '../runtime/undici.ts'
import { uploadOf } from './upload.ts'

type Fetch = NonNullable<ApiClientOptions['fetch']>
/** What grammY passes to `fetch`. */
export type Init = NonNullable<Parameters<Fetch>[1]>

export interface Answer {
  readonly status: number
  readonly text: string
}

/**
 * @param limitMs how long the answer may take after the request was sent
 * @throws when the request fails, or is aborted, before its whole answer has arrived
 */
export async function post(
  dispatcher: Dispatcher,
  url: string | URL,
  init: Init,
  limitMs: number,
): Promise<Answer> {
  const { body: form } = init
  if (!(form instanceof Readable)) return send(dispatcher, url, init, limitMs)
  try {
    return await send(dispatcher, url, { ...init, body: await uploadOf(form) }, limitMs)
  } finally {
    form.destroy()
  }
}

function send(dispatcher: Dispatcher, url: string | URL, init: Init, limitMs: number): Promise<Answer> {
  const { signal } = init
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let status = 0
    let started: Dispatcher.DispatchController | undefined
    const abort = () => started?.abort(new DOMException('the request was aborted', 'AbortError'))
    signal?.addEventListener('abort', abort)
    const end = () => signal?.removeEventListener('abort', abort)
    dispatcher.dispatch(optionsOf(url, init, limitMs), {
      onRequestStart(controller) {
        started = controller
        if (signal?.aborted) abort()
      },
      onResponseStart(_, statusCode) {
        status = statusCode
      },
      onResponseData(_, chunk) {
        chunks.push(chunk)
      },
      onResponseEnd() {
        end()
        resolve({ status, text: textOf(chunks) })
      },
      onResponseError(_, error) {
        end()
        reject(error)
      },
    })
  })
}

function optionsOf(
  url: string | URL,
  { headers = {}, body = null }: Init,
  limitMs: number,
): Dispatcher.DispatchOptions {
  const { origin, pathname, search } = new URL(url)
  const limits = { headersTimeout: limitMs, bodyTimeout: limitMs }
  return { origin, path: pathname + search, method: 'POST', headers, body, ...limits }
}

const textOf = (chunks: readonly Buffer[]): string =>
  chunks.length === 1 ? String(chunks[0]) : Buffer.concat(chunks).toString()
