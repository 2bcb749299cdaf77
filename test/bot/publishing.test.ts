// The parts of the bot's profile around a chat: command menus by scope and language, descriptions, the menu button.

import { GrammyError } from 'grammy'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  createPublishing,
  publishCommands,
  publishMenuButton,
  publishProfile,
} from '../../src/bot/commands.ts'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { models } from '../../src/catalog/index.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { withGatewayIds } from '../../src/sandbox/gateway-ids.ts'
import { loadTexts } from '../../src/texts.ts'
import { catalogSettings } from '../support/catalog-settings.ts'
import { handClock } from '../support/runtime/clock.ts'
import { everythingSold } from '../support/sold.ts'
import { type LocalTelegram, startTelegram } from '../support/telegram/local-telegram.ts'

let telegram: LocalTelegram
beforeEach(async () => {
  telegram = await startTelegram()
})
afterEach(() => telegram.discard())

const texts = loadTexts()
const api = () => telegram.bot().api
const full = () => ({ api: api(), texts, welcomeCredit: 25_00n, ...everythingSold })
const namesIn = async (type: 'all_private_chats' | 'all_group_chats', language_code?: 'ru') =>
  (await api().getMyCommands({ scope: { type }, ...(language_code ? { language_code } : {}) })).map(
    ({ command }) => command,
  )

it("the menu of groups has no command about the user's account, in all languages", async () => {
  await publishCommands(full())
  const everybody = ['image', 'video', 'chat', 'persona', 'history', 'wallet', 'help', 'cancel']
  for (const language of [undefined, 'ru'] as const) {
    const inGroups = await namesIn('all_group_chats', language)
    expect(inGroups).toEqual(expect.arrayContaining(everybody))
    for (const own of ['balance', 'topup', 'statement', 'promo', 'invite', 'export', 'delete_me'])
      expect(inGroups).not.toContain(own)
    const inPrivate = await namesIn('all_private_chats', language)
    expect(inPrivate).toEqual(expect.arrayContaining(['image', 'chat', 'balance', 'settings', 'help']))
    expect(inPrivate.length).toBeLessThanOrEqual(12)
  }
})

it('the descriptions name the products and the welcome credit in both languages, and the menu button opens the commands', async () => {
  await publishProfile(full())
  await publishMenuButton(full())
  const { description } = await api().getMyDescription({ language_code: 'ru' })
  expect(description).toMatch(/картинки, видео, .*музыку и 3D-модели[\s\S]*Отвечаю на вопросы[\s\S]*25\s₽/)
  expect((await api().getMyDescription()).description).toMatch(/pictures, videos, .*music and 3D models/)
  const short = await api().getMyShortDescription({ language_code: 'en' })
  expect(short.short_description).toMatch(/^I make pictures.*Exact price/)
  const bot = await fetch(`${telegram.url}/api/bot`)
  expect(await bot.json()).toMatchObject({ menu_button: { type: 'commands' } })
})

it('neither the menu nor the descriptions mention products that this installation does not sell', async () => {
  const settings = withGatewayIds(catalogSettings.parse({ 'MODEL-MUSIC': { enabled: false } }))
  const less = { ...full(), catalog: createCatalog(models, settings), textModels: [], welcomeCredit: 0n }
  await publishCommands({ ...less, topUps: { providers: [] } })
  const commands = await namesIn('all_private_chats')
  for (const missing of ['chat', 'new', 'persona', 'topup', 'music']) expect(commands).not.toContain(missing)
  expect(commands).toContain('balance')
  await publishProfile(less)
  for (const language_code of ['ru', 'en'] as const) {
    const { description } = await api().getMyDescription({ language_code })
    expect(description).not.toMatch(/музык|music|вопрос|question|🎁/i)
    expect(description).toMatch(/видео|videos/)
  }
})

it('descriptions that are already published are not sent again', async () => {
  await publishProfile(full())
  const called: string[] = []
  const watched = api()
  watched.config.use((prev, method, payload, signal) => {
    called.push(method)
    return prev(method, payload, signal)
  })
  await publishProfile({ ...full(), api: watched })
  expect(called.filter((method) => method.startsWith('set'))).toEqual([])
  expect(called.length).toBeGreaterThan(0)
})

const refusal = (error_code: number, parameters: object = {}) =>
  new GrammyError('failed', { ok: false, error_code, description: 'no', parameters }, 'setMyCommands', {})

it('a refused publication is repeated after growing pauses, or the demanded one, and does not delay the others', async () => {
  const clock = handClock()
  const start = clock.now().getTime()
  const times: number[] = []
  const others: string[] = []
  const menus = async () => {
    times.push((clock.now().getTime() - start) / 1000)
    if (times.length <= 2) throw refusal(500)
    if (times.length === 3) throw refusal(429, { retry_after: 600 })
  }
  const publishing = createPublishing({ clock, log: silentLog }, [
    { what: 'menus', publish: menus },
    { what: 'others', publish: async () => void others.push('sent') },
  ])
  publishing.start()
  for (const [attempts, pause] of [5, 10, 600].entries()) {
    await expect.poll(() => times.length).toBe(attempts + 1)
    await expect.poll(() => others).toHaveLength(1)
    await expect.poll(() => clock.isWaitedFor(pause * 1000)).toBe(true)
    clock.advance(pause * 1000)
  }
  await expect.poll(() => times.length).toBe(4)
  expect(times).toEqual([0, 5, 15, 615])
  expect(others).toHaveLength(1)
  await publishing.stop()
})
