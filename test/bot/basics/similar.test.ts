import { describe, expect, it } from 'vitest'
import { similarCommand } from '../../../src/bot/basics/similar.ts'

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

describe('the command that an unknown one was meant to be', () => {
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
  ])('%s is %s', (typed, command) => {
    expect(similarCommand(typed, commands)).toBe(command)
  })

  it.each(['', 'i', 'im', 'foo', 'weather', 'x'.repeat(4000)])('“%s” is none', (typed) => {
    expect(similarCommand(typed, commands)).toBeUndefined()
  })

  it('is none when two resemble it equally', () => {
    expect(similarCommand('mine', ['mint', 'mind'])).toBeUndefined()
  })

  it('is none when the command of the same meaning is not offered', () => {
    expect(similarCommand('pay', ['image'])).toBeUndefined()
  })

  it('is none without commands', () => {
    expect(similarCommand('image', [])).toBeUndefined()
  })
})
