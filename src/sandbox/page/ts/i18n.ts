// The words, amounts, sizes and dates of the page, in the language of the open user.

export type WordKey = keyof typeof words

export const currentLanguage = () => (document.documentElement.lang === 'ru' ? 'ru' : 'en')

/** @param code an IETF language tag; Russian gives Russian, every other language English */
export function setLanguage(code = ''): void {
  document.documentElement.lang = code.toLowerCase().startsWith('ru') ? 'ru' : 'en'
}

/** @param values by name; they replace `{name}` in the words */
export function t(key: WordKey, values: Readonly<Record<string, string | number>> = {}): string {
  const [en, ru] = words[key]
  return (currentLanguage() === 'ru' ? ru : en).replace(/\{(\w+)\}/g, (_, name: string) =>
    String(values[name] ?? ''),
  )
}

const locale = () => (currentLanguage() === 'ru' ? 'ru-RU' : 'en-GB')
const number = (value: number, options: Intl.NumberFormatOptions = {}) =>
  new Intl.NumberFormat(locale(), options).format(value)

/** @param total in the smallest unit of the currency: stars, or hundredths */
export function money(total: number, currency: string): string {
  if (currency === 'XTR') return `⭐\u00a0${number(total)}`
  const display = { currencyDisplay: 'narrowSymbol', useGrouping: 'always' } as const
  return number(total / 100, { style: 'currency', currency, ...display })
}

export const fileSize = (bytes: number): string =>
  number(Math.ceil(bytes / 1024), { style: 'unit', unit: 'kilobyte' })

type Dated = Readonly<{ date: number }>

const format = ({ date }: Dated, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale(), options).format(new Date(date * 1000))

export const timeOfDay = (one: Dated) => format(one, { hour: '2-digit', minute: '2-digit' })
/** The local day, for example "22 November". */
export const dayOf = (one: Dated) => format(one, { day: 'numeric', month: 'long' })

/** English and Russian. */
const words = {
  addCaption: ['Add a caption…', 'Добавить подпись…'],
  asFile: ['Send as a file', 'Отправить файлом'],
  attach: ['Attach a file', 'Прикрепить файл'],
  bot: ['bot', 'бот'],
  chats: ['Chats', 'Чаты'],
  close: ['Close', 'Закрыть'],
  commands: ['Commands', 'Команды'],
  connectionLost: ['Connection lost. Reconnecting…', 'Нет связи. Подключаемся снова…'],
  copied: ['Copied', 'Скопировано'],
  copy: ['Copy text', 'Копировать текст'],
  create: ['Create', 'Создать'],
  download: ['Download', 'Скачать'],
  edited: ['edited', 'изменено'],
  emptyText: ['Try anything: no money here is real.', 'Пробуйте всё: деньги здесь ненастоящие.'],
  file: ['File', 'Файл'],
  botIsAdmin: ['The bot is an administrator', 'Бот — администратор'],
  inlineResults: ['Results', 'Результаты'],
  invoice: ['Invoice', 'Счёт'],
  language: ['Language', 'Язык'],
  members: ['members: {n}', 'участников: {n}'],
  message: ['Message', 'Сообщение'],
  messageMenu: ['Message actions', 'Действия с сообщением'],
  messages: ['Messages', 'Сообщения'],
  name: ['Name', 'Как назвать?'],
  newGroup: ['New group', 'Новая группа'],
  newUser: ['New user', 'Новый пользователь'],
  notDone: ['That did not work: {reason}', 'Не получилось: {reason}'],
  nothingFound: ['Nothing found', 'Ничего не нашлось'],
  open: ['Open', 'Открыть'],
  paid: ['Paid', 'Оплачено'],
  paidService: ['You paid {amount}', 'Вы заплатили {amount}'],
  pay: ['Pay {amount}', 'Оплатить {amount}'],
  payFailed: ['The payment was refused', 'Платёж отклонён'],
  photo: ['Photo', 'Фото'],
  receipt: ['Receipt', 'Чек'],
  refundedService: ['{amount} came back to you', 'Вам вернули {amount}'],
  reply: ['Reply', 'Ответить'],
  replyTo: ['Reply to {name}', 'Ответ: {name}'],
  sandbox: ['Sandbox', 'Песочница'],
  searching: ['Searching…', 'Ищем…'],
  send: ['Send', 'Отправить'],
  sendingFile: ['sending a file…', 'отправляет файл…'],
  showMore: ['Show more', 'Показать ещё'],
  spoiler: ['Hidden text, press to show', 'Скрытый текст, нажмите, чтобы показать'],
  start: ['Start', 'Начать'],
  stop: ['Stop', 'Остановить'],
  switchUser: ['Switch user', 'Сменить пользователя'],
  testMoney: ['Test money: nothing real is charged.', 'Тестовые деньги: ничего настоящего не спишется.'],
  thinking: ['Thinking…', 'Думает…'],
  typing: ['typing…', 'печатает…'],
  unsupported: ['This does not work in the sandbox', 'В песочнице это не работает'],
  via: ['via {name}', 'через {name}'],
  video: ['Video', 'Видео'],
  voice: ['Voice message', 'Голосовое сообщение'],
  welcome: ['What can this bot do?', 'Что умеет этот бот?'],
} as const satisfies Readonly<Record<string, readonly [en: string, ru: string]>>
