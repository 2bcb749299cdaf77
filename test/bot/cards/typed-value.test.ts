// Values that are typed while the card shows the page of a setting.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { drafts } from '../../../src/db/schema.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { storeUpdates } from '../../../src/updates/inbox.ts'
import { png } from '../../support/users/pictures.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import type { SandboxUser } from '../../support/users/user.ts'

let sandbox: TestSandbox
let anna: SandboxUser

beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '500' })
})
afterAll(() => sandbox.stop())

beforeEach(async () => {
  anna = await sandbox.user('Anna')
  await anna.sends('/video a cat')
  await anna.seesButton(/^Generate/)
})

const answer = /the short answer/

async function opens(setting: RegExp): Promise<void> {
  await anna.taps(setting)
  await anna.seesButton('‹ Back')
}

const answers = async () => (await anna.chat()).filter(({ text = '' }) => answer.test(text)).length

describe('on the page of a setting,', () => {
  it.each(['10', '10 s', '10 seconds', '10 секунд'])('“%s” is the duration', async (typed) => {
    await opens(/^Duration/)
    await anna.sends(typed)
    await anna.seesButton('Duration: 10 s')
    await anna.seesButton('Generate · ₽184.90')
    expect(await answers()).toBe(0)
  })

  it('a number is a value although another card was sent later', async () => {
    await opens(/^Duration/)
    await anna.sends('/image a fox')
    await anna.sees(/a fox/)
    await anna.sends('10')
    await anna.seesButton('Duration: 10 s')
    expect(await answers()).toBe(0)
  })

  it('a number is a value although the bot handles it an hour later', async () => {
    await opens(/^Duration/)
    const hour = 60 * 60_000
    await sandbox.app.db
      .update(drafts)
      .set({ updatedAt: new Date(Date.now() - hour) })
      .where(eq(drafts.chatId, anna.id))
    const person = { id: anna.id, first_name: 'Anna' }
    const message = {
      message_id: 900_001,
      date: Math.floor((Date.now() - hour) / 1000) + 60,
      chat: { ...person, type: 'private' as const },
      from: { ...person, is_bot: false, language_code: 'en' },
      text: '10',
    }
    await storeUpdates({ db: sandbox.app.db, clock: systemClock }, [{ update_id: 900_000_001, message }])
    await anna.seesButton('Duration: 10 s')
    expect(await answers()).toBe(0)
  })

  it('a number that cannot be read is refused with the accepted format, without a charge', async () => {
    await opens(/^Duration/)
    await anna.sends('1,00,0')
    await anna.sees('I couldn’t read the number. Write it like 1500 or 1.5.')
    await anna.sends('15')
    await anna.seesButton('Duration: 15 s')
    expect(await answers()).toBe(0)
  })

  it('1.000 is read as one thousand, and the refusal shows the number', async () => {
    await opens(/^Duration/)
    await anna.sends('1.000')
    await anna.sees('It must be from 3 to 15, and this is 1,000.')
  })

  it('counts are shown with separators between thousands, but a seed is shown as digits to copy', async () => {
    await anna.sends('/model3d a chair')
    await anna.seesButton(/192/)
    await anna.taps(/More settings/)
    await opens(/^Polygons: 30,000$/)
    await anna.seesButton('100,000')
    await anna.sends('15,000')
    await anna.sees(/\nPolygons: 15,000/)
    await anna.taps(/More settings/)
    await opens(/Seed/)
    await anna.sends('1234567')
    await anna.sees(/\nSeed: 1234567/)
  })

  it('a number out of range is refused without a charge, and the page stays open', async () => {
    await opens(/^Duration/)
    await anna.sends('700')
    await anna.sees(/from 3 to 15/i)
    await anna.sends('15')
    await anna.seesButton('Duration: 15 s')
    expect(await answers()).toBe(0)
  })

  it.each(['9:16', '9 : 16', '9x16', '9 × 16', '9х16', '9/16'])('“%s” is the aspect ratio', async (typed) => {
    await opens(/^Aspect ratio/)
    await anna.sends(typed)
    await anna.seesButton('Aspect ratio: 9:16')
    expect(await answers()).toBe(0)
  })

  it.each(['Wan', 'ван'])('the name of a model selects the model: %s', async (name) => {
    await opens(/^🎛 Model/)
    await anna.sends(name)
    await anna.seesButton('Generate · ₽99.05')
    expect(await answers()).toBe(0)
  })

  it('the name of a voice selects the voice', async () => {
    await anna.sends('/speech hello')
    await opens(/^Voice/)
    const page = await anna.seesButton('‹ Back')
    const labels = page.reply_markup?.inline_keyboard?.flat().map(({ text }) => text) ?? []
    const [voice = ''] = labels
      .filter((label) => !label.startsWith('●'))
      .map((label) => label.replace(/^\P{L}+/u, ''))
    await anna.sends(voice.toUpperCase())
    await anna.seesButton(`Voice: ${voice}`)
    expect(await answers()).toBe(0)
  })

  it('an id selects a voice that is not in the list', async () => {
    await anna.sends('/speech hello')
    await opens(/^Voice/)
    await anna.sends('narrator-07')
    await anna.seesButton('Voice: narrator-07')
    expect(await answers()).toBe(0)
  })

  it('a typed value leaves one card, below the value', async () => {
    await opens(/^Duration/)
    await anna.sends('10')
    await anna.seesButton('Duration: 10 s')
    const cards = async () => (await anna.chat()).filter(({ reply_markup }) => reply_markup !== undefined)
    await expect.poll(cards).toHaveLength(1)
    expect((await anna.chat()).at(-1)).toEqual((await cards())[0])
  })
})

describe('on an open page, a text that is no value is refused with the values, and never asked:', () => {
  const refusal = /no such option on this card/
  it.each([
    [/^Duration/, 'ten', /It takes: 3–15/],
    [/^Duration/, 'what is a frame rate?', /It takes: 3–15/],
    [/^Duration/, `${'Tell me about frame rates. '.repeat(20)}`, /It takes: 3–15/],
    [/^Aspect ratio/, '9', /It takes: .*16:9/],
    [/^Aspect ratio/, '7:2', /It takes: .*16:9/],
    [/^🎛 Model/, 'Drean', /It takes: .*Dream/],
  ])('%s, “%s”', async (page, typed, values) => {
    await opens(page)
    await anna.sends(typed)
    const { text } = await anna.sees(refusal)
    expect(text).toMatch(values)
    await anna.seesButton(/^💬 Ask · ≈ ₽/)
    expect(await answers()).toBe(0)
  })

  it('a question as the caption of a picture', async () => {
    await opens(/^Duration/)
    await anna.sendsFile({ ...(await png()), kind: 'photo' }, 'what is on it?')
    await anna.sees(refusal)
    expect(await answers()).toBe(0)
  })

  it('a question a day after the page was opened', async () => {
    await opens(/^Duration/)
    const updatedAt = new Date(Date.now() - 24 * 60 * 60_000)
    await sandbox.app.db.update(drafts).set({ updatedAt }).where(eq(drafts.chatId, anna.id))
    await anna.sends('what is a frame rate?')
    await anna.sees(refusal)
    await anna.sends('/chat what is a frame rate? [short]')
    await anna.sees(answer)
  })
})

it.each(['9', '9s', '9 s', '9 seconds', '9 сек', '9 c'])('“%s” is the option 9 s of Dream', async (typed) => {
  await opens(/^🎛 Model/)
  await anna.taps(/^Dream/)
  await opens(/^Duration/)
  await anna.sends(typed)
  await anna.seesButton('Duration: 9 s')
  expect(await answers()).toBe(0)
})

it.each(['4K', '4к', '4 К'])('“%s”, also with a Cyrillic letter, is the quality of Dream', async (typed) => {
  await opens(/^🎛 Model/)
  await anna.taps(/^Dream/)
  await opens(/^Quality/)
  await anna.sends(typed)
  await anna.seesButton(/^Quality: 4k/)
  expect(await answers()).toBe(0)
})

describe('this text is no value:', () => {
  it('a number while the card shows its main page', async () => {
    await opens(/^Duration/)
    await anna.taps('‹ Back')
    await anna.seesButton(/^Generate/)
    await anna.sends('10')
    await anna.seesButton(/^💬 Ask/)
  })

  it('a number after the value was taken', async () => {
    await opens(/^Duration/)
    await anna.sends('10')
    await anna.seesButton('Duration: 10 s')
    await anna.sends('12')
    await anna.seesButton(/^💬 Ask/)
  })

  it('a number that replies to another message, which is a question to the text model', async () => {
    const [hello] = await anna.chat()
    await opens(/^Duration/)
    await anna.sends('10', { reply_to: hello?.message_id ?? 0 })
    await anna.sees(answer)
  })
})
