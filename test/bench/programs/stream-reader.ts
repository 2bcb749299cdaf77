// The baseline of streamed answers: sends the question, reads the stream and updates the draft as often as the app, with undici alone.

import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { z } from 'zod'

const { GATEWAY_URL = '', TELEGRAM_API_ROOT = '' } = process.env
const pauseMs = 1000
const dispatcher = new Agent({ connections: 500 })
const headers = { 'content-type': 'application/json' }

const post = (url: string, body: object) =>
  request(url, { dispatcher, method: 'POST', headers, body: JSON.stringify(body), headersTimeout: 0 })
const tell = async (method: string, body: object) =>
  (await post(`${TELEGRAM_API_ROOT}/bot1:token/${method}`, body)).body.json()

const told = z.object({
  result: z.array(z.object({ message: z.object({ chat: z.object({ id: z.number() }) }) })),
})

/** Shows the first words at once, then the text so far once a second. */
async function answer(chat_id: number): Promise<void> {
  let text = ''
  let isOver = false
  const { body } = await post(`${GATEWAY_URL}/v1/chat/completions`, { stream: true })
  const show = async () => {
    while (!isOver) {
      await tell('sendMessageDraft', { chat_id, draft_id: 1, text })
      await sleep(pauseMs)
    }
  }
  for await (const chunk of body) {
    const isFirst = text === ''
    for (const [, word = ''] of String(chunk).matchAll(/"content":"([^"]*)"/g)) text += word
    if (isFirst && text !== '') void show()
  }
  isOver = true
  await tell('sendMessage', { chat_id, text })
}

for (;;) {
  const updates = told.parse(await tell('getUpdates', { timeout: 20 }))
  for (const { message } of updates.result) void answer(message.chat.id)
}
