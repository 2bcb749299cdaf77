// Styles of a gateway that creates them under other names, or not at all.

import { expect, it } from 'vitest'
import { imageDesign } from '../../src/catalog/image-design.ts'
import { cardOf } from '../../src/form/card.ts'
import { openRequests } from '../../src/gateway/client.ts'
import { json, startAnswering } from '../support/gateway/answering.ts'

it('a style is created with the names that the operator sets, and its id is read at the place that the operator sets', async () => {
  const server = await startAnswering()
  const styles = { name: 'title', images: 'files', id: 'result.style.code' }
  const own = server.client({ requests: openRequests.parse({ styles }) })
  server.answer(json(200, { id: 'request-1', result: { style: { code: 'abc' } } }))
  expect(await own.createStyle({ name: 'Mine', images: ['data:,'] })).toEqual({ id: 'abc' })
  expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({ title: 'Mine', files: ['data:,'] })
  await server.close()
})

it('a card offers to make a style only if the gateway creates styles', () => {
  const buttons = (makesStyles: boolean) =>
    cardOf(imageDesign, {}, { at: 'field', name: 'style_id' }, { makesStyles }).buttons.flat()
  expect(openRequests.parse({ styles: false })).toMatchObject({ styles: false })
  expect([true, false].map((makes) => buttons(makes).some(({ to }) => to === 'make'))).toEqual([true, false])
})
