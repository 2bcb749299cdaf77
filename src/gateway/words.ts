// The gateway's own words about an error. gateway-api.md does not show the shape of errors, so the usual shapes are read: JSON of several
// APIs, and plain text. Pages of proxies are not shown to users. All words leave this file without addresses and secrets.

import { cutTo } from '../runtime/cut-text.ts'
import { masked } from './masked.ts'

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
