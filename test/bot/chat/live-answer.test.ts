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
    /** Text and time of each call: `a@205`. */
    drawn: () => calls.map(({ text, begunAt }) => `${text}@${begunAt}`),
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

/** A pause in milliseconds, the text of the answer so far, or the thinking before it. */
type Step = number | string | { readonly thinking: string; readonly text: string }
type Told = [name: string, steps: readonly Step[], drawn: readonly string[], manner?: readonly Manner[]]

async function play(live: LiveAnswer, pass: (ms: number) => Promise<void>, steps: readonly Step[]) {
  for (const step of steps)
    if (typeof step === 'number') await pass(step)
    else if (typeof step === 'string') says(live, step)
    else live.show(step)
}

const failing = (error_code: number, retry_after?: number): Manner => ({
  error: { error_code, ...(retry_after === undefined ? {} : { retry_after }) },
})

describe('seen()', () => {
  it('counts the last text that was drawn, without thinking and without what Telegram refused', async () => {
    const { draft, pass } = world((call) => (call === 2 ? failing(403) : {}))
    const live = draft()
    await play(live, pass, [{ text: '', thinking: 'well' }, 500])
    expect(live.seen()).toEqual({ shown: 0, of: 0 })
    await play(live, pass, ['a b', 2000, 'a b c d'])
    expect(live.seen()).toEqual({ shown: 3, of: 7 })
    await pass(500)
    expect(live.seen()).toEqual({ shown: 3, of: 7 })
  })

  it('counts at most a message of a long text, and no more than the answer when what was drawn is thinking', async () => {
    const { draft, pass } = world()
    const [long, live] = [draft(), draft()]
    await play(long, pass, ['word '.repeat(2000), 500])
    expect(long.seen()).toEqual({ shown: 4096, of: 10_000 })
    await play(live, pass, ['The user greets me.', 500])
    expect(live.seen()).toEqual({ shown: 19, of: 19 })
    await play(live, pass, ['The user greets me.\n</think>\nHi!', 2000])
    expect(live.seen()).toEqual({ shown: 3, of: 3 })
  })

  it('counts nothing in a group whose first message was refused', async () => {
    const { post, pass } = world((call) => (call === 0 ? failing(500) : {}))
    const live = post()
    await play(live, pass, ['a', 4000, 'a b', 4000])
    expect(live.seen()).toBeUndefined()
  })
})

describe('a draft', () => {
  const slowly = { takesMs: 100 }
  it.each<Told>([
    ['shows the first words at once, without "Thinking…" before them', [200, 'a', 500], ['a@205']],
    [
      'shows the first words at once after "Thinking…", which comes after a silence',
      [350, 'a', 500],
      ['@300', 'a@355'],
    ],
    [
      'shows the first words only after an unfinished "Thinking…" call, which would otherwise replace them',
      [310, 'a', 30, 'a b', 300],
      ['@300', 'a b@400'],
      [slowly, slowly],
    ],
    [
      'is updated at most once a second with the newest text, and at once after a silence',
      ['a', 500, 'a b', 400, 'a b c', 4100, 'a b c d', 100],
      ['a@5', 'a b c@1005', 'a b c d@5005'],
    ],
    ['is shown again before Telegram removes it', ['a', 45_000], ['a@5', 'a@20005', 'a@40005']],
    [
      'is not sent before a visible character, and shows the thinking until the answer begins',
      [
        '<th',
        50,
        '<think>',
        50,
        '<think>\n',
        50,
        { text: '', thinking: 'Hm' },
        50,
        { text: 'So', thinking: 'Hm' },
        1000,
      ],
      ['Hm@155', 'So@1155'],
    ],
    [
      'is replaced by the newest text after a pause that Telegram demands, and by the next after another refusal',
      ['a', 2500, 'a b', 2500, 'a b c', 2500],
      ['a@5', 'a b@4005', 'a b c@5005'],
      [failing(429, 4), failing(400)],
    ],
  ])('%s', async (_, steps, drawn, manner = []) => {
    const one = world((call) => manner[call] ?? {})
    await play(one.draft(), one.pass, steps)
    expect(one.drawn()).toEqual(drawn)
  })

  it('is not sent for an answer that ends in the packet of its first words', async () => {
    const { draft, calls, pass } = world()
    const live = draft()
    await play(live, pass, [100, 'a'])
    await live.close()
    await pass(1000)
    expect(calls).toEqual([])
  })

  it('of a long text of spaces is formatted and sent at most once a second', async () => {
    const { draft, calls, pass } = world()
    const spaces = Array.from({ length: 300 }, (_, size) => [' '.repeat(size), 10])
    await play(draft(), pass, spaces.flat())
    expect(calls.length).toBeLessThanOrEqual(4)
  })

  it('whose call has not ended is awaited when the answer ends, but for at most a second', async () => {
    const { draft, now, pass } = world((call) => ({ takesMs: call === 0 ? 400 : 60_000 }))
    const closedAt = async () => {
      const live = draft()
      await play(live, pass, ['a', 100])
      const begun = now()
      void live.close()
      await pass(200)
      const closing = live.close().then(now)
      await pass(3000)
      return (await closing) - begun
    }
    expect([await closedAt(), await closedAt()]).toEqual([305, 1000])
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
  it.each<Told>([
    [
      'is sent with the first words, and edited at most every three seconds',
      [500, 'a', 500, 'a b', 5000],
      ['a@505', 'a b@3505'],
    ],
    [
      'is sent as a placeholder after a second of silence, and then shows the first words',
      [1500, 'a', 500],
      ['✍️ …@1000', 'a@1505'],
    ],
    [
      'is not edited during a pause that Telegram demands',
      ['a', 100, 'a b', 3000, 'a b c', 31_000],
      ['a@5', 'a b@3005', 'a b c@33005'],
      [{}, failing(429, 30)],
    ],
    [
      'is sent only once after an error, since a second attempt could produce a second message',
      ['a', 100, 'a b', 10_000],
      ['a@5'],
      [failing(500)],
    ],
  ])('%s', async (_, steps, drawn, manner = []) => {
    const one = world((call) => manner[call] ?? {})
    const ids: number[] = []
    const live = one.post(async (id) => void ids.push(id))
    await play(live, one.pass, steps)
    expect(one.drawn()).toEqual(drawn)
    const isSent = !manner[0]?.error
    expect(one.calls.map(({ method }) => method)).toEqual([
      'sendMessage',
      ...drawn.slice(1).map(() => 'editMessageText'),
    ])
    expect([ids, live.messageId()]).toEqual(isSent ? [[70], 70] : [[], undefined])
  })

  it('has a known id after close, although the answer ended while the message was being sent', async () => {
    const { post, pass } = world(() => ({ takesMs: 5000 }))
    const live = post()
    await play(live, pass, ['a', 100])
    const closing = live.close().then(() => live.messageId())
    await pass(6000)
    expect(await closing).toBe(70)
  })
})
