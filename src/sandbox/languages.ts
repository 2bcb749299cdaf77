// `GET /api/languages`: the languages of the bot, for the chat page, where a new user chooses one.

import { localeName, locales } from '../texts.ts'
import { type Handler, sendJson } from './http.ts'
import type { Language } from './users/api.ts'

export function createLanguageRoute(): Handler {
  const languages = locales.map((code): Language => ({ code, name: localeName(code) }))
  return async (req, res, { pathname }) => {
    if (pathname !== '/api/languages' || req.method !== 'GET') return false
    sendJson(res, 200, languages)
    return true
  }
}
