// The text by which results, statuses and rows of the history are recognised.

import { expect, it } from 'vitest'
import { promptInRequest } from '../../src/catalog/request.ts'

const turns = [
  { speaker_id: 'Anna', text: 'hi' },
  { speaker_id: 'Boris', text: 'Is the ferry late?' },
]

it.each([
  ['a prompt', { prompt: 'a cat' }, 'a cat'],
  ['a text', { text: 'good morning' }, 'good morning'],
  ['a song with only a title', { title: 'Sea' }, 'Sea'],
  ['nothing', {}, undefined],
  ['turns of another shape', { turns: [{ speaker_id: 'Anna' }], title: 'Talk' }, 'Talk'],
] as const)('the text of a request with %s is found', (_, request, wanted) => {
  expect(promptInRequest(request)).toBe(wanted)
})

it('the text of a dialogue contains all its lines, since many begin with the same greeting', () => {
  expect(promptInRequest({ turns })).toBe('Anna: hi\nBoris: Is the ferry late?')
  expect(promptInRequest({ turns }, 20)).toBe('Anna: hi\nBoris: Is t…')
})
