import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { similarCommand } from '../../../src/bot/basics/fallback.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'

const commands = [
  'image',
  'video',
  'speech',
  'dialogue',
  'music',
  'model3d',
  'chat',
  'new',
  'balance',
  'history',
  'help',
  'paysupport',
  'support',
]

describe('the command that is suggested for an unknown one', () => {
  it.each([
    ['images', 'image'],
    ['imag', 'image'],
    ['img', 'image'],
    ['iamge', 'image'],
    ['vid', 'video'],
    ['vidoe', 'video'],
    ['video2', 'video'],
    ['speach', 'speech'],
    ['dlg', 'dialogue'],
    ['musik', 'music'],
    ['model', 'model3d'],
    ['chatt', 'chat'],
    ['hist', 'history'],
    ['sup', 'support'],
    ['3d', 'model3d'],
    ['draw', 'image'],
    ['ai', 'chat'],
  ])('for %s is %s', (typed, command) => {
    expect(similarCommand(typed, commands)).toBe(command)
  })

  it.each(['', 'i', 'im', 'foo', 'weather', 'x'.repeat(4000)])('does not exist for “%s”', (typed) => {
    expect(similarCommand(typed, commands)).toBeUndefined()
  })

  it('does not exist when two commands resemble the unknown one equally', () => {
    expect(similarCommand('mine', ['mint', 'mind'])).toBeUndefined()
  })

  it('does not exist when the command of the same meaning is not offered', () => {
    expect(similarCommand('pay', ['image'])).toBeUndefined()
  })

  it('does not exist when no commands are offered', () => {
    expect(similarCommand('image', [])).toBeUndefined()
  })
})

describe('in the chat', () => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await openSandbox()
  })
  afterAll(() => sandbox.stop())

  it('the words of an unknown command open the card of the suggested one by a tap', async () => {
    const anna = await sandbox.user('Anna', 'ru')
    await anna.sends('/видео кот на крыше')
    await anna.taps('/video кот на крыше')
    await anna.sees(/Описание: кот на крыше/)
    await anna.sends('/viedo')
    await anna.sees(/Может быть, \/video\?/)
    await anna.sends('/favorites')
    await anna.sees(/Может быть, \/favourites\?/)
  })
})
