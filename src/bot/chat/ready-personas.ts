// Ready-made personas. A conversation stores only the text of its persona: a ready-made one is recognised by its text, in any language.

import { type PersonaName, personaNames } from '../../catalog/personas.ts'
import { locales, type Say, type Texts } from '../../texts.ts'

export const personaText = (say: Say, name: PersonaName): string => say.plain(`persona-text-${name}`)
export const personaLabel = (say: Say, name: PersonaName): string => say.plain(`persona-name-${name}`)

/** @returns undefined for a text of a user, and for a ready-made one that has changed since it was stored */
export const readyPersona = (texts: Texts, system: string | null): PersonaName | undefined =>
  personaNames.find((name) => locales.some((locale) => personaText(texts(locale), name) === system))
