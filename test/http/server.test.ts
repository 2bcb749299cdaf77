// The address at which the HTTP server listens.

import { expect, it } from 'vitest'
import { z } from 'zod'
import { end } from '../../src/http/request.ts'
import type { Handle } from '../../src/http/routes.ts'
import { closeServer, listen } from '../../src/http/server.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLog } from '../../src/runtime/log.ts'

it('a server is reached only at the address that it listens at', async () => {
  const handle: Handle = async (_, res) => end(res, 200)
  const server = await listen({ host: '127.0.0.1', port: 0 }, handle, silentLog)
  const { port } = z.object({ port: z.int() }).parse(server.address())
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200)
  await expect(fetch(`http://127.0.0.2:${port}/`)).rejects.toThrow('fetch failed')
  await closeServer(server, systemClock)
})
