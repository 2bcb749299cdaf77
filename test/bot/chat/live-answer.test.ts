// The draft of an answer is drawn at once after a silence, at most once a second, and again before Telegram removes it.

import { Bot } from 'grammy'
import { expect, it } from 'vitest'
import { draftAnswer } from '../../../src/bot/chat/live-answer.ts'
import { silentLog } from '../../../src/runtime/log.ts'
import { handClock } from '../../support/runtime/clock.ts'

/** Each draft with the second at which it was drawn. */
function world() {
  const clock = handClock()
  const begun = clock.now().getTime()
  const drafts: (readonly [number, unknown])[] = []
  const { api } = new Bot('1:token')
  api.config.use(async (_, method, payload) => {
    if (method === 'sendMessageDraft' && 'text' in payload)
      drafts.push([(clock.now().getTime() - begun) / 1000, payload.text])
    return { ok: true, result: true as never }
  })
  const shown = draftAnswer({ api, clock, log: silentLog }, { chatId: 1, topicId: null }, 7)
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    shown,
    drafts,
    says: (text: string) => shown.show({ text, thinking: '' }),
    /** In small steps: each pause starts when the one before it ends. */
    async pass(ms: number) {
      for (let passed = 0; passed < ms; passed += 100) {
        await settled()
        clock.advance(100)
        await settled()
      }
    },
  }
}

it('text is drawn at most once a second, and at once after a silence', async () => {
  const { shown, drafts, says, pass } = world()
  await pass(500)
  says('a')
  await pass(800)
  says('a b')
  await pass(100)
  says('a b c')
  await pass(3900)
  says('a b c d')
  await pass(100)
  await shown.close()
  expect(drafts).toEqual([
    [0, ''],
    [1, 'a'],
    [2, 'a b c'],
    [5.3, 'a b c d'],
  ])
})

it('a draft is drawn again before Telegram removes it', async () => {
  const { shown, drafts, says, pass } = world()
  says('a')
  await pass(45_000)
  await shown.close()
  expect(drafts.map(([at]) => Math.floor(at))).toEqual([0, 1, 21, 41])
})
