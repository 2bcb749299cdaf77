// Invalid input, accidental or malicious: the user gets a clear message in their language, no money moves and no draft is lost.

import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { generations } from '../../src/db/schema.ts'
import { loggingTo } from '../support/runtime/log.ts'
import { openReceipt } from '../support/users/order.ts'
import { openSandbox, sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox()
let anna: SandboxUser

const fresh = async (language: 'ru' | 'en' = 'en') => {
  anna = await sandbox.user('Anna', language)
  return anna
}
const card = () =>
  anna.sees((message) => labelsOf(message).some((label) => /^(Generate|Создать)/.test(label)))
const dataOf = (message: SandboxMessage, label: RegExp) =>
  message.reply_markup?.inline_keyboard?.flat().find(({ text }) => label.test(text))?.callback_data ?? ''
const isVideo = (message: SandboxMessage) => message.video !== undefined
const spent = async () => {
  await anna.sends('/balance')
  return (await anna.sees(/^(Balance|Баланс): /)).text
}

describe('a prompt', () => {
  it.each([
    ['ru', /^Описание\nСлишком длинно: 5.121 знак, а можно не больше 5.120/],
    ['en', /^Prompt\nToo long: 5,121 characters, the limit is 5,120/],
  ] as const)('over 5120 characters is refused in %s, and asked for again', async (language, why) => {
    await fresh(language)
    await anna.sends(`/video ${'к'.repeat(5121)}`)
    await anna.sees(why)
    await anna.sends('a cat')
    await card()
  })

  it('above the limit of a message can be sent as a text file, with the same limit as a typed one', async () => {
    await fresh()
    const file = (length: number) => ({
      kind: 'document',
      name: 'prompt.txt',
      bytes: Buffer.from('к'.repeat(length)),
    })
    await anna.sends('/video')
    await anna.sees(/Prompt/)
    await anna.sendsFile(file(5121))
    await anna.sees(/Too long: 5,121/)
    await anna.sendsFile(file(5120))
    await anna.sees(/step 2 of/)
    await anna.taps('✅ Show the card')
    expect((await card()).text).toMatch(/Prompt: к{700}…/)
  })

  it('is asked for when the command has none', async () => {
    await fresh('ru')
    await anna.sends('/video')
    await anna.sees(/Описание/)
    await anna.sends('кот на сёрфе')
    await anna.sees(/шаг 2 из/)
    await anna.taps('✅ К карточке')
    await anna.sees(/Описание: кот на сёрфе[\s\S]*Цена: 92,45 ₽/)
  })

  it('with HTML in it is shown as plain text', async () => {
    await fresh()
    await anna.sends('/video <b>bold</b> & <script>')
    expect((await card()).text).toContain('<b>bold</b> & <script>')
  })
})

describe('a duration', () => {
  it.each([
    ['ru', '2', /от 3 до 15/],
    ['ru', '16', /от 3 до 15/],
    ['ru', 'много', /Нужно число/],
    ['en', '2', /from 3 to 15/],
    ['en', '16', /from 3 to 15/],
    ['en', 'много', /need a number/],
  ] as const)(
    'is refused in %s for %j with an explanation; a valid one is then shown on the card',
    async (language, input, why) => {
      await fresh(language)
      await anna.sends('/video a cat')
      await anna.taps(/^(Duration|Длительность)/)
      await anna.taps(/(Other|Другое)/)
      await anna.sees(/(Write the answer|Напишите ответ)/)
      await anna.sends(input)
      await anna.sees(why)
      await anna.sends('7')
      await anna.sees(/129[.,]43/)
      expect(await spent()).toMatch(/500[.,]00/)
    },
  )
})

describe('a question', () => {
  it('is cancelled by its button and by /cancel', async () => {
    await fresh()
    await anna.sends('/video')
    await anna.taps('✖ Cancel')
    await anna.sends('hello')
    await anna.sees(/Ask me anything|About “hello”/i)
    await anna.sends('/video')
    await anna.sends('/cancel')
    await anna.sees('Closed the steps of “Reel”.')
    await anna.sends('a cat')
    await anna.sees(/About “a cat”/)
  })

  it('for a text explains what it needs when it gets a binary file', async () => {
    await fresh()
    await anna.sends('/video')
    await anna.sees(/Prompt/)
    await anna.sendsFile({ kind: 'document', name: 'cat.bin', bytes: Buffer.from([0, 1, 2, 255]) })
    await anna.sees(/I need text/)
    await anna.sends('a cat')
    await anna.sees(/step 2 of/)
    await anna.taps('✅ Show the card')
    await card()
  })
})

describe('a button', () => {
  it('of a closed card says that the card is closed', async () => {
    await fresh()
    await anna.sends('/video a cat')
    const before = await card()
    await anna.taps('✖ Cancel')
    await anna.isTold('Card closed')
    await anna.sends('/video a dog')
    const { message_id } = await card()
    await anna.tapsData(message_id, dataOf(before, /Duration/))
    await anna.isTold(/not yours or is closed/)
  })

  it("of another user's card changes nothing and orders nothing", async () => {
    await fresh()
    await anna.sends('/video a cat')
    const theirs = await card()
    const generate = dataOf(theirs, /Generate/)
    const owner = anna
    await fresh()
    await anna.sends('/video a dog')
    const { message_id } = await card()
    await anna.tapsData(message_id, generate)
    await anna.isTold(/not yours or is closed/)
    await anna.tapsData(message_id, dataOf(theirs, /Sound/))
    expect(await spent()).toContain('₽500.00')
    await owner.seesButton('Sound: off')
  })

  it.each([
    'c:0000000000:o:duration',
    'q:0000000000',
    'r:0000000000',
    'nonsense',
    'c:x',
    't:999999999999999',
  ])('with forged data %j is answered and changes nothing', async (data) => {
    await fresh()
    await anna.sends('/video a cat')
    const { message_id } = await card()
    await anna.tapsData(message_id, data)
    await anna.isTold(/./)
    expect(await spent()).toContain('₽500.00')
  })

  it.each(['webhookURL:http://evil', 'safety.mode:full', 'duration:99', 'size:1x1', '__proto__:x'])(
    'that sets %j is refused',
    async (set) => {
      await fresh()
      await anna.sends('/video a cat')
      const shown = await card()
      const [, draft] = dataOf(shown, /Duration/).split(':')
      await anna.tapsData(shown.message_id, `c:${draft}:s:${set}`)
      await anna.isTold(/no longer available/)
      expect((await card()).text).toBe(shown.text)
    },
  )

  it('that orders makes one hold when it is tapped twice', async () => {
    await fresh()
    await anna.sends('/video a cat')
    const shown = await card()
    const data = dataOf(shown, /Generate/)
    await Promise.all([anna.tapsData(shown.message_id, data), anna.tapsData(shown.message_id, data)])
    await anna.isTold('Already in progress')
    await anna.sees((message) => message.video !== undefined)
    expect(await spent()).toContain('₽407.55')
  })
})

describe('the balance', () => {
  it('must cover the price: the card names the missing amount, tops it up, and then orders', async () => {
    await fresh()
    await anna.sends('/video a cat')
    await anna.taps(/^Duration/)
    await anna.taps('15 s')
    await anna.taps('⚙️ More settings')
    await anna.taps(/^Variants/)
    await anna.taps('4')
    const short = await anna.sees(/Price: ₽1,109.40[\s\S]*You’re ₽609.40 short/)
    expect(labelsOf(short).join()).not.toContain('Generate')
    await anna.taps('💳 Top up ₽610.00')
    await anna.taps('💳 Card')
    await anna.pays(await anna.sees((message) => message.invoice !== undefined))
    await anna.sees(/₽610.00 added/)
    await anna.taps('Generate · ₽1,109.40')
    await anna.sees(/Done in/)
    expect((await anna.chat()).filter((message) => message.video)).toHaveLength(4)
    expect(await spent()).toContain('₽0.60')
  })

  it.each([
    ['/topup много', /couldn’t read the amount/],
    ['/topup 49', /from ₽50.00 to ₽15,000.00/],
    ['/topup 1000000', /from ₽50.00 to ₽15,000.00/],
    ['/topup -5', /couldn’t read the amount/],
  ])('is not topped up by %s, and the user is told why', async (command, why) => {
    await fresh()
    await anna.sends(command)
    await anna.sees(why)
  })
})

describe('the gateway', () => {
  it.each([
    [
      'refuses',
      'create',
      { kind: 'error', status: 400, description: 'bad words' },
      /did not accept the order[^\n]*\nThe service said:\nbad words\n/,
    ],
    [
      'refuses without words',
      'create',
      { kind: 'error', status: 400, description: ' ' },
      /did not accept the order[^\n]*\n₽/,
    ],
    ['has no money for us', 'create', { kind: 'error', status: 402 }, /paused for a few minutes/],
  ] as const)('%s: the order fails and its money is released', async (_, operation, fault, why) => {
    const own = await openSandbox()
    try {
      anna = await own.user('Anna')
      await own.breaks('gateway', operation, fault)
      await anna.sends('/video a cat')
      await anna.taps(/^Generate/)
      await anna.sees(why)
      expect(await spent()).toContain('₽500.00')
    } finally {
      await own.stop()
    }
  })

  it.each([
    ['an error page for a poll', 'poll', { kind: 'garbage' }],
    ['503 for a submit', 'create', { kind: 'error', status: 503 }],
    ['lost callbacks', 'callback', { kind: 'cut' }],
    ['doubled callbacks', 'callback', { kind: 'twice' }],
    ['a web page instead of the video', 'cdn', { kind: 'garbage' }],
  ] as const)('an order is delivered in spite of %s', async (_, operation, fault) => {
    await fresh()
    await sandbox.breaks('gateway', operation, fault, operation === 'callback' ? 4 : 1)
    await anna.sends('/video a cat')
    await anna.taps(/^Generate/)
    await anna.sees((message) => message.video !== undefined)
    await anna.sees(/✅ Done/)
    expect(await spent()).toContain('₽407.55')
  })

  it('a submit whose answer was lost is not repeated: the callback reveals the task', async () => {
    await fresh()
    await sandbox.breaks('gateway', 'create', { kind: 'cut', after: true })
    const before = await sandbox.get<{ charged: number }>('/api/gateway/account')
    await anna.sends('/video a cat')
    await anna.taps(/^Generate/)
    await anna.sees((message) => message.video !== undefined)
    const after = await sandbox.get<{ charged: number }>('/api/gateway/account')
    expect(after.charged - before.charged).toBe(9245)
    expect(await spent()).toContain('₽407.55')
  })

  it.each(['nested', 'beside', 'array', 'form', 'query'])(
    'a submit whose answer was lost is also revealed by a callback of the shape %s',
    async (shape) => {
      await fresh()
      await sandbox.breaks('gateway', 'create', { kind: 'cut', after: true })
      await sandbox.breaks('gateway', 'callback', { kind: 'shape', shape })
      const before = await sandbox.get<{ charged: number }>('/api/gateway/account')
      await anna.sends('/video a cat')
      await anna.taps(/^Generate/)
      await anna.sees((message) => message.video !== undefined)
      const after = await sandbox.get<{ charged: number }>('/api/gateway/account')
      expect(after.charged - before.charged).toBe(9245)
      expect(await spent()).toContain('₽407.55')
    },
  )

  it('a callback with a wrong token is answered with 404', async () => {
    const answer = await fetch(`${sandbox.url}/app/callbacks/${'0'.repeat(32)}`, {
      method: 'POST',
      body: '{}',
    })
    expect(answer.status).toBe(404)
  })
})

describe('Telegram', () => {
  it('a result is sent after the pause that a 429 demands', async () => {
    await fresh()
    await sandbox.breaks('telegram', 'sendVideo', { kind: 'error', status: 429, retryAfter: 0.05 })
    await anna.sends('/video a cat')
    await anna.taps(/^Generate/)
    await anna.sees((message) => message.video !== undefined)
  })

  it('a user who blocks the bot while an order runs is charged once, and finds the result in /history afterwards', async () => {
    await fresh()
    const account = () => sandbox.get<{ charged: number }>('/api/gateway/account')
    const { charged } = await account()
    // The task is complete only for the app's second look, so the order runs while the user blocks the bot.
    await sandbox.breaks('gateway', 'callback', { kind: 'cut' }, 4)
    await sandbox.breaks('gateway', 'poll', { kind: 'hang', ms: 2000 })
    await anna.sends('/video a cat')
    await anna.taps(/^Generate/)
    await anna.blocks()
    const ordered = async () =>
      (await sandbox.app.db.select().from(generations).where(eq(generations.chatId, anna.id)))[0]
    await expect
      .poll(ordered)
      .toMatchObject({ state: 'succeeded', delivery: 'undeliverable', captured: 92_45n })
    await anna.blocks(false)
    expect((await anna.chat()).some(isVideo)).toBe(false)
    expect((await openReceipt(anna)).text).toMatch(/₽92.45/)
    await anna.taps(/Send again/)
    await anna.sees(isVideo)
    expect(await spent()).toContain('₽407.55')
    expect((await account()).charged - charged).toBe(92_45)
  })
})

it.each([
  ['a chat that accepts no messages', { status: 403 }],
  ['a topic that is gone', { status: 400, description: 'Bad Request: message thread not found' }],
])('a command from %s is not logged as an error', async (_, refusal) => {
  const log = loggingTo()
  const own = await openSandbox('postgres', {}, 160, log)
  try {
    const boris = await own.user('Boris')
    await own.breaks('telegram', 'sendMessage', { kind: 'error', ...refusal })
    await boris.sends('/balance')
    await expect.poll(() => log.said('not answered: the chat or its topic takes no messages')).toHaveLength(1)
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([])
    await boris.sends('/balance')
    await boris.sees(/^Balance/)
  } finally {
    await own.stop()
  }
})

it('a model without a price cannot be ordered, and the card says so', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bot-catalog-'))
  const file = join(folder, 'catalog.json')
  await writeFile(file, JSON.stringify({ 'MODEL-VIDEO-REEL': { rates: { second: null } } }))
  const own = await openSandbox('postgres', { CATALOG_FILE: file })
  try {
    const boris = await own.user('Борис', 'ru')
    await boris.sends('/video кот')
    const shown = await boris.sees(/Цена этой модели сейчас неизвестна/)
    expect(labelsOf(shown).join()).not.toContain('Создать')
  } finally {
    await own.stop()
  }
})
