// The words, amounts, sizes and dates of the page, in the language of the open user.

export type WordKey = keyof typeof words

let language: 'ru' | 'en' = 'en'

/** @param code an IETF language tag; Russian gives Russian, every other language English */
export function setLanguage(code = ''): void {
  language = code.toLowerCase().startsWith('ru') ? 'ru' : 'en'
  document.documentElement.lang = language
}

export const currentLanguage = () => language

/** @param values by name; they replace `{name}` in the words */
export function t(key: WordKey, values: Readonly<Record<string, string | number>> = {}): string {
  const [en, ru] = words[key]
  return (language === 'ru' ? ru : en).replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
}

/** Picks the form for `n` from `one|few|many` (Russian) or `one|other` (English), and replaces `{n}` by `n`. */
export function plural(key: WordKey, n: number): string {
  const forms = t(key, { n }).split('|')
  const index = { one: 0, few: 1, many: 2 }[String(new Intl.PluralRules(language).select(n))]
  return forms[index ?? forms.length - 1] ?? ''
}

const locale = () => (language === 'ru' ? 'ru-RU' : 'en-GB')
const number = (value: number, options: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat(locale(), options).format(value)

/** @param total in the smallest unit of the currency: stars, or hundredths */
export const money = (total: number, currency: string): string =>
  currency === 'XTR'
    ? `⭐\u00a0${number(total, {})}`
    : number(total / 100, {
        style: 'currency',
        currency,
        currencyDisplay: 'narrowSymbol',
        useGrouping: 'always',
      })

const units = ['byte', 'kilobyte', 'megabyte']

export function fileSize(bytes: number): string {
  const power = Math.min(2, Math.floor(Math.log2(Math.max(bytes, 1)) / 10))
  const options = { style: 'unit', unit: units[power], maximumFractionDigits: power === 0 ? 0 : 1 } as const
  return number(bytes / 1024 ** power, options)
}

/** Formats seconds as `0:07`. */
export const clockTime = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds) % 60).padStart(2, '0')}`

const format = (unixSeconds: number, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale(), options).format(new Date(unixSeconds * 1000))

export const timeOfDay = (unixSeconds: number) => format(unixSeconds, { hour: '2-digit', minute: '2-digit' })
export const fullDate = (unixSeconds: number) =>
  format(unixSeconds, { dateStyle: 'long', timeStyle: 'medium' })

/** The local day of a time, for example "Today" or "22 November 2026". */
export function dayName(unixSeconds: number): string {
  const day = (at: number) => format(at, { dateStyle: 'long' })
  const now = Date.now() / 1000
  if (day(unixSeconds) === day(now)) return t('today')
  return day(unixSeconds) === day(now - 86_400) ? t('yesterday') : day(unixSeconds)
}

/** English and Russian. */
const words = {
  actDocument: ['is sending a file', 'отправляет файл'],
  actOther: ['is busy', 'занят'],
  actPhoto: ['is sending a photo', 'отправляет фото'],
  actTyping: ['is typing', 'печатает'],
  actVideo: ['is sending a video', 'отправляет видео'],
  actVoice: ['is sending a voice message', 'отправляет голосовое'],
  addCaption: ['Add a caption…', 'Добавить подпись…'],
  attach: ['Attach a file', 'Прикрепить файл'],
  attachAudio: ['Audio', 'Аудио'],
  attachFile: ['File', 'Файл'],
  attachNote: ['Video message', 'Видеосообщение'],
  attachMedia: ['Photo, video or sound', 'Фото, видео или звук'],
  block: ['Block the bot', 'Заблокировать бота'],
  blocked: [
    'You blocked this bot: it cannot write to you.',
    'Вы заблокировали бота: он не может вам писать.',
  ],
  bot: ['bot', 'бот'],
  botDraft: ['being written', 'пишется'],
  botNoAnswer: ['The bot did not answer the button', 'Бот не ответил на нажатие'],
  cancel: ['Cancel', 'Отмена'],
  chatMenu: ['Chat menu', 'Меню чата'],
  chats: ['Chats', 'Чаты'],
  clearFaults: ['Clear all', 'Убрать все'],
  close: ['Close', 'Закрыть'],
  commands: ['Commands', 'Команды'],
  connectionLost: ['Connection lost. Reconnecting…', 'Нет связи. Подключаемся снова…'],
  copied: ['Copied', 'Скопировано'],
  copy: ['Copy text', 'Копировать текст'],
  copyCode: ['Copy the code', 'Копировать код'],
  create: ['Create', 'Создать'],
  delete: ['Delete', 'Удалить'],
  download: ['Download', 'Скачать'],
  edit: ['Edit', 'Изменить'],
  edited: ['edited', 'изменено'],
  editing: ['Editing', 'Редактирование'],
  emptyGroup: [
    'Nothing here yet. Write /start to wake the bot.',
    'Пока пусто. Напишите /start, чтобы разбудить бота.',
  ],
  emptyText: [
    'This is a safe place to try the bot: the money, the gateway and this Telegram are not real.',
    'Здесь можно спокойно попробовать бота: деньги, шлюз и этот Telegram ненастоящие.',
  ],
  faultAnswer: ['Streamed answer breaks off', 'Ответ обрывается на полуслове'],
  faultCanceled: ['Next task is canceled', 'Следующая задача отменится'],
  faultClear: ['No faults are waiting.', 'Сбоев в очереди нет.'],
  faultFailed: ['Next task fails', 'Следующая задача не удастся'],
  faultGateway: ['Gateway answers 503', 'Шлюз отвечает 503'],
  faultGone: ['Result is not at its link (404)', 'По ссылке нет результата (404)'],
  faultList: ['Waiting to happen', 'Ждут своей очереди'],
  faultStuck: ['Next task never ends', 'Следующая задача зависнет'],
  faultText: [
    'Choose what goes wrong next. Each fault happens once, then all is well again.',
    'Выберите, что сломается дальше. Каждый сбой случится один раз, потом всё наладится.',
  ],
  faultTwice: ['Next update comes twice', 'Следующее обновление придёт дважды'],
  faultVideo: ['Sending a video is refused (429)', 'Отправка видео запрещена (429)'],
  faults: ['Make it fail', 'Сломать что-нибудь'],
  firstName: ['Name', 'Имя'],
  generalTopic: ['General', 'Общая тема'],
  group: ['group', 'группа'],
  groupMembers: ['Members', 'Участники'],
  groupTitle: ['Group name', 'Название группы'],
  inlineResults: ['Results', 'Результаты'],
  invoice: ['Invoice', 'Счёт'],
  joined: ['{name} joined', '{name} теперь в группе'],
  jumpDown: ['To the newest messages', 'К новым сообщениям'],
  language: ['Language', 'Язык'],
  members: ['{n} member|{n} members', '{n} участник|{n} участника|{n} участников'],
  menu: ['Menu', 'Меню'],
  message: ['Message', 'Сообщение'],
  messageMenu: ['Message actions', 'Действия с сообщением'],
  messages: ['Messages', 'Сообщения'],
  newGroup: ['New group', 'Новая группа'],
  newTopic: ['New topic', 'Новая тема'],
  newUser: ['New user', 'Новый пользователь'],
  nothingFound: ['Nothing found', 'Ничего не нашлось'],
  notDone: ['That did not work: {reason}', 'Не получилось: {reason}'],
  openLink: ['Open this link?', 'Открыть ссылку?'],
  openLinkButton: ['Open', 'Открыть'],
  paid: ['Paid', 'Оплачено'],
  paidService: ['You paid {amount}', 'Вы заплатили {amount}'],
  pay: ['Pay {amount}', 'Оплатить {amount}'],
  payDone: ['Paid {amount}', 'Оплачено: {amount}'],
  payFailed: ['The payment was refused', 'Платёж отклонён'],
  payQuestion: ['Pay this invoice?', 'Оплатить счёт?'],
  photo: ['Photo', 'Фото'],
  quote: ['Quote', 'Цитировать'],
  receipt: ['Receipt', 'Чек'],
  refundedService: ['{amount} came back to you', 'Вам вернули {amount}'],
  reply: ['Reply', 'Ответить'],
  replyTo: ['Reply to {name}', 'Ответ: {name}'],
  restart: ['Send /start', 'Отправить /start'],
  sandbox: ['sandbox', 'песочница'],
  searching: ['Searching…', 'Ищем…'],
  send: ['Send', 'Отправить'],
  sendFiles: ['Send {n} file|Send {n} files', 'Отправить {n} файл|Отправить {n} файла|Отправить {n} файлов'],
  showLess: ['Show less', 'Свернуть'],
  showMore: ['Show more', 'Показать ещё'],
  sidebar: ['Chats and users', 'Чаты и пользователи'],
  speaks: ['{name} speaks', 'Пишет {name}'],
  spoiler: ['Hidden text, press to show', 'Скрытый текст, нажмите, чтобы показать'],
  start: ['Start', 'Начать'],
  stop: ['Stop', 'Остановить'],
  stopDraft: ['Stop the answer', 'Остановить ответ'],
  switchUser: ['Switch user', 'Сменить пользователя'],
  testMoney: ['Test money: nothing real is charged.', 'Тестовые деньги: ничего настоящего не спишется.'],
  thinking: ['Thinking…', 'Думает…'],
  today: ['Today', 'Сегодня'],
  tooLarge: ['{name} is larger than {size}', '{name} больше {size}'],
  topicCreated: ['Topic “{name}” was created', 'Создана тема «{name}»'],
  topicName: ['Topic name', 'Название темы'],
  topics: ['Topics', 'Темы'],
  unblock: ['Unblock the bot', 'Разблокировать бота'],
  unsupported: ['This kind of message is not shown here', 'Сообщения этого вида здесь не показываются'],
  unsupportedButton: ['This button does not work in the sandbox', 'Эта кнопка не работает в песочнице'],
  username: ['Username', 'Имя пользователя'],
  via: ['via {name}', 'через {name}'],
  video: ['Video', 'Видео'],
  voice: ['Voice message', 'Голосовое сообщение'],
  welcome: ['What can this bot do?', 'Что умеет этот бот?'],
  withTopics: ['With topics', 'С темами'],
  yesterday: ['Yesterday', 'Вчера'],
} as const satisfies Readonly<Record<string, readonly [en: string, ru: string]>>
