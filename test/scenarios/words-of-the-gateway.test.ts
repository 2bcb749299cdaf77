// The words of the gateway in chats: what is left of them is plain text, without addresses, previews, links and mentions.

import { describe, expect, it } from 'vitest'
import { openReceipt } from '../support/users/order.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import type { SandboxMessage } from '../support/users/user.ts'

const sandbox = await sharedSandbox()

const description =
  'cannot read https://cdn.example/a.png?sig=1 for owner@corp.example, ask @vendor_help, see /help at unusual.museum'
const shown = 'cannot read *** for ***, ask @vendor_help, see /help at unusual.museum'

/** Checks that the message quotes the words as plain text. */
function expectPlain({ text = '', entities = [], link_preview_options }: SandboxMessage): void {
  expect(text).toContain(shown)
  expect(link_preview_options).toEqual({ is_disabled: true })
  const at = text.indexOf(shown)
  const over = entities.filter(({ offset, length }) => offset < at + shown.length && offset + length > at)
  expect(over.map(({ type }) => type).filter((type) => !type.endsWith('blockquote'))).toEqual(['code'])
}

describe('an address in the words of the gateway is not shown, and nothing in them is linked,', () => {
  it('when an order is refused, nor later in its receipt', async () => {
    const anna = await sandbox.user('Anna')
    await sandbox.breaks('gateway', 'create', { kind: 'error', status: 400, description })
    await anna.sends('/video a cat')
    await anna.taps(/^Generate/)
    expectPlain(await anna.sees(/didn’t accept the order/))
    expectPlain(await openReceipt(anna))
  })

  it('when a task fails', async () => {
    const boris = await sandbox.user('Борис', 'ru')
    await sandbox.breaks('gateway', 'create', { kind: 'task', status: 'failed', error: description })
    await boris.sends('/video кот')
    await boris.taps(/^Создать|^Сгенер/)
    expectPlain(await boris.sees(/Подробности/))
  })

  it('when a question is refused, also in a group', async () => {
    const clara = await sandbox.user('Clara')
    await sandbox.breaks('gateway', 'chat', { kind: 'error', status: 400, description }, 2)
    await clara.sends('Hm?')
    expectPlain(await clara.sees(/didn’t accept the question/))
    const { id } = await sandbox.post<{ id: number }>('/api/chats', { title: 'Club', members: [clara.id] })
    const there = clara.in(id)
    await there.sends('@sandbox_generation_bot why?')
    expectPlain(await there.sees(/didn’t accept the question/))
  })
})
