// `npm run gateway`: the local gateway as a program of its own, for any client of its API.

import { join } from 'node:path'
import { z } from 'zod'
import { readArguments } from '../../cli/terminal.ts'
import { FolderInUse, lockFolder } from '../../db/folder-lock.ts'
import { givenIn, quit, quitIfTaken, settingsFrom, stopOnSignals } from '../program.ts'
import { startStandaloneGateway } from './standalone.ts'

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
const options = { port, key, speed, folder, random: Math.random }
const gateway = await startStandaloneGateway(options).catch((error: unknown) => {
  quitIfTaken(error, 'GATEWAY_PORT', port)
  throw error
})

stopOnSignals(gateway.close)

// Printed last, because a reader of this line may stop the process at once.
process.stdout.write(`The gateway is open at ${gateway.url}

curl ${gateway.url}/v1/chat/completions \\
  -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\
  -d '{"model": "TEXT-GPT", "messages": [{"role": "user", "content": "Hello"}]}'
`)
