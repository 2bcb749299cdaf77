// `npm run gateway`: the local gateway as a program of its own, for any client of its API. It answers at `/v1/...` as well as at
// `/gateway/v1/...`; its account and its faults have the same paths as in the sandbox.

import { join } from 'node:path'
import { z } from 'zod'
import { readArguments } from '../../cli/terminal.ts'
import { FolderInUse, lockFolder } from '../../db/folder-lock.ts'
import { createSteadyClock } from '../../runtime/clock.ts'
import { randomIds } from '../../runtime/ids.ts'
import { createFaultRoutes, createFaults } from '../faults.ts'
import { type Handler, serve } from '../http.ts'
import { givenIn, quit, quitIfTaken, settingsFrom, stopOnSignals } from '../program.ts'
import { createGateway } from './index.ts'

const withShortPaths =
  (handler: Handler): Handler =>
  (req, res, url) => {
    const isShort = url.pathname.startsWith('/v1/')
    return handler(req, res, isShort ? new URL(`/gateway${url.pathname}${url.search}`, url) : url)
  }

const settings = z.object({
  GATEWAY_PORT: z.coerce.number().int().min(0).max(65535).default(8081),
  GATEWAY_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'write a word without spaces, in ASCII')
    .default('sandbox-gateway-key'),
  GATEWAY_SPEED: z.coerce.number().positive().max(10_000).default(1),
  DATA_DIR: z.string().min(1).default('./data'),
})

readArguments('npm run gateway: the local gateway alone, for any client of its API (docs/sandbox.md).')
const {
  GATEWAY_PORT: port,
  GATEWAY_KEY: key,
  GATEWAY_SPEED: speed,
  DATA_DIR: dataDir,
} = settingsFrom(settings, givenIn(process.env))

// A folder apart from the sandbox's, since both may run at once. The lock ends with the process.
const folder = join(dataDir, 'gateway-alone')
await lockFolder(folder).catch((error: unknown) => {
  if (error instanceof FolderInUse) quit(`DATA_DIR: ${error.message}`)
  throw error
})
const handlers: Handler[] = []
const server = await serve(port, handlers).catch((error: unknown) => {
  quitIfTaken(error, 'GATEWAY_PORT', port)
  throw error
})
const { url } = server
const clock = createSteadyClock()
const faults = createFaults()
const gateway = createGateway({
  key,
  folder,
  clock,
  speed,
  faults,
  random: Math.random,
  baseUrl: () => url,
  newId: randomIds.next,
})
handlers.push(withShortPaths(gateway.api), gateway.inspection, createFaultRoutes(faults))

stopOnSignals(async () => {
  await gateway.close()
  await server.close()
})

// Printed last, because a reader of this line may stop the process at once.
process.stdout.write(`The gateway is open at ${url}

curl ${url}/v1/chat/completions \\
  -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\
  -d '{"model": "TEXT-GPT", "messages": [{"role": "user", "content": "Hello"}]}'
`)
