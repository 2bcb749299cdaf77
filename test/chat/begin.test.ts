// Which model answers in a conversation.

import { expect, it } from 'vitest'
import { textModelList } from '../../src/catalog/text-models.ts'
import { modelOf } from '../../src/chat/begin.ts'

const rates = { input: '100', output: '1000' }
const [first, second] = ['first', 'second'].map((id) => ({ id, family: 'gpt', rates }))
const models = (...listed: object[]) => ({ textModels: textModelList.parse(listed) })

it.each([
  ["the conversation's own model while it is offered", models({ ...first }, { ...second }), 'second'],
  ["the first offered model when the conversation's own is no longer offered", models({ ...first }), 'first'],
  ['undefined when no model is offered', models(), undefined],
])('the model of a conversation is %s', (_, offered, expected) => {
  expect(modelOf(offered, { modelId: 'second' })?.id).toBe(expected)
})
