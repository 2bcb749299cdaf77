// Lets a local gateway use the files that other local gateways of the same test run have made.

import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'

/** Must be called before the gateway with this folder is opened. */
export async function shareMadeFiles(gatewayFolder: string): Promise<void> {
  await mkdir(gatewayFolder, { recursive: true })
  await symlink(inject('madeFiles'), join(gatewayFolder, 'artifacts'))
}
