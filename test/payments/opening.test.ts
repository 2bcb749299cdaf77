// Opening a page to pay on while the provider does not answer: repeated within the time that a user waits, then given up.

import { expect, it } from 'vitest'
import { openLink } from '../../src/payments/links.ts'
import type { LinkOpened } from '../../src/payments/provider.ts'
import { unpaidTopUps } from '../../src/payments/top-ups.ts'
import { auditedPaying } from '../support/worlds/audited.ts'

const world = await auditedPaying()

const order = { description: 'Top-up', item: 'Пополнение', email: null }
const silence: LinkOpened = { is: 'unavailable', said: 'no answer' }

/** Opens a page at a provider that gives this answer after some time. @returns the seconds after which it was asked */
async function opening(answer: LinkOpened, takesMs: number) {
  const { way } = world.provider('yookassa')
  if (way.by !== 'link') throw new Error('YooKassa has a page to pay on')
  const { id: userId } = await world.user()
  const topUp = await world.open(userId, 500_00n, 'yookassa')
  const begun = world.clock.now().getTime()
  const asked: number[] = []
  const open = async () => {
    asked.push((world.clock.now().getTime() - begun) / 1000)
    world.clock.advance(takesMs)
    return answer
  }
  const opened = await openLink(world.deps, { ...way, open }, topUp, order)
  return { asked, opened, left: await unpaidTopUps(world.deps.db, userId) }
}

it.each([
  ['three times in all', 0, [0, 1, 2]],
  ['while another try begins within twelve seconds', 5500, [0, 6.5]],
  ['at the end of the twelve seconds', 11_000, [0, 12]],
  ['not after them', 11_001, [0]],
] as const)('a page whose provider does not answer is asked for again, %s', async (_, takesMs, asked) => {
  const found = await opening(silence, takesMs)
  expect(found).toEqual({ asked, opened: { ok: false, reason: 'unavailable' }, left: [] })
})

it('a page that the provider refuses to open is asked for once', async () => {
  const found = await opening({ is: 'refused', said: 'no' }, 0)
  expect(found).toEqual({ asked: [0], opened: { ok: false, reason: 'unavailable' }, left: [] })
})
