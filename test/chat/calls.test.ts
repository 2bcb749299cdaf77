// What became of proposed cards in the request of each operation: as results of calls, or in words where calls cannot be sent.

import { expect, it } from 'vitest'
import { textModelList } from '../../src/catalog/text-models.ts'
import { noModes } from '../../src/catalog/text-modes.ts'
import { chatBody, messagesBody, nativeBody, responsesBody } from '../../src/chat/bodies.ts'
import { assemble, type Said } from '../../src/chat/dialogue.ts'
import { proposalsIn, toolsFor } from '../../src/chat/tools.ts'

const call = { id: '123456789', name: 'make_image', input: { prompt: 'a fox' } }
const result = { outcome: 'delivered', prompt: 'a red fox' } as const
const past: readonly Said[] = [
  { role: 'user', text: 'Draw!', images: [] },
  { role: 'assistant', text: '', images: [], calls: [{ ...call, result }] },
]
const dialogue = assemble(undefined, past, { role: 'user', text: 'At night', images: [] }, 10_000)
const request = (family: string, isOffered = true) => {
  const [model] = textModelList.parse([{ id: 'M', family, abilities: ['tools', 'thinking', 'search'] }])
  if (!model) throw new Error('no model')
  return { model, dialogue, maxOutput: 4000, modes: noModes, tools: isOffered ? toolsFor(['image']) : [] }
}
const content = JSON.stringify(result)
const told = '[make_image: {"prompt":"a red fox","outcome":"delivered"}]'

it('is a message of the role tool in chat completions', () => {
  const made = { name: call.name, arguments: JSON.stringify(call.input) }
  expect(chatBody(request('gpt')).messages).toEqual([
    { role: 'user', content: 'Draw!' },
    { role: 'assistant', content: null, tool_calls: [{ id: call.id, type: 'function', function: made }] },
    { role: 'tool', tool_call_id: call.id, content },
    { role: 'user', content: 'At night' },
  ])
})

it('begins the next question in the messages format', () => {
  expect(messagesBody(request('assistant')).messages).toEqual([
    { role: 'user', content: 'Draw!' },
    { role: 'assistant', content: [{ type: 'tool_use', ...call }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: call.id, content },
        { type: 'text', text: 'At night' },
      ],
    },
  ])
})

it('is a part of its own in the native format', () => {
  expect(nativeBody(request('gemini')).contents).toEqual([
    { role: 'user', parts: [{ text: 'Draw!' }] },
    { role: 'model', parts: [{ functionCall: { name: call.name, args: call.input } }] },
    { role: 'user', parts: [{ functionResponse: { name: call.name, response: result } }] },
    { role: 'user', parts: [{ text: 'At night' }] },
  ])
})

it('is told in words in a transcript, beside thinking, and where no functions are sent', () => {
  expect(responsesBody(request('gpt')).input).toContain(`Assistant: ${told}`)
  const thinking = { ...request('assistant'), modes: { ...noModes, thinking: true } }
  expect(messagesBody(thinking).messages.at(1)).toEqual({ role: 'assistant', content: told })
  expect(messagesBody(thinking).messages.at(2)).toEqual({ role: 'user', content: 'At night' })
  expect(chatBody(request('gpt', false)).messages.at(1)).toEqual({ role: 'assistant', content: told })
  expect(nativeBody(request('gemini', false)).contents.at(1)).toEqual({
    role: 'model',
    parts: [{ text: told }],
  })
})

it('a call that changes the last card says so', () => {
  const made = (input: object) =>
    proposalsIn([{ id: 'x', name: 'make_image', arguments: JSON.stringify(input) }])
  expect(made({ prompt: 'a fox', change: true })).toEqual([
    { command: 'image', prompt: 'a fox', isChange: true },
  ])
  expect(made({ prompt: 'a fox', change: 'perhaps' })).toEqual([{ command: 'image', prompt: 'a fox' }])
})
