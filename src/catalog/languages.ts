// The languages that a speech model can be told to expect: the values of the gateway and their labels.

import type { BareKey } from '../text-keys.ts'

export const languages = [
  'Chinese',
  'Chinese,Yue',
  'English',
  'Arabic',
  'Russian',
  'Spanish',
  'French',
  'Portuguese',
  'German',
  'Turkish',
  'Dutch',
  'Ukrainian',
  'Vietnamese',
  'Indonesian',
  'Japanese',
  'Italian',
  'Korean',
  'Thai',
  'Polish',
  'Romanian',
  'Greek',
  'Czech',
  'Finnish',
  'Hindi',
  'Bulgarian',
  'Danish',
  'Hebrew',
  'Malay',
  'Persian',
  'Slovak',
  'Swedish',
  'Croatian',
  'Filipino',
  'Hungarian',
  'Norwegian',
  'Slovenian',
  'Catalan',
  'Nynorsk',
  'Tamil',
  'Afrikaans',
  'auto',
] as const
type Language = (typeof languages)[number]

/** The only value that is not valid as part of a key of the locale files. */
const cantonese = 'Chinese,Yue'

const labelOf = (language: Language): BareKey =>
  language === cantonese ? 'language-Cantonese' : `language-${language}`

export const languageLabels = Object.fromEntries(
  languages.map((language) => [language, labelOf(language)]),
) as Record<Language, BareKey>
