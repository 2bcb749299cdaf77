// An answer while it is being written: its first words are shown at once, later texts at a pace that Telegram accepts, and never out of
// order.

import { Bot } from 'grammy'
import { afterEach, describe, expect, it } from 'vitest'
import { draftAnswer, postedAnswer } from '../../../src/bot/chat/asking.ts'
import type { LiveAnswer } from '../../../src/chat/reading.ts'
import { silentLog } from '../../../src/runtime/log.ts'
import { seededRandom } from '../../../src/sandbox/random.ts'
import { loadTexts } from '../../../src/texts.ts'
import { handClock } from '../../support/runtime/clock.ts'

/** The scripted behaviour of Telegram for one call: how long it takes and which error it returns. */
interface Manner {
  readonly takesMs?: number
  readonly error?: { readonly error_code: number; readonly retry_after?: number }
}

interface Call {
  readonly method: string
  readonly text: unknown
  readonly begunAt: number
  endedAt: number
}

const opened: LiveAnswer[] = []
afterEach(() => {
  for (const live of opened.splice(0)) void live.close()
})

const turns = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A bot with a scripted Telegram and a manual clock. All times are milliseconds after the question. */
function world(manner: (call: number) => Manner = () => ({})) {
  const clock = handClock()
  const start = clock.now().getTime()
  const now = () => clock.now().getTime() - start
  const calls: Call[] = []
  const { api } = new Bot('1:token')
  api.config.use(async (_, method, payload) => {
    const text = 'text' in payload ? payload.text : undefined
    const call: Call = { method, text, begunAt: now(), endedAt: Number.POSITIVE_INFINITY }
    const { takesMs = 0, error } = manner(calls.length)
    calls.push(call)
    if (takesMs > 0) await clock.wait(takesMs)
    call.endedAt = now()
    if (!error) return { ok: true, result: { message_id: 70 } as never }
    const { error_code, retry_after } = error
    const parameters = retry_after === undefined ? {} : { retry_after }
    return { ok: false, error_code, description: 'no', parameters }
  })
  const deps = { api, clock, log: silentLog }
  const keep = <Live extends LiveAnswer>(live: Live): Live => {
    opened.push(live)
    return live
  }
  return {
    calls,
    now,
    /** Method, text and time of each call. */
    drawn: () => calls.map(({ method, text, begunAt }) => [method, text, begunAt]),
    /** Text and time of each draft. */
    drafts: () => calls.map(({ text, begunAt }) => [text, begunAt]),
    draft: () => keep(draftAnswer(deps, { chatId: 1, topicId: null }, 7)),
    post: (onPosted = async (_: number) => {}) =>
      keep(
        postedAnswer(deps, {
          location: { chatId: -1, topicId: null },
          messageId: 7,
          turnId: '0123456789',
          say: loadTexts()('en'),
          onPosted,
        }),
      ),
    /** Advances the clock in small steps, so that each pause starts when the one before it ends. */
    async pass(ms: number, stepMs = 5) {
      for (let passed = 0; passed < ms; passed += stepMs) {
        await turns()
        clock.advance(stepMs)
        await turns()
      }
    },
  }
}

const says = (live: LiveAnswer, text: string, thinking = '') => live.show({ text, thinking })

describe('seen()', () => {
  it('counts the last text that was drawn, without thinking and without what Telegram refused', async () => {
    const { draft, pass } = world((call) => (call === 2 ? { error: { error_code: 403 } } : {}))
    const live = draft()
    says(live, '', 'well')
    await pass(500)
    expect(live.seen()).toEqual({ shown: 0, of: 0 })
    says(live, 'a b', 'well')
    await pass(2000)
    says(live, 'a b c d', 'well')
    expect(live.seen()).toEqual({ shown: 3, of: 7 })
    await pass(500)
    expect(live.seen()).toEqual({ shown: 3, of: 7 })
  })

  it('counts at most 4096 characters of a long text drawn once', async () => {
    const { draft, pass } = world()
    const live = draft()
    says(live, 'word '.repeat(2000))
    await pass(500)
    expect(live.seen()).toEqual({ shown: 4096, of: 10_000 })
  })

  it('counts no more than the answer when what was drawn turns out to be thinking', async () => {
    const { draft, pass } = world()
    const live = draft()
    says(live, 'The user greets me.')
    await pass(500)
    expect(live.seen()).toEqual({ shown: 19, of: 19 })
    says(live, 'The user greets me.\n</think>\nHi!')
    expect(live.seen()).toEqual({ shown: 3, of: 3 })
    await pass(2000)
    expect(live.seen()).toEqual({ shown: 3, of: 3 })
  })

  it('counts nothing in a group whose first message was refused', async () => {
    const { post, pass } = world((call) => (call === 0 ? { error: { error_code: 500 } } : {}))
    const live = post()
    says(live, 'a')
    await pass(4000)
    says(live, 'a b')
    await pass(4000)
    expect(live.seen()).toEqual({ shown: 0, of: 0 })
  })
})

describe('a draft', () => {
  it.each([
    ['at once, without "Thinking…" before them', 200, [['a', 205]]],
    [
      'at once after "Thinking…", which is shown after a silence',
      350,
      [
        ['', 300],
        ['a', 355],
      ],
    ],
  ])('shows the first words %s', async (_, silence, shown) => {
    const { draft, drafts, pass } = world()
    const live = draft()
    await pass(silence)
    says(live, 'a')
    await pass(500)
    expect(drafts()).toEqual(shown)
  })

  it('shows the first words only after an unfinished “Thinking…” call, which would otherwise replace them', async () => {
    const { draft, calls, drafts, pass } = world(() => ({ takesMs: 100 }))
    const live = draft()
    await pass(310)
    says(live, 'a')
    await pass(30)
    says(live, 'a b')
    await pass(300)
    expect(drafts()).toEqual([
      ['', 300],
      ['a b', 400],
    ])
    expect(calls[0]?.endedAt).toBe(400)
  })

  it('is updated at most once a second with the newest text, and at once after a silence', async () => {
    const { draft, drafts, pass } = world()
    const live = draft()
    says(live, 'a')
    await pass(500)
    says(live, 'a b')
    await pass(400)
    says(live, 'a b c')
    await pass(4100)
    says(live, 'a b c d')
    await pass(100)
    expect(drafts()).toEqual([
      ['a', 5],
      ['a b c', 1005],
      ['a b c d', 5005],
    ])
  })

  it('is shown again before Telegram removes it', async () => {
    const { draft, drafts, pass } = world()
    says(draft(), 'a')
    await pass(45_000, 100)
    expect(drafts().map(([text, at]) => [text, Math.floor(Number(at) / 1000)])).toEqual([
      ['a', 0],
      ['a', 20],
      ['a', 40],
    ])
  })

  it('is not sent for an answer that ends in the packet of its first words', async () => {
    const { draft, calls, pass } = world()
    const live = draft()
    await pass(100)
    says(live, 'a')
    await live.close()
    await pass(1000)
    expect(calls).toEqual([])
  })

  it('is not sent before the text has visible characters: tags and markup alone do not count; then the thinking until the answer begins', async () => {
    const { draft, drafts, pass } = world()
    const live = draft()
    for (const text of ['<th', '<think>', '<think>\n']) {
      says(live, text)
      await pass(50)
    }
    says(live, '', 'Hm')
    await pass(50)
    says(live, 'So', 'Hm')
    await pass(1000)
    expect(drafts()).toEqual([
      ['Hm', 155],
      ['So', 1155],
    ])
  })

  it('of a long text of spaces is formatted and sent at most once a second', async () => {
    const { draft, calls, pass } = world()
    const live = draft()
    for (let size = 0; size < 300; size += 1) {
      says(live, ' '.repeat(size))
      await pass(10)
    }
    expect(calls.length).toBeLessThanOrEqual(4)
  })

  it('that Telegram refuses with 429 is replaced by the newest text after the demanded pause, and one that cannot be sent by the next', async () => {
    const errors = [{ error_code: 429, retry_after: 4 }, { error_code: 400 }]
    const { draft, drafts, pass } = world((call) => (errors[call] ? { error: errors[call] } : {}))
    const live = draft()
    for (const text of ['a', 'a b']) {
      says(live, text)
      await pass(2500)
    }
    says(live, 'a b c')
    await pass(2500)
    expect(drafts()).toEqual([
      ['a', 5],
      ['a b', 4005],
      ['a b c', 5005],
    ])
  })

  it('whose call has not ended is awaited when the answer ends, but for at most a second', async () => {
    const { draft, now, pass } = world((call) => ({ takesMs: call === 0 ? 400 : 60_000 }))
    const closedAt = async (live: LiveAnswer) => {
      void live.close()
      await pass(200)
      const closing = live.close().then(now)
      await pass(3000)
      return closing
    }
    const first = draft()
    says(first, 'a')
    await pass(100)
    expect(await closedAt(first)).toBe(405)
    const second = draft()
    says(second, 'a')
    await pass(100)
    const begun = now()
    expect(await closedAt(second)).toBe(begun + 1000)
  })

  it.each([1, 2, 3])(
    'is never overtaken by an earlier draft, whatever the delays (seed %i)',
    async (seed) => {
      const random = seededRandom(seed)
      const { draft, calls, pass, now } = world(() => ({ takesMs: 5 * Math.floor(random() * 400) }))
      const live = draft()
      let text = ''
      let firstAt = 0
      for (let piece = 0; piece < 60; piece += 1) {
        await pass(5 * Math.floor(random() ** 3 * 300))
        text += `${piece} `
        if (piece === 0) firstAt = now()
        says(live, text)
      }
      await pass(5000)
      for (const [at, next] of calls.slice(1).entries()) expectAfter(calls[at], next)
      const thinking = calls.find((call) => call.text === '')
      const words = calls.filter((call) => call.text !== '')
      expect(words[0]?.begunAt).toBe(Math.max(firstAt + 5, thinking?.endedAt ?? 0))
      expect(words.at(-1)?.text).toBe(text.trim())
    },
  )
})

function expectAfter(before: Call | undefined, { text, begunAt }: Call): void {
  expect(begunAt).toBeGreaterThanOrEqual(Number(before?.endedAt))
  expect(text).toEqual(expect.stringMatching(new RegExp(`^${before?.text}`)))
  if (before?.text !== '') expect(begunAt - Number(before?.begunAt)).toBeGreaterThanOrEqual(1000)
}

describe('the message of an answer in a group', () => {
  it('is sent with the first words, and edited at most every three seconds', async () => {
    const ids: number[] = []
    const { post, drawn, pass } = world()
    const live = post(async (id) => void ids.push(id))
    await pass(500)
    says(live, 'a')
    await pass(500)
    says(live, 'a b')
    await pass(5000)
    expect(drawn()).toEqual([
      ['sendMessage', 'a', 505],
      ['editMessageText', 'a b', 3505],
    ])
    expect([ids, live.messageId()]).toEqual([[70], 70])
  })

  it('is sent as a placeholder after a second of silence, and then shows the first words at once', async () => {
    const { post, drawn, pass } = world()
    const live = post()
    await pass(1500)
    says(live, 'a')
    await pass(500)
    expect(drawn()).toEqual([
      ['sendMessage', '✍️ …', 1000],
      ['editMessageText', 'a', 1505],
    ])
  })

  it('is not edited during a pause that Telegram demands', async () => {
    const { post, drawn, pass } = world((call) =>
      call === 1 ? { error: { error_code: 429, retry_after: 30 } } : {},
    )
    const live = post()
    says(live, 'a')
    await pass(100)
    says(live, 'a b')
    await pass(3000)
    says(live, 'a b c')
    await pass(31_000)
    expect(drawn().slice(1)).toEqual([
      ['editMessageText', 'a b', 3005],
      ['editMessageText', 'a b c', 33_005],
    ])
  })

  it('has a known id after close, although the answer ended while the message was being sent', async () => {
    const { post, pass } = world(() => ({ takesMs: 5000 }))
    const live = post()
    says(live, 'a')
    await pass(100)
    const closing = live.close().then(() => live.messageId())
    await pass(6000)
    expect(await closing).toBe(70)
  })

  it('is sent only once after an error, since a second attempt could produce a second message', async () => {
    const { post, drawn, pass } = world(() => ({ error: { error_code: 500 } }))
    const live = post()
    says(live, 'a')
    await pass(100)
    says(live, 'a b')
    await pass(10_000)
    expect(drawn()).toEqual([['sendMessage', 'a', 5]])
    expect(live.messageId()).toBeUndefined()
  })
})
