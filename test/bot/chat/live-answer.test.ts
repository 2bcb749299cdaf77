// How an answer that is being written is shown: at once after a silence, never more often than once a second, and again before
// Telegram lets the draft vanish.

import { Bot } from 'grammy'
import { expect, it } from 'vitest'
import { draftAnswer } from '../../../src/bot/chat/live-answer.ts'
import { silentLog } from '../../../src/runtime/log.ts'
import { handClock } from '../../support/runtime/clock.ts'

/** Every draft with the second at which it was shown. */
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
  const face = draftAnswer({ api, clock, log: silentLog }, { chatId: 1, threadId: null }, 7)
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    ...{ face, drafts },
    says: (text: string) => face.show({ text, thinking: '' }),
    /** In steps, since each may begin another pause. */
    async pass(ms: number) {
      for (let passed = 0; passed < ms; passed += 100) {
        await settled()
        clock.advance(100)
        await settled()
      }
    },
  }
}

it('words are drawn at most once a second, and at once after a silence', async () => {
  const { face, drafts, says, pass } = world()
  await pass(500)
  says('a')
  await pass(800)
  says('a b')
  await pass(100)
  says('a b c')
  await pass(3900)
  says('a b c d')
  await pass(100)
  await face.close()
  expect(drafts).toEqual([
    [0, ''],
    [1, 'a'],
    [2, 'a b c'],
    [5.3, 'a b c d'],
  ])
})

it('a draft is drawn again before it vanishes', async () => {
  const { face, drafts, says, pass } = world()
  says('a')
  await pass(45_000)
  await face.close()
  expect(drafts.map(([at]) => Math.floor(at))).toEqual([0, 1, 21, 41])
})
