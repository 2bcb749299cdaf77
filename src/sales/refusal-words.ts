// Which statuses and words of the gateway mean that it refuses us, not the request of a user: our key, our money, or the id of a model; and
// which mean that it does not know a task.
// gateway-api.md names none, so the defaults are those of the usual gateways; an operator can replace each list.

import { z } from 'zod'

const status = z.int().min(400).max(599)
const phrase = z.string().regex(/\p{L}{2}/u, 'write words, like insufficient * quota')
const usualStatuses = [400, 401, 402, 403, 404, 422, 429, 503]

/**
 * @param statuses mean it whatever the words are
 * @param words phrases between `|`; they mean it with one of the other statuses, or within a successful answer
 */
const refusal = (statuses: readonly number[], words: string, statusesWithWords = usualStatuses) =>
  z
    .strictObject({
      statuses: z.array(status).default([...statuses]),
      words: z.array(phrase).default(words.split('|').map((one) => one.trim())),
      statusesWithWords: z.array(status).default([...statusesWithWords]),
    })
    .prefault({})

/** `*` in a phrase stands for up to four other words. Case, hyphens, underscores and quotation marks do not matter. */
export const refusalWords = z.strictObject({
  key: refusal(
    [401],
    `
      invalid * api key | incorrect * api key | wrong * api key | no * api key | missing api key | api key * invalid |
      api key * not valid | api key * expired | api key * disabled | api key * revoked | api key * not found |
      api key * deleted | key * no access | invalid access token | invalid authentication | invalid credentials |
      token * expired | token * disabled | token * revoked | authentication failed | unauthenticated | account * suspended |
      account * deactivated | account * disabled | account * blocked | account * banned | неверный * ключ |
      ключ * недействителен | ключ * отозван | ключ * заблокирован | аккаунт * заблокирован | 无效的令牌 | 令牌已过期 | 令牌状态不可用 | 该令牌`,
  ),
  money: refusal(
    [402],
    `
      insufficient * quota | insufficient * balance | insufficient * credit | insufficient * funds | not enough * quota |
      not enough * balance | not enough * credit | not enough * funds | not enough money | quota * not enough |
      balance * not enough | balance * too low | balance * insufficient | credits * insufficient | exceeded * current quota |
      quota * exhausted | credits * exhausted | out of credit | no credits left | top up | recharge * account |
      recharge * balance | billing hard limit | payment required | in arrears | check * billing | недостаточно * средств |
      недостаточно * баланс | недостаточный баланс | недостаточно денег | пополните * баланс | пополните * счёт |
      пополните * счет | 余额不足 | 额度不足 | 额度已用尽 | 欠费`,
  ),
  model: refusal(
    [],
    `
      model * not found | model * not exist | no such model | unknown model | invalid model | not a valid model |
      model * not available | model * disabled | model * deprecated | model * discontinued | model * retired |
      access to * model | no access * model | no available channel | no endpoints found | model * no access |
      model * not authorized | модель * не найдена | модель * не существует | модель * недоступна | неизвестная модель |
      нет доступа к модели | 模型不存在 | 无可用渠道 | 无权访问`,
  ),
  task: refusal(
    [404],
    `
      task * not found | task * not exist | no such task | unknown task | invalid task | task id * invalid | задача * не найдена |
      задача * не существует | 任务不存在`,
    [400, 403, 410, 422],
  ),
})
export type RefusalWords = z.output<typeof refusalWords>

/** What the gateway has said: an answer with a status, or words within a successful answer, like those about a failed task. */
export interface Told {
  readonly status?: number | undefined
  readonly said?: string | undefined
}

export interface Meaning {
  readonly about: Exclude<keyof RefusalWords, 'task'>
  /** Whether the status says it. Words alone may be about something else. */
  readonly isCertain: boolean
}

/**
 * What is refused; undefined when it is the request. Words that the request itself contains are no evidence: gateways repeat prompts.
 * @param request the body that was sent, as far as it is known
 */
export function meaningOf(words: RefusalWords, told: Told, request: unknown): Meaning | undefined {
  const heard = heardIn(told.said ?? '', request)
  const isSaid = (about: Meaning['about']) => mayMean(words[about], told) && says(words[about], heard)
  if (
    isAboutModel(heard) &&
    (isSaid('model') || isUnknownModel(told, heard) || isNowhere(told, heard, request))
  )
    return { about: 'model', isCertain: false }
  for (const about of ['key', 'money', 'model'] as const) {
    if (hasStatus(words[about], told)) return { about, isCertain: true }
  }
  if (isPace(told)) return undefined
  const about = (['money', 'key'] as const).find(isSaid)
  return about && { about, isCertain: false }
}

/** Whether an answer about a task means that the gateway does not know it. */
export const isUnknownTask = ({ task }: RefusalWords, told: Told): boolean =>
  hasStatus(task, told) || (mayMean(task, told) && says(task, heardIn(told.said ?? '', {})))

type Words = RefusalWords[keyof RefusalWords]

const hasStatus = ({ statuses }: Words, { status }: Told): boolean => statuses.some((one) => one === status)

const mayMean = ({ statusesWithWords }: Words, { status }: Told): boolean =>
  status === undefined || status < 400 || statusesWithWords.includes(status)

/** A quota per minute is no money. */
const isPace = ({ status, said = '' }: Told): boolean =>
  status === 429 && /\bper (second|minute|hour|day)\b|rate.?limit|too many requests/i.test(said)

/** The words, and what the request contains. */
interface Heard {
  readonly said: string
  /** The words without the texts of the request that they repeat. */
  readonly foreign: string
  /** The texts of the request, except the id of its model. */
  readonly own: readonly string[]
  readonly model: string | undefined
}

/** A shorter text of a request may be part of ordinary words. */
const shortestRepeated = 12

function heardIn(text: string, request: unknown): Heard {
  const said = plain(text)
  const texts = textsIn(request).map(plain)
  const model = modelIn(request)
  const own = texts.filter((one) => one !== model)
  const repeated = own
    .filter(({ length }) => length >= shortestRepeated)
    .toSorted((a, b) => b.length - a.length)
  return { said, own, model, foreign: repeated.reduce((rest, one) => rest.replaceAll(one, ' '), said) }
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, ' ').trim()

const fields = z.object({ model: z.string().min(3) })
function modelIn(request: unknown): string | undefined {
  const { data } = fields.safeParse(request)
  return data && plain(data.model)
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** Whether the error can be about the model. It cannot if it names another value of the request, such as a voice that does not exist. */
function isAboutModel({ said, own, model }: Heard): boolean {
  if (model === undefined) return false
  const others = said.replaceAll(model, ' ')
  return !own.some((one) => one.length > 2 && namesValue(others, one))
}

const inWords = (text: string): string => ` ${text.replaceAll(/[^\p{L}\d]+/gu, ' ').trim()} `
const namesValue = (said: string, value: string): boolean => inWords(said).includes(inWords(value))

const isUnknownModel = ({ status }: Told, { said, model = '' }: Heard): boolean =>
  status === 404 && said.includes(model)

/** The statuses of a path that does not exist, and of one that takes no orders. */
export const pathStatuses: readonly (number | undefined)[] = [404, 405]

/** Nothing is at the path of the model, or no model at its id. Words that name a field of the request are about a value of that field. */
function isNowhere({ status }: Told, { foreign }: Heard, request: unknown): boolean {
  const words = new Set(foreign.replaceAll(/\S*[/*]\S*/g, ' ').match(/\p{L}+/gu))
  return pathStatuses.includes(status) && !fieldWordsIn(request).some((one) => words.has(one))
}

/** Shorter words, such as `url`, also name what was not found. */
const shortestName = 4

/** The words of the names of all fields but the model: `voice` and `setting` of `voice_setting`. */
const fieldWordsIn = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, inner]) => [
        ...(name === 'model' ? [] : name.split(/(?=[A-Z])|[^A-Za-z]/).map((one) => one.toLowerCase())).filter(
          ({ length }) => length >= shortestName,
        ),
        ...fieldWordsIn(inner),
      ])

const says = ({ words }: Words, { foreign, own }: Heard): boolean => {
  const heard = spaced(foreign)
  return words.some((one) => {
    const found = patternOf(one).exec(heard)?.[0]
    return found !== undefined && !own.some((text) => spaced(text).includes(found))
  })
}

/** Words with single spaces between them, and punctuation as words of its own: patterns need no time to guess where a word ends. */
const spaced = (text: string): string =>
  text.replaceAll(/[:;,.!?]+(?=[\s"'`»”]|$)/g, ' $& ').replaceAll(/[\s_"'`«»“”-]+/g, ' ')

const between = ' (?:: )?'
const upToFourWords = '(?:[^ :;,.!?][^ ]* ){0,4}'

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')

function patternOf(words: string): RegExp {
  const parts = words
    .toLowerCase()
    .split('*')
    .map((part) => spaced(part).trim().split(' ').map(escaped).join(between))
  const end = /[a-z]$/i.test(words) ? '(?:e?s)?(?![a-z])' : ''
  return new RegExp(`(?<![a-zа-яё])${parts.join(`${between}${upToFourWords}`)}${end}`, 'u')
}
