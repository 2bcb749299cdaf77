// Files of users, which Telegram gives by their id, or does not give.

import { Api, GrammyError } from 'grammy'
import { expect, it } from 'vitest'
import { Agent } from '../../src/runtime/undici.ts'
import { createFiles } from '../../src/telegram/files.ts'

it.each([
  [400, 'Bad Request: invalid file_id', 'gone'],
  [400, 'Bad Request: file is too big', 'gone'],
  [400, 'Bad Request: wrong file_id or the file is temporarily unavailable', 'gone-or-unavailable'],
  [429, 'Too Many Requests: retry after 3', 'unavailable'],
  [500, 'Internal Server Error', 'unavailable'],
])('after the refusal %i %s a file is %s', async (error_code, description, reason) => {
  const api = new Api('1:x')
  api.config.use((_, method, payload) => {
    throw new GrammyError('refused', { ok: false, error_code, description }, method, payload)
  })
  const files = createFiles(api, 'http://127.0.0.1:9', new Agent())
  expect(await files.read('x', 1000)).toEqual({ ok: false, reason })
})
