// The state of the doubles is written to the disk only when a restart may follow.

import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startOutside } from '../../src/sandbox/outside.ts'
import { createUser } from '../support/users/user.ts'

it.each([true, false])(
  'keepsState: %s decides whether the sandbox writes its chats, tasks and payments to the disk',
  async (keepsState) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'sandbox-state-'))
    const outside = await startOutside({ port: 0, dataDir, speed: 1, random: Math.random, keepsState })
    await createUser(outside.url, { first_name: 'Anna', language_code: 'en' })
    await outside.close()
    const files = ['telegram/telegram.json', 'gateway/gateway.json', 'yookassa/yookassa.json']
    const paths = files.map((path) => join(dataDir, path))
    expect(paths.map(existsSync)).toEqual([keepsState, keepsState, keepsState])
    await rm(dataDir, { recursive: true })
  },
)
