// The model that answers in a conversation.

import { expect, it } from 'vitest'
import { textModelList } from '../../src/catalog/text-models.ts'
import { modelOf } from '../../src/chat/begin.ts'

const rates = { input: '100', output: '1000' }
const [first, second] = ['first', 'second'].map((id) => ({ id, family: 'gpt', rates }))
const models = (...listed: object[]) => ({ textModels: textModelList.parse(listed) })

it.each([
  ['its own', models({ ...first }, { ...second }), 'second'],
  ['the first one that is offered, when its own was taken off the list', models({ ...first }), 'first'],
  ['none, when none is offered', models(), undefined],
])('is %s', (_, offered, expected) => {
  expect(modelOf(offered, { modelId: 'second' })?.id).toBe(expected)
})
