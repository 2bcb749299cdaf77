// Settings that are written around a prompt: `/video 10s 16:9 720p a cat`.

import { expect, it } from 'vitest'
import { parametersIn } from '../../../src/bot/cards/parameters.ts'
import { loadTexts } from '../../../src/texts.ts'
import { everythingSold } from '../../support/sold.ts'
import { sharedSandbox } from '../../support/users/sandbox.ts'

const texts = loadTexts()

const found = (modelId: string, words: string) => {
  const model = everythingSold.catalog.find(modelId)
  if (!model) throw new Error(modelId)
  return parametersIn(texts, model, {}, words)
}

it('takes what is surely a setting from both ends, and leaves every other word in the prompt', () => {
  const reel = 'MODEL-VIDEO-REEL'
  const cases: [model: string, words: string, rest: string, answers: object][] = [
    [reel, '10s 16:9 720p a cat', 'a cat', { duration: 10, size: '1280x720' }],
    [reel, 'кот на крыше, 10 секунд', 'кот на крыше', { duration: 10 }],
    [reel, '7 samurai', '7 samurai', {}],
    [reel, 'a cat at 10 s past noon', 'a cat at 10 s past noon', {}],
    [reel, '99s a cat', '99s a cat', {}],
    [reel, '10s', '', { duration: 10 }],
    [reel, '5s 10s a cat', '10s a cat', { duration: 5 }],
    [reel, '5 stars', '5 stars', {}],
    ['MODEL-IMAGE-PHOTO', 'a cat 9x16', 'a cat', { aspectRatio: '9:16' }],
    ['MODEL-SPEECH-TURBO', '10s left', '10s left', {}],
  ]
  expect(
    cases.map(([model, words]) => [model, words, found(model, words).words, found(model, words).answers]),
  ).toEqual(cases)
})

const sandbox = await sharedSandbox()

it('the taken settings are told, and one tap makes them words again', async () => {
  const anna = await sandbox.user('Anna')
  await anna.sends('/video 10s a cat')
  await anna.sees(/I took these settings from your words: Duration: 10\ss/)
  await anna.seesButton('Generate · ₽184.90')
  await anna.taps('That’s part of the prompt')
  await anna.sees(/Prompt: 10s a cat/)
  await anna.seesButton('Generate · ₽92.45')
})

it('a prompt that was changed since is not replaced', async () => {
  const boris = await sandbox.user('Boris', 'ru')
  await boris.sends('/video 10s кот')
  await boris.sees(/взято в настройки: Длительность: 10\sс/)
  await boris.taps(/^✏️ Описание/)
  await boris.sends('пёс')
  await boris.sees(/Описание: пёс/)
  await boris.taps('Это часть описания')
  await boris.isTold(/с тех пор изменилось/)
  await boris.seesButton('Создать · 184,90 ₽')
})
