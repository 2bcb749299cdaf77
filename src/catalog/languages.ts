// The languages a speech model can be told to expect, as the gateway writes them and as people call them.

import type { Label } from './field.ts'

const russian = {
  Chinese: 'Китайский',
  'Chinese,Yue': 'Кантонский',
  English: 'Английский',
  Arabic: 'Арабский',
  Russian: 'Русский',
  Spanish: 'Испанский',
  French: 'Французский',
  Portuguese: 'Португальский',
  German: 'Немецкий',
  Turkish: 'Турецкий',
  Dutch: 'Нидерландский',
  Ukrainian: 'Украинский',
  Vietnamese: 'Вьетнамский',
  Indonesian: 'Индонезийский',
  Japanese: 'Японский',
  Italian: 'Итальянский',
  Korean: 'Корейский',
  Thai: 'Тайский',
  Polish: 'Польский',
  Romanian: 'Румынский',
  Greek: 'Греческий',
  Czech: 'Чешский',
  Finnish: 'Финский',
  Hindi: 'Хинди',
  Bulgarian: 'Болгарский',
  Danish: 'Датский',
  Hebrew: 'Иврит',
  Malay: 'Малайский',
  Persian: 'Персидский',
  Slovak: 'Словацкий',
  Swedish: 'Шведский',
  Croatian: 'Хорватский',
  Filipino: 'Филиппинский',
  Hungarian: 'Венгерский',
  Norwegian: 'Норвежский',
  Slovenian: 'Словенский',
  Catalan: 'Каталанский',
  Nynorsk: 'Нюнорск',
  Tamil: 'Тамильский',
  Afrikaans: 'Африкаанс',
  auto: 'Определить',
} as const

export type Language = keyof typeof russian

const isLanguage = (key: string): key is Language => key in russian
export const languages: readonly Language[] = Object.keys(russian).filter(isLanguage)

const english: Partial<Record<Language, string>> = { 'Chinese,Yue': 'Cantonese', auto: 'Detect' }

export const languageLabels = Object.fromEntries(
  languages.map((one): [Language, Label] => [one, { ru: russian[one], en: english[one] ?? one }]),
) as Record<Language, Label>
