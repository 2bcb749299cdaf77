// Orders every model once through the whole app: a command, a switch of the model if necessary, Generate, and a message of the kind that
// the catalog declares, at the catalog's price.

import { expect, it } from 'vitest'
import type { Delivers } from '../../src/catalog/model.ts'
import { loadTexts } from '../../src/texts.ts'
import { bodyOf, catalog, countsOf, eachModel, priceOf, saying } from '../support/gateway/contract.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import type { SandboxMessage } from '../support/users/user.ts'

const credit = 2000
const english = loadTexts()('en')
const sandbox = await sharedSandbox({ credit: String(credit) })
const charged = async () => (await sandbox.get<{ charged: number }>('/api/gateway/account')).charged

const shownAs: Readonly<Record<Delivers['kind'], keyof SandboxMessage>> = {
  video: 'video',
  image: 'photo',
  voice: 'voice',
  audio: 'audio',
  model3d: 'document',
}

it.each(eachModel)('%s is ordered, delivered and charged through the whole app', async (_, model) => {
  const body = bodyOf(model, saying(model, 'a cat surfing'))
  const price = priceOf(model, body)
  const before = await charged()
  const [command] = model.commands
  const user = await sandbox.user('Anna')
  await user.sends(`/${command} a cat surfing`)
  if (catalog.offered(command)[0]?.id !== model.id) {
    await user.taps('🎛 Model')
    await user.taps(new RegExp(`^${english.label(model.label)}\\b`))
  }
  await user.taps(`Generate · ${english.roubles(BigInt(price))}`)
  const { files } = countsOf(model, body)
  const kind = shownAs[model.delivers(body).kind]
  await user.sees(/charged/)
  // The buttons are on the last result, or on the message after an album.
  await user.sees((message) => /Change/.test(JSON.stringify(message.reply_markup ?? '')))
  expect((await user.chat()).filter((message) => message[kind])).toHaveLength(files)
  await user.sends('/balance')
  await user.sees(english.roubles(BigInt(credit * 100 - price)))
  expect((await charged()) - before).toBe(price)
})
