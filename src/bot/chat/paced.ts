// When the progress of an answer is drawn: the first words at once, then the newest text at most once per pause. Two drawings never
// overlap, so no earlier text can arrive after a later one.

import type { Seen } from '../../chat/deliveries.ts'
import { previewOf } from '../../chat/format/preview.ts'
import { separated } from '../../chat/format/thinking.ts'
import type { LiveAnswer, Progress } from '../../chat/reading.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import { outcomeOf } from '../../telegram/errors.ts'
import { messageLimit } from '../../texts.ts'

export type Shown = ReturnType<typeof previewOf>

interface Pace {
  /** After this time without words the answer is drawn without words. */
  readonly silenceMs: number
  /** The least time between the starts of two drawings; the first words after a drawing without words do not wait for it. */
  readonly pauseMs: number
  /** The last drawing is repeated after this time; undefined if never. */
  readonly keepAliveMs?: number
}

interface Deps {
  readonly clock: Clock
  readonly log: Log
}

/** The first words after a silence wait for the rest of their packet: if the answer ends in that packet, nothing needs to be drawn. */
const gatherMs = 5
/** The longest time that a timer accepts. */
const foreverMs = 2 ** 31 - 1

export interface PacedAnswer extends LiveAnswer {
  /** What the drawings that succeeded have shown of the answer, without its thinking. */
  seen(): Seen
}

/** @param draw draws the progress; a failure is only logged, and a pause that Telegram demands is kept */
export function paced(
  { clock, log }: Deps,
  { silenceMs, pauseMs, keepAliveMs = foreverMs }: Pace,
  draw: (shown: Shown) => Promise<unknown>,
): PacedAnswer {
  const closing = new AbortController()
  let latest: Progress = { text: '', thinking: '' }
  let hasWords = false
  let shown = 0
  let news = new AbortController()

  /** Waits until there are words that were not drawn. */
  const untilNews = async (drawn: Progress, ms: number) => {
    news = new AbortController()
    if (latest !== drawn && hasWords) return
    await clock.wait(ms, AbortSignal.any([closing.signal, news.signal]))
    if (news.signal.aborted) await clock.wait(gatherMs, closing.signal)
  }

  /** @returns the pause that Telegram demands */
  const drawLatest = async (): Promise<number | undefined> => {
    const drawn = latest
    try {
      await draw(shownOf(drawn))
      // One message shows the end of a long text.
      shown = Math.min(answerIn(drawn).length, shown + messageLimit)
      return undefined
    } catch (error) {
      log.debug({ error }, 'progress of an answer not shown')
      const outcome = outcomeOf(error)
      return outcome.retry ? outcome.afterMs : undefined
    }
  }

  const run = async () => {
    await untilNews(latest, silenceMs)
    while (!closing.signal.aborted) {
      const begunAt = clock.now().getTime()
      const left = (ms: number) => Math.max(0, begunAt + ms - clock.now().getTime())
      const [drawn, hadWords] = [latest, hasWords]
      const demandedMs = await drawLatest()
      const restMs = demandedMs ?? (hadWords ? left(pauseMs) : 0)
      if (restMs > 0) await clock.wait(restMs, closing.signal)
      await untilNews(drawn, left(keepAliveMs))
    }
  }

  const running = run()
  return {
    show(progress) {
      latest = progress
      hasWords ||= isVisible(progress)
      if (hasWords) news.abort('news')
    },
    close() {
      closing.abort('closed')
      return running
    },
    seen() {
      const of = answerIn(latest).length
      // What was drawn as the answer may have turned out to be thinking.
      return { shown: Math.min(shown, of), of }
    },
  }
}

const answerIn = (progress: Progress): string => separated(progress, true).answer

/** The answer without its thinking, or the thinking while there is no answer. */
function shownOf(progress: Progress): Shown {
  const { answer, thinking } = separated(progress, true)
  return previewOf(answer || thinking)
}

/**
 * In characters. A longer text counts as visible without a check, even if it is blank, so that not every piece of a long text is formatted.
 */
const longestBeginning = 200

const isVisible = (progress: Progress): boolean =>
  progress.text.length + progress.thinking.length > longestBeginning || shownOf(progress).text !== ''
