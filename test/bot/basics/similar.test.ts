import { expect, it } from 'vitest'
import { similarCommand } from '../../../src/bot/basics/fallback.ts'
import { sharedSandbox } from '../../support/users/sandbox.ts'

const commands =
  'image video speech dialogue music model3d chat new balance history help paysupport support'.split(' ')

it('an unknown command is answered with the one command that it resembles or means', () => {
  const rows = `images image, imag image, img image, iamge image, vid video, vidoe video, video2 video, speach speech, dlg dialogue,
    musik music, model model3d, chatt chat, hist history, sup support, 3d model3d, draw image, ai chat`
  for (const [typed = '', command] of rows.split(/,\s+/).map((row) => row.split(' ')))
    expect([typed, similarCommand(typed, commands)]).toEqual([typed, command])
})

it('no command is suggested when none or two resemble it, or when it is not offered', () => {
  const unknown = ['', 'i', 'im', 'foo', 'weather', 'x'.repeat(4000)]
  expect(unknown.filter((typed) => similarCommand(typed, commands))).toEqual([])
  expect(similarCommand('mine', ['mint', 'mind'])).toBeUndefined()
  expect(similarCommand('pay', ['image'])).toBeUndefined()
  expect(similarCommand('image', [])).toBeUndefined()
})

it('the words of an unknown command open the card of the suggested one by a tap', async () => {
  const sandbox = await sharedSandbox()
  const anna = await sandbox.user('Anna', 'ru')
  await anna.sends('/видео кот на крыше')
  await anna.taps('/video кот на крыше')
  await anna.sees(/Описание: кот на крыше/)
  await anna.sends('/viedo')
  await anna.sees(/Может быть, \/video\?/)
  await anna.sends('/favorites')
  await anna.sees(/Может быть, \/favourites\?/)
})
