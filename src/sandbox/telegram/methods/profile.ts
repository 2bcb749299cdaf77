// The bot's identity, and its name and descriptions per language.

import { z } from 'zod'
import { languageCode } from '../command-menu.ts'
import { type Methods, method } from '../method.ts'
import { str } from '../params.ts'
import { refuse } from '../refusal.ts'
import { botUser, getMe, type TelegramServer } from '../server.ts'
import type { ProfileField } from '../state.ts'

interface Texts {
  field: ProfileField
  limit: number
  refusal: string
}

function setText(
  server: TelegramServer,
  { field, limit, refusal }: Texts,
  language: string,
  text: string,
): true {
  if ([...text].length > limit) refuse(refusal)
  if (text === '') delete server.state.profile[field][language]
  else server.state.profile[field][language] = text
  return true
}

const getText = (server: TelegramServer, field: ProfileField, language: string): string =>
  server.state.profile[field][language] ?? server.state.profile[field][''] ?? ''

const name: Texts = { field: 'name', limit: 64, refusal: 'BOT_TITLE_INVALID' }
const description: Texts = { field: 'description', limit: 512, refusal: 'BOT_DESCRIPTION_TOO_LONG' }
const short: Texts = { field: 'short_description', limit: 120, refusal: 'BOT_SHORT_DESCRIPTION_TOO_LONG' }

const language = z.object({ language_code: languageCode })
const text = str.default('')

export const profile = {
  getMe: method(z.object({}), (server) => getMe(server)),
  close: method(z.object({}), () => true as const),
  logOut: method(z.object({}), () => true as const),

  setMyName: method(language.extend({ name: text }), (server, params) =>
    setText(server, name, params.language_code, params.name),
  ),
  setMyDescription: method(language.extend({ description: text }), (server, params) =>
    setText(server, description, params.language_code, params.description),
  ),
  setMyShortDescription: method(language.extend({ short_description: text }), (server, params) =>
    setText(server, short, params.language_code, params.short_description),
  ),
  getMyName: method(language, (server, params) => ({
    name: getText(server, 'name', params.language_code) || botUser(server).first_name,
  })),
  getMyDescription: method(language, (server, params) => ({
    description: getText(server, 'description', params.language_code),
  })),
  getMyShortDescription: method(language, (server, params) => ({
    short_description: getText(server, 'short_description', params.language_code),
  })),
} satisfies Methods
