// Hostile names of people and groups, and hostile e-mail addresses, as the functions read them that store them.

import { expect, it } from 'vitest'
import { readEmail, shownName } from '../../src/users/user.ts'
import { names } from './tables/names.ts'
import { emails } from './tables/questions.ts'

it('shownName returns the visible part of a name', () => {
  const wrong = names.filter(
    ([name, shown]) => shownName(name.toWellFormed().replaceAll('\0', ' ')) !== shown,
  )
  expect(wrong).toEqual([])
})

it('readEmail reads addresses that a receipt can be sent to, and nothing else', () => {
  expect(emails.filter(([typed, address]) => readEmail(typed.replaceAll('\0', ' ')) !== address)).toEqual([])
})
