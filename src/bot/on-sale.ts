// What can be ordered now: offered by the configuration and not switched off by an operator since.

import type { Command, Model } from '../catalog/model.ts'
import { modelSwitch, switchedOff } from '../sales/switches.ts'
import { offeredCommands } from './commands.ts'
import type { BotDeps } from './context.ts'

export interface OnSale {
  readonly commands: readonly Command[]
  models(command: Command): readonly Model[]
}

export async function readOnSale({ db, catalog }: Pick<BotDeps, 'db' | 'catalog'>): Promise<OnSale> {
  const off = await switchedOff(db)
  const models = (command: Command) => catalog.offered(command).filter(({ id }) => !off.has(modelSwitch(id)))
  return { commands: offeredCommands(catalog).filter((command) => models(command).length > 0), models }
}
