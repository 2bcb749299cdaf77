// A local Telegram with one user who has written to the bot, and a web server for the pictures and webhooks of a test.

import { createServer, type RequestListener } from 'node:http'
import { createUser, type SandboxUser } from '../users/user.ts'
import { type LocalTelegram, startTelegram } from './local-telegram.ts'

/** A picture of one pixel. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export interface Stage {
  readonly local: LocalTelegram
  readonly anna: SandboxUser
  /** Starts a web server on a free port, which runs until the test ends. @returns its address */
  listen(listener: RequestListener): Promise<string>
  /** The address of a picture on a web server. */
  pictureUrl(): Promise<string>
  close(): Promise<void>
}

export async function openStage(): Promise<Stage> {
  const local = await startTelegram()
  const anna = await createUser(local.url, { first_name: 'Anna', username: 'anna', id: 11 })
  const closers: (() => void)[] = []

  async function listen(listener: RequestListener): Promise<string> {
    const server = createServer(listener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closers.push(() => {
      server.close()
      server.closeAllConnections()
    })
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('the server has no port')
    return `http://127.0.0.1:${address.port}`
  }

  return {
    local,
    anna,
    listen,
    async pictureUrl() {
      const url = await listen((_req, res) => res.writeHead(200, { 'content-type': 'image/png' }).end(png))
      return `${url}/picture.png`
    },
    async close() {
      for (const end of closers) end()
      await local.discard()
    },
  }
}
