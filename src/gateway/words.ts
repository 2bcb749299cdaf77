// The gateway's own words about an error. gateway-api.md does not show the shape of errors, so the usual shapes are read: JSON of several
// APIs, and plain text. Pages of proxies are not shown to users. All words leave this file without addresses and secrets.

import { cutTo } from '../runtime/text.ts'

/** The keys of error messages, from the most to the least specific. */
const keys = [
  'error',
  'errors',
  'message',
  'msg',
  'detail',
  'details',
  'error_message',
  'errorMessage',
  'error_msg',
  'error_description',
  'status_msg',
  'fail_reason',
  'failReason',
  'reason',
  'description',
  'title',
  'base_resp',
] as const

const longest = 500
/** More characters than can be shown after masking has shortened them. */
const mostMasked = 8 * longest
const mostDepth = 5
/** The most messages that are read of a list of errors. */
const mostListed = 5

/** @param body any JSON value */
export function wordsOf(body: unknown): string | undefined {
  const words = found(body, mostDepth)
  return words === undefined ? undefined : cutTo(words, longest)
}

/** @param text a body that is not JSON */
export function plainWords(text: string): string | undefined {
  const words = text.trim()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: binary data is no text
  const isText = words !== '' && !/[\0-\x08\x0e-\x1f\ufffd]/.test(words.slice(0, 4096))
  return isText && !isPage(words) ? cutTo(masked(cutTo(words, mostMasked)), longest) : undefined
}

const isPage = (text: string): boolean =>
  /^(\ufeff)?\s*<|<!doctype|<html|<\/(body|p|div|h\d)>/i.test(text.slice(0, 4096))

function found(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return plainWords(value)
  if (depth === 0 || typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return listed(value, depth)
  const fields = new Map(Object.entries(value))
  for (const key of keys) {
    const words = found(fields.get(key), depth - 1)
    if (words !== undefined) return words
  }
  return undefined
}

function listed(values: readonly unknown[], depth: number): string | undefined {
  const each = values.slice(0, mostListed).flatMap((one) => found(one, depth - 1) ?? [])
  return each.length > 0 ? [...new Set(each)].join('; ') : undefined
}

// Masks what words of the gateway must not carry into chats, tables and logs: addresses (signed file links, callback and upload addresses,
// pages of the operator's account), e-mail addresses, keys and tokens. The rules know nothing of the request, since the words about a task
// come long after it.

/** A character inside an address, and one that may end it: punctuation after an address belongs to the sentence. */
const [inside, last] = [`[^\\s"'<>«»“”]`, `[^\\s"'<>«»“”.,;:!?)\\]}]`]
const label = '[\\p{L}\\d](?:[\\p{L}\\d-]*[\\p{L}\\d])?'
/** A bare name of a host is an address only with an ending that no field or file has: `input.to` and `settings.audio` are fields. */
const usualEndings = 'com|net|org|io|ru|su|рф'

const addresses = [
  /** Any scheme, also inside other text: `https://…`, `tg://…`. */
  `[a-z][a-z\\d+.-]*:(?:\\\\?/){2}(?:${inside}*${last})?`,
  `data:[^\\s,]{0,200},(?:${inside}*${last})?`,
  `[\\p{L}\\d._+-]+(?:@|%40)[\\p{L}\\d-]+(?:\\.[\\p{L}\\d-]+)*`,
  /** A host with a port, a path or a query. */
  `(?:${label}\\.)+[\\p{L}][\\p{L}\\d-]+(?::\\d{1,5}|\\\\?[/#]|\\?[\\w%])(?:${inside}*${last})?`,
  `(?:localhost|\\d{1,3}(?:\\.\\d{1,3}){3}|\\[[\\da-f:]+\\])(?::\\d{1,5})?(?:[/?#](?:${inside}*${last})?)?`,
  `www\\.${inside}*${last}`,
  `(?:${label}\\.)+(?:${usualEndings})(?![\\p{L}\\d-])`,
]
const secrets = [
  `[\\w-]*(?:key|token|secret|signature|sig|password)=[\\w*/+%.-]{4,}`,
  `[\\w-]*(?:key|token|secret|signature|password|policy|credential)["']?\\s?[:=]\\s?["']?(?=\\S*\\d)[\\w*/+%.-]{8,}`,
  `(?:sk|pk|rk|hf)[-_][\\w*-]{8,}`,
  /** A token of a bot. */
  `\\d{6,}:[\\w-]{8,}`,
  `bearer\\s+${inside}{6,}`,
]

const masks = new RegExp([...addresses, ...secrets].join('|'), 'giu')

/** Long runs of letters and digits that nobody writes by hand: a name like `StableDiffusionXL1024v1` has its digits in few places. */
const runs = /[A-Za-z0-9]{16,}/g
const isSecret = (run: string): boolean =>
  /[A-Za-z]/.test(run) && /\d/.test(run) && (run.length >= 28 || (run.match(/\d+/g) ?? []).length > 2)

export const masked = (text: string): string =>
  text.replaceAll(masks, '***').replaceAll(runs, (run) => (isSecret(run) ? '***' : run))
