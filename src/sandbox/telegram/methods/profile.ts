// The bot itself: who it is, and its name and descriptions by language.

import { z } from 'zod'
import { languageCode } from '../command-menu.ts'
import { type Methods, method } from '../method.ts'
import { str } from '../params.ts'
import { refuse } from '../refusal.ts'
import type { ProfileField } from '../state.ts'
import { botUser, getMe, type World } from '../world.ts'

interface Texts {
  field: ProfileField
  limit: number
  refusal: string
}

function setText(world: World, { field, limit, refusal }: Texts, language: string, text: string): true {
  if ([...text].length > limit) refuse(refusal)
  if (text === '') delete world.state.profile[field][language]
  else world.state.profile[field][language] = text
  return true
}

const getText = (world: World, field: ProfileField, language: string): string =>
  world.state.profile[field][language] ?? world.state.profile[field][''] ?? ''

const name: Texts = { field: 'name', limit: 64, refusal: 'BOT_TITLE_INVALID' }
const description: Texts = { field: 'description', limit: 512, refusal: 'BOT_DESCRIPTION_TOO_LONG' }
const short: Texts = { field: 'short_description', limit: 120, refusal: 'BOT_SHORT_DESCRIPTION_TOO_LONG' }

const language = z.object({ language_code: languageCode })
const text = str.default('')

export const profile = {
  getMe: method(z.object({}), (world) => getMe(world)),
  close: method(z.object({}), () => true as const),
  logOut: method(z.object({}), () => true as const),

  setMyName: method(language.extend({ name: text }), (world, params) =>
    setText(world, name, params.language_code, params.name),
  ),
  setMyDescription: method(language.extend({ description: text }), (world, params) =>
    setText(world, description, params.language_code, params.description),
  ),
  setMyShortDescription: method(language.extend({ short_description: text }), (world, params) =>
    setText(world, short, params.language_code, params.short_description),
  ),
  getMyName: method(language, (world, params) => ({
    name: getText(world, 'name', params.language_code) || botUser(world).first_name,
  })),
  getMyDescription: method(language, (world, params) => ({
    description: getText(world, 'description', params.language_code),
  })),
  getMyShortDescription: method(language, (world, params) => ({
    short_description: getText(world, 'short_description', params.language_code),
  })),
} satisfies Methods
