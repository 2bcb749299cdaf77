// Settings that are written around a prompt: `/video 10s 16:9 720p a cat`. Only what is surely a value is taken, from both ends of the
// words; a message says which settings were taken, and a tap on it makes them words of the prompt again.

import { InlineKeyboard } from 'grammy'
import { z } from 'zod'
import type { Answer, Answers, Field } from '../../catalog/field.ts'
import type { Model } from '../../catalog/model.ts'
import { readAnswer } from '../../form/answer.ts'
import { fitAnswers, promptField, promptOfDraft, settingsOf, withPrompt } from '../../form/fit.ts'
import { changeDraft, type Draft } from '../../orders/drafts.ts'
import { writeNote } from '../../telegram/message-notes.ts'
import { taps } from '../../telegram/taps.ts'
import type { Texts } from '../../texts.ts'
import { type BotDeps, type Ctx, send } from '../context.ts'
import { noteKind } from '../notes.ts'
import { settingsText } from './answer-text.ts'
import { onTapBeside } from './cards.ts'
import { isExact, meantKey, shapeNamed, sidesIn } from './match.ts'
import { modelOf } from './switch-model.ts'

/** A shape (`16:9`), a quality (`720p`, `4K`, also typed with Cyrillic letters), a length (`10s`, `10 секунд`). */
const shape = /^\d{1,2}(?:[.,]\d{1,2})?[:x×х]\d{1,2}$/iu
const quality = /^(?:\d{3,4}[pпр]|\d[kк])$/iu
const length = /^(\d{1,3}(?:[.,]\d+)?)\s?(?:s|secs?|seconds?|с|сек|секунд[аы]?)$/iu

/** A size in pixels. Beside a prompt, `200x300` is more likely the size of a thing, and `*` multiplies. */
const isSize = (text: string): boolean =>
  !text.includes('*') && sidesIn(text).length > 0 && Math.min(...sidesIn(text)) >= 256

export interface Parameters {
  /** The words that are left for the prompt. */
  readonly words: string
  /** The taken settings. */
  readonly answers: Answers
  /** The pages of the taken settings: a frame size consists of two, which pixels set together. */
  readonly pages: readonly string[]
}

/** In characters. A longer text is no command with settings, and searching it would take long. */
const mostSearched = 5000

/** Words that are spoken or sung stay whole. @param given the answers beside which the settings must be possible */
export function parametersIn(texts: Texts, model: Model, given: Answers, words: string): Parameters {
  let found: Parameters = { words, answers: {}, pages: [] }
  if (model.modality === 'audio' || words.length > mostSearched) return found
  while (true) {
    const next = takenFrom(texts, model, given, found)
    if (!next) return found
    found = next
  }
}

/** `vertical video`, `квадратный формат`, `вертикально`. Beside other words, and in the plural, they describe a thing. */
const shapeWords =
  /^(?:\p{L}+\s(?:видео|ролик|формат|video|clip|format)|(?:вертикальн|горизонтальн|vertical|horizontal)\p{L}*)$/iu
const plural = /[ыи](?:е|х|ми)(?:\s|$)/iu

/** A length after one of these words is a part of the prompt: `it explodes after 10 seconds`. */
const timed = /(?:^|\s)(?:через|каждые|after|every)\s*$/iu

/** The words before a setting, which go with it: `in 4k`, `на 10 секунд`. */
const before = /(?:^|\s+)(?:на|в|в формате|в качестве|in|for|at)$/iu

/** A word, or a number and its unit, at the beginning and at the end of the words. */
const edges = [
  /^\s*(\S+\s\S+?)[,;:]?(?:\s|$)/u,
  /^\s*(\S+?)[,;:]?(?:\s|$)/u,
  /(?:^|\s)(\S+\s\S+?)[.,;]?\s*$/u,
  /(?:^|\s)(\S+?)[.,;]?\s*$/u,
]

/** Takes one setting from the words. */
function takenFrom(texts: Texts, model: Model, given: Answers, found: Parameters): Parameters | undefined {
  const { words, answers, pages } = found
  for (const edge of edges) {
    const match = edge.exec(words)
    const typed = match?.[1]
    if (!match || !typed) continue
    const [above, below] = [words.slice(0, match.index), words.slice(match.index + match[0].length)]
    const isApart = /[,;]\s*$/u.test(above) || /[,;:]\s*$/u.test(match[0]) || `${above}${below}` === ''
    const text = timed.test(above) ? '' : meaningOf(texts, typed, isApart)
    const setting = text && settingBy(texts, model, { ...given, ...answers }, text)
    if (!setting || setting.pages.some((page) => pages.includes(page))) continue
    const rest = `${above}${below}`.trim()
    return {
      words: above === '' ? rest : rest.replace(before, '').replace(/\s*[,;]$/u, ''),
      answers: { ...answers, [setting.name]: setting.answer },
      pages: [...pages, ...setting.pages],
    }
  }
  return undefined
}

/** The typed words, or the shape that they surely name. */
const meaningOf = (texts: Texts, typed: string, isApart: boolean): string =>
  isApart && shapeWords.test(typed) && !plural.test(typed) ? shapeNamed(texts, typed) : typed

/** The setting that a text surely is, if it drops no other answer. */
export function settingBy(texts: Texts, model: Model, answers: Answers, text: string) {
  const seconds = length.exec(text)?.[1]
  if (seconds === undefined && ![shape, quality].some((one) => one.test(text)) && !isSize(text))
    return undefined
  const settings = settingsOf(model, model.complete(answers))
  for (const { page, field } of settings) {
    const { name } = field
    const answer = answerBy(
      texts,
      model,
      answers,
      field,
      seconds === undefined ? text : `${seconds}s`,
      seconds,
    )
    if (answer === undefined) continue
    const wanted = { ...answers, [name]: answer }
    const fitted = fitAnswers(model, wanted, name)
    const isKept = Object.entries(wanted).every(([other, value]) => fitted[other] === value)
    const isSet = (one: (typeof settings)[number]) =>
      isSize(text) ? one.field.name === name : one.page === page
    return isKept ? { pages: settings.filter(isSet).map((one) => one.page), name, answer } : undefined
  }
  return undefined
}

function answerBy(
  texts: Texts,
  model: Model,
  answers: Answers,
  field: Field,
  text: string,
  seconds: string | undefined,
): Answer | undefined {
  if (field.kind === 'choice') return meantKey(texts, { model, answers }, field, [], text)
  if (isSize(text) && isExact(field, text)) return text
  if (field.kind !== 'number' || field.unit !== 'unit-seconds' || seconds === undefined) return undefined
  const read = readAnswer(model, field, answers, seconds)
  return read.ok ? read.answer : undefined
}

const takenParameters = noteKind(
  'parameters',
  z.strictObject({
    draftId: z.string(),
    /** All words of the command. */
    words: z.string(),
    /** The words that became the prompt. */
    rest: z.string(),
    answers: z.record(z.string(), z.union([z.string(), z.number()])),
  }),
)

/** Says which settings were taken from the words of a command. @param words all of them */
export async function tellParameters(
  deps: BotDeps,
  ctx: Ctx,
  draft: Draft,
  { words: rest, answers, pages }: Parameters,
  words: string,
): Promise<void> {
  const about = takenParameters.about.safeParse({ draftId: draft.id, words, rest, answers }).data
  if (!about || pages.length === 0) return
  const { say } = ctx
  const model = modelOf(deps, draft)
  const taken = settingsOf(model, model.complete(draft.answers)).filter(({ page }) => pages.includes(page))
  const fields = taken.map(({ field }) => field)
  const keyboard = new InlineKeyboard().text(
    say.plain('button-parameters-words'),
    taps.parametersAsWords.data(),
  )
  const settings = settingsText(say, fields, draft.answers)
  const sent = await send(ctx, say.html('parameters-taken', { settings }), keyboard)
  await writeNote(deps, sent, { kind: takenParameters, userId: ctx.user.id, about })
}

/** Makes taken settings words of the prompt again. Settings that the user has changed since stay. */
export const parametersAsWords = (deps: BotDeps) =>
  onTapBeside(
    deps,
    taps.parametersAsWords,
    takenParameters,
    (draft, { words, rest, answers }) => {
      const model = modelOf(deps, draft)
      const changeOf = (current: Draft) => {
        if ((promptOfDraft(model, current) ?? '') !== rest) return undefined
        const isLeft = ([name, answer]: [string, Answer]) =>
          name !== promptField(model)?.name && answer !== answers[name]
        const others = Object.fromEntries(Object.entries(current.answers).filter(isLeft))
        return { ...withPrompt(model, others, words), writtenPrompt: null }
      }
      return changeDraft(deps.db, draft, changeOf, deps.clock.now())
    },
    'parameters-prompt-changed',
  )
